//! `tk doctor`: what is here, and what to do about what is not.
