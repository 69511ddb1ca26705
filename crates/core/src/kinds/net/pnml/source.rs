//! Bytes on their way to the XML reader: counts lines and columns as they pass, turns ISO-8859-1 into UTF-8.

use super::ReadError;
use std::io::{BufRead, Read, Result};

/// Lines and columns count from 1, columns in characters. A file too long for them keeps the largest.
#[derive(Clone, Copy, Debug)]
pub(super) struct Position {
    line: u32,
    column: u32,
}

impl Position {
    pub(super) const START: Position = Position { line: 1, column: 1 };

    pub(super) fn line(self) -> u32 {
        self.line
    }

    /// The position behind `bytes` of UTF-8 that start here.
    pub(super) fn after(mut self, bytes: &[u8]) -> Position {
        for &byte in bytes {
            if byte == b'\n' {
                self.line = self.line.saturating_add(1);
                self.column = 1;
            } else if byte & 0xc0 != 0x80 {
                self.column = self.column.saturating_add(1);
            }
        }
        self
    }

    pub(super) fn error(self, message: impl Into<String>) -> ReadError {
        ReadError {
            message: message.into(),
            line: self.line,
            column: self.column,
            hint: None,
            unsupported: false,
            high_level: false,
            not_utf_8: false,
        }
    }

    pub(super) fn unsupported(self, message: impl Into<String>) -> ReadError {
        ReadError { unsupported: true, ..self.error(message) }
    }
}

impl ReadError {
    pub(super) fn hint(self, hint: impl Into<String>) -> ReadError {
        ReadError { hint: Some(hint.into()), ..self }
    }
}

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// `position` is that of the first byte not consumed yet. The XML reader consumes exactly what it has
/// reported, so between two events this is where the next one starts.
pub(super) struct Source<R> {
    inner: R,
    position: Position,
    at_start: bool,
    latin_1: bool,
    /// What is left, from `used` on, of the last bytes turned into UTF-8.
    decoded: Vec<u8>,
    used: usize,
}

impl<R: BufRead> Source<R> {
    pub(super) fn new(inner: R) -> Self {
        Source {
            inner,
            position: Position::START,
            at_start: true,
            latin_1: false,
            decoded: Vec::new(),
            used: 0,
        }
    }

    pub(super) fn position(&self) -> Position {
        self.position
    }

    /// From the next byte on, bytes are characters of ISO-8859-1: each is the code point of the same number.
    pub(super) fn decode_latin_1(&mut self) {
        self.latin_1 = true;
    }

    /// Is this UTF-16, with or without its byte order mark?
    pub(super) fn looks_like_utf_16(&mut self) -> Result<bool> {
        let start = self.inner.fill_buf()?;
        Ok([&b"\xff\xfe"[..], b"\xfe\xff", b"<\0", b"\0<"].iter().any(|mark| start.starts_with(mark)))
    }

    fn decode_more(&mut self) -> Result<()> {
        self.decoded.clear();
        self.used = 0;
        let bytes = self.inner.fill_buf()?;
        let count = bytes.len();
        for &byte in bytes {
            self.decoded.extend_from_slice(char::from(byte).encode_utf8(&mut [0; 2]).as_bytes());
        }
        self.inner.consume(count);
        Ok(())
    }
}

impl<R: BufRead> BufRead for Source<R> {
    fn fill_buf(&mut self) -> Result<&[u8]> {
        if !self.latin_1 {
            return self.inner.fill_buf();
        }
        if self.used == self.decoded.len() {
            self.decode_more()?;
        }
        Ok(&self.decoded[self.used..])
    }

    fn consume(&mut self, count: usize) {
        if count == 0 {
            return;
        }
        if self.latin_1 {
            let end = self.decoded.len().min(self.used + count);
            self.position = self.position.after(&self.decoded[self.used..end]);
            self.used = end;
            return;
        }
        // What is consumed has just been filled, so asking for it again reads nothing and cannot fail.
        if let Ok(bytes) = self.inner.fill_buf() {
            let passed = &bytes[..count.min(bytes.len())];
            if !(self.at_start && passed == BYTE_ORDER_MARK) {
                self.position = self.position.after(passed);
            }
        }
        self.at_start = false;
        self.inner.consume(count);
    }
}

/// Only there because `BufRead` asks for it.
impl<R: BufRead> Read for Source<R> {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        let available = self.fill_buf()?;
        let count = available.len().min(into.len());
        into[..count].copy_from_slice(&available[..count]);
        self.consume(count);
        Ok(count)
    }
}
