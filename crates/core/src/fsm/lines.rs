//! Tests as text: the bytes of suite files, as `burnside.testing.suite_files` describes them.
//!
//! What a test shares with the one before is not written anew.

use super::suite::Walk;

/// One line of JSON for each test, or a line for each step and an empty one after each test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Json,
    Text,
}

pub struct Lines {
    format: Format,
    /// By number, as they stand in the file.
    inputs: Vec<String>,
    outputs: Vec<String>,
    first: Column,
    second: Column,
}

/// Rendered steps, one behind the other.
#[derive(Default)]
struct Column {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

impl Column {
    fn keep(&mut self, steps: usize) {
        self.ends.truncate(steps);
        self.bytes.truncate(self.ends.last().copied().unwrap_or(0));
    }

    fn push(&mut self, separator: &str, parts: &[&str]) {
        if !self.ends.is_empty() {
            self.bytes.extend_from_slice(separator.as_bytes());
        }
        for part in parts {
            self.bytes.extend_from_slice(part.as_bytes());
        }
        self.ends.push(self.bytes.len());
    }
}

impl Lines {
    /// For JSON, names are quoted already.
    pub fn new(format: Format, inputs: Vec<String>, outputs: Vec<String>) -> Self {
        Lines { format, inputs, outputs, first: Column::default(), second: Column::default() }
    }

    /// Appends the test at which the walk stands. Every test of a walk must be written.
    pub fn write(&mut self, walk: &Walk, to: &mut Vec<u8>) {
        let shared = walk.shared.min(self.first.ends.len());
        self.first.keep(shared);
        let steps = walk.inputs.iter().zip(&walk.outputs).skip(shared);
        match self.format {
            Format::Json => {
                self.second.keep(shared);
                for (&input, &output) in steps {
                    self.first.push(",", &[&self.inputs[input as usize]]);
                    self.second.push(",", &[&self.outputs[output as usize]]);
                }
                to.extend_from_slice(b"{\"inputs\":[");
                to.extend_from_slice(&self.first.bytes);
                to.extend_from_slice(b"],\"outputs\":[");
                to.extend_from_slice(&self.second.bytes);
                to.extend_from_slice(b"]}\n");
            }
            Format::Text => {
                for (&input, &output) in steps {
                    let parts = [&self.inputs[input as usize], " / ", &self.outputs[output as usize], "\n"];
                    self.first.push("", &parts);
                }
                to.extend_from_slice(&self.first.bytes);
                to.push(b'\n');
            }
        }
    }
}
