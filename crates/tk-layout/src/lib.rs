//! Layouts as mathematics: linear layouts over F2.
