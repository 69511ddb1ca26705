//! The file format of saved searches: sections of checked blocks, and the errors of reading them.
//!
//! In: numbers and bytes, one after the other, as the visited set and the frontier write them. Out: sections of a file, each
//! with a head (magic, name, version) and blocks with checksums (`blocks`), most numbers in few bytes (`numbers`). A section is
//! written and read as a stream; reading allocates a block at a time, never what a length in the file claims. Checksums
//! detect damage. They do not protect against a file that was forged to pass them: it is read without a panic, but its states
//! are believed.

mod blocks;
pub mod numbers;

use std::fmt;
use std::io;

pub use blocks::{BlockReader, BlockWriter, Section};

/// Why a file was not loaded.
#[derive(Debug)]
pub enum LoadError {
    Io(io::Error),
    /// It does not begin as the section that was expected.
    Foreign,
    /// It was written by another version of this format.
    Version(u32),
    /// It ends too early.
    Truncated,
    /// A checksum differs, or what it says contradicts itself.
    Damaged(&'static str),
    /// It is intact, and of another model, group or method.
    OtherModel(&'static str),
    /// Its values need wider slots: so many bits by slot. Load it again under such a schema.
    Narrow(Vec<u8>),
    /// It holds more states than there are numbers.
    TooLarge,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LoadError::Io(error) => write!(f, "{error}"),
            LoadError::Foreign => write!(f, "not a file of saved states"),
            LoadError::Version(version) => write!(f, "the format of this file has version {version}"),
            LoadError::Truncated => write!(f, "the file ends too early"),
            LoadError::Damaged(what) => write!(f, "the file is damaged: {what}"),
            LoadError::OtherModel(what) => write!(f, "the file is of another model: {what}"),
            LoadError::Narrow(_) => write!(f, "values of the file do not fit the layout"),
            LoadError::TooLarge => write!(f, "the file holds more states than there are numbers for"),
        }
    }
}

impl std::error::Error for LoadError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        if let LoadError::Io(error) = self { Some(error) } else { None }
    }
}

impl From<io::Error> for LoadError {
    fn from(error: io::Error) -> Self {
        if error.kind() == io::ErrorKind::UnexpectedEof { LoadError::Truncated } else { LoadError::Io(error) }
    }
}
