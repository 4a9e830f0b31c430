//! Why bytes are no image or bundle.

/// What is wrong with an image or a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ImageError {
    /// The first bytes are not those of the format.
    OtherFormat,
    /// The format has another version than this build reads.
    Version {
        /// That of the bytes.
        found: u32,
        /// The one that is read.
        supported: u32,
    },
    /// The checksum does not match: the bytes were cut or changed.
    Damaged,
    /// The parts do not fit together; the sentence says which.
    Invalid(String),
}

impl std::fmt::Display for ImageError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            ImageError::OtherFormat => f.write_str("these are not compiled kernels of tk"),
            ImageError::Version { found, supported } => {
                let what = if found > supported { "update tk, or build them again" } else { "build them again" };
                write!(
                    f,
                    "these kernels have version {found} of the format, and version {supported} is read here; {what}"
                )
            }
            ImageError::Damaged => f.write_str("these kernels were cut or changed after they were written"),
            ImageError::Invalid(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for ImageError {}
