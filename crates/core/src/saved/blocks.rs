//! A section of a file: a head, then blocks of at most 64 KiB, each with its length and a checksum, then an empty block.
//!
//! Each checksum continues the one before, so a block that is missing, repeated or moved is detected as one that changed. A
//! section ends where its empty block does: the next one may follow in the same file. Numbers take seven bits a byte and lie
//! within a block; bytes may continue in the next.

use std::io::{self, Read, Write};

use super::LoadError;
use super::numbers::{MAX_BYTES, from_zigzag, read_number, write_number, zigzag};
use crate::random::mix;

const MAGIC: [u8; 8] = *b"burnside";
const VERSION: u32 = 1;
const HEAD: usize = 16;
/// Bytes of one block at most.
const BLOCK: usize = 1 << 16;

/// What a section holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    States,
    Frontier,
}

impl Section {
    fn head(self) -> [u8; HEAD] {
        let name = match self {
            Section::States => *b"stat",
            Section::Frontier => *b"fron",
        };
        let mut head = [0; HEAD];
        head[..8].copy_from_slice(&MAGIC);
        head[8..12].copy_from_slice(&name);
        head[12..].copy_from_slice(&VERSION.to_le_bytes());
        head
    }
}

/// Every step is a bijection of what came before, so a change within one word always changes the result.
fn checksum(before: u64, block: &[u8]) -> u64 {
    let (words, rest) = block.as_chunks::<8>();
    let mut last = [0; 8];
    last[..rest.len()].copy_from_slice(rest);
    let add = |sum: u64, word: &[u8; 8]| mix(sum ^ u64::from_le_bytes(*word));
    words.iter().chain([&last]).fold(mix(before ^ block.len() as u64), add)
}

pub struct BlockWriter<'w, W: Write> {
    to: &'w mut W,
    block: Vec<u8>,
    checksum: u64,
}

impl<'w, W: Write> BlockWriter<'w, W> {
    pub fn new(section: Section, to: &'w mut W) -> io::Result<Self> {
        let head = section.head();
        to.write_all(&head)?;
        Ok(BlockWriter { to, block: Vec::with_capacity(BLOCK), checksum: checksum(0, &head) })
    }

    pub fn number(&mut self, number: u64) -> io::Result<()> {
        if self.block.len() + MAX_BYTES > BLOCK {
            self.flush()?;
        }
        write_number(number, &mut self.block);
        Ok(())
    }

    /// A number that is likely to be near the one `before`, which it replaces.
    pub fn number_after(&mut self, before: &mut u64, number: u64) -> io::Result<()> {
        let difference = number.wrapping_sub(std::mem::replace(before, number));
        self.number(zigzag(difference as i64))
    }

    pub fn bytes(&mut self, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            if self.block.len() == BLOCK {
                self.flush()?;
            }
            let (now, later) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
            self.block.extend_from_slice(now);
            bytes = later;
        }
        Ok(())
    }

    /// A number of eight bytes.
    pub fn word(&mut self, word: u64) -> io::Result<()> {
        self.bytes(&word.to_le_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.checksum = checksum(self.checksum, &self.block);
        self.to.write_all(&(self.block.len() as u32).to_le_bytes())?;
        self.to.write_all(&self.checksum.to_le_bytes())?;
        self.to.write_all(&self.block)?;
        self.block.clear();
        Ok(())
    }

    /// Ends the section.
    pub fn finish(mut self) -> io::Result<()> {
        if !self.block.is_empty() {
            self.flush()?;
        }
        self.flush()?;
        self.to.flush()
    }
}

pub struct BlockReader<R: Read> {
    from: R,
    block: Vec<u8>,
    /// How much of the block was read.
    at: usize,
    checksum: u64,
}

impl<R: Read> BlockReader<R> {
    pub fn new(section: Section, mut from: R) -> Result<Self, LoadError> {
        let expected = section.head();
        let mut head = Vec::with_capacity(HEAD);
        from.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
        let named = head.len().min(HEAD - 4);
        if head[..named] != expected[..named] {
            return Err(LoadError::Foreign);
        }
        let Ok(head) = <[u8; HEAD]>::try_from(head) else { return Err(LoadError::Truncated) };
        let [.., a, b, c, d] = head;
        let version = u32::from_le_bytes([a, b, c, d]);
        if version != VERSION {
            return Err(LoadError::Version(version));
        }
        Ok(BlockReader { from, block: Vec::new(), at: 0, checksum: checksum(0, &head) })
    }

    /// Reads the next block; false for the empty one.
    fn next_block(&mut self) -> Result<bool, LoadError> {
        let mut length = [0; 4];
        self.from.read_exact(&mut length)?;
        let mut expected = [0; 8];
        self.from.read_exact(&mut expected)?;
        let length = u32::from_le_bytes(length) as usize;
        if length > BLOCK {
            return Err(LoadError::Damaged("a block is too long"));
        }
        self.at = 0;
        self.block.resize(length, 0);
        self.from.read_exact(&mut self.block)?;
        self.checksum = checksum(self.checksum, &self.block);
        if self.checksum != u64::from_le_bytes(expected) {
            return Err(LoadError::Damaged("a checksum differs"));
        }
        Ok(length > 0)
    }

    /// What is left of the block, or the next one.
    fn rest(&mut self) -> Result<&[u8], LoadError> {
        if self.at == self.block.len() && !self.next_block()? {
            return Err(LoadError::Damaged("a section ends too early"));
        }
        Ok(&self.block[self.at..])
    }

    pub fn number(&mut self) -> Result<u64, LoadError> {
        let mut rest = self.rest()?;
        let before = rest.len();
        let number = read_number(&mut rest).ok_or(LoadError::Damaged("not a number"))?;
        self.at += before - rest.len();
        Ok(number)
    }

    pub fn number_after(&mut self, before: &mut u64) -> Result<u64, LoadError> {
        *before = before.wrapping_add(from_zigzag(self.number()?) as u64);
        Ok(*before)
    }

    pub fn bytes(&mut self, mut bytes: &mut [u8]) -> Result<(), LoadError> {
        while !bytes.is_empty() {
            let rest = self.rest()?;
            let count = rest.len().min(bytes.len());
            let (now, later) = bytes.split_at_mut(count);
            now.copy_from_slice(&rest[..count]);
            self.at += count;
            bytes = later;
        }
        Ok(())
    }

    /// Appends so many bytes; the buffer grows as they are read.
    pub fn append(&mut self, mut count: u64, bytes: &mut Vec<u8>) -> Result<(), LoadError> {
        while count > 0 {
            let rest = self.rest()?;
            let now = rest.len().min(usize::try_from(count).unwrap_or(usize::MAX));
            bytes.extend_from_slice(&rest[..now]);
            self.at += now;
            count -= now as u64;
        }
        Ok(())
    }

    /// A number of eight bytes.
    pub fn word(&mut self) -> Result<u64, LoadError> {
        let mut word = [0; 8];
        self.bytes(&mut word)?;
        Ok(u64::from_le_bytes(word))
    }

    /// Makes sure that the section ends here.
    pub fn finish(mut self) -> Result<(), LoadError> {
        if self.at < self.block.len() || self.next_block()? {
            return Err(LoadError::Damaged("a section goes on behind its end"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[derive(Clone, Debug)]
    enum Item {
        Number(u64),
        Bytes(Vec<u8>),
    }

    fn items() -> impl Strategy<Value = Vec<Item>> {
        let number = (any::<u64>(), 0u32..64).prop_map(|(number, shift)| Item::Number(number >> shift));
        // Some are longer than a block.
        let length = prop_oneof![8 => 0..200usize, 1 => 0..3 * BLOCK];
        let bytes = (length, any::<u8>()).prop_map(|(length, first)| {
            Item::Bytes((0..length).map(|at| (at as u8).wrapping_mul(31).wrapping_add(first)).collect())
        });
        prop::collection::vec(prop_oneof![number, bytes], 0..40)
    }

    fn written(items: &[Item]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut to = BlockWriter::new(Section::States, &mut file).expect("in memory");
        let mut before = 7;
        for item in items {
            match item {
                Item::Number(number) => to.number_after(&mut before, *number),
                Item::Bytes(bytes) => to.bytes(bytes),
            }
            .expect("in memory");
        }
        to.finish().expect("in memory");
        file
    }

    /// Reads what was written; an error as soon as anything is wrong.
    fn check(items: &[Item], file: &[u8]) -> Result<(), LoadError> {
        let mut from = BlockReader::new(Section::States, file)?;
        let mut before = 7;
        for item in items {
            let is_same = match item {
                Item::Number(number) => from.number_after(&mut before)? == *number,
                Item::Bytes(bytes) => {
                    let mut found = Vec::new();
                    from.append(bytes.len() as u64, &mut found)?;
                    found == *bytes
                }
            };
            assert!(is_same, "a wrong value passed the checksum");
        }
        from.finish()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn what_was_written_is_read(items in items()) {
            prop_assert!(check(&items, &written(&items)).is_ok());
        }

        /// The checksum of a block is compared before anything in it is used.
        #[test]
        fn damage_is_an_error(items in items(), at: prop::sample::Index, flipped in 1u8..=255) {
            let mut file = written(&items);
            let at = at.index(file.len());
            prop_assert!(matches!(check(&items, &file[..at]), Err(LoadError::Truncated)));
            file[at] ^= flipped;
            prop_assert!(check(&items, &file).is_err());
        }
    }

    #[test]
    fn other_files_are_recognised() {
        let file = written(&[Item::Number(5)]);
        let opened = |section, file: &[u8]| BlockReader::new(section, file).map(|_| ());
        assert!(opened(Section::States, &file).is_ok());
        assert!(matches!(opened(Section::Frontier, &file), Err(LoadError::Foreign)));
        assert!(matches!(opened(Section::States, b"<pnml>"), Err(LoadError::Foreign)));
        assert!(matches!(opened(Section::States, b""), Err(LoadError::Truncated)));
        let mut newer = file;
        newer[12] += 1;
        assert!(matches!(opened(Section::States, &newer), Err(LoadError::Version(2))));
    }

    #[test]
    fn blocks_cannot_change_places() {
        let bytes = |first: u8| Item::Bytes(vec![first; BLOCK]);
        let items = [bytes(1), bytes(2)];
        let file = written(&items);
        let (head, rest) = file.split_at(HEAD);
        let (first, rest) = rest.split_at(12 + BLOCK);
        let (second, end) = rest.split_at(12 + BLOCK);
        assert!(check(&items, &[head, first, second, end].concat()).is_ok());
        assert!(check(&items, &[head, second, first, end].concat()).is_err());
        assert!(check(&items[..1], &[head, first, end].concat()).is_err());
    }
}
