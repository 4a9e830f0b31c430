//! One runner for every suite.
