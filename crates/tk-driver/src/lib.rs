//! From source to artifact.
