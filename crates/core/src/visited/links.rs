//! For each stored state the number of another one, in 32 bits where that is enough.
//!
//! Links are kept in chunks. A chunk is widened when a number in it needs more than 32 bits, so spaces below
//! 2^32 states pay four bytes a state.

const NONE: u64 = u64::MAX;
const NARROW_NONE: u32 = u32::MAX;

pub(super) const CHUNK: usize = 1 << 10;

enum Chunk {
    Narrow(Box<[u32]>),
    Wide(Box<[u64]>),
}

#[derive(Default)]
pub struct Links {
    chunks: Vec<Chunk>,
    wide: usize,
}

impl Links {
    /// Room for one more chunk.
    pub fn grow(&mut self) {
        self.chunks.push(Chunk::Narrow(vec![NARROW_NONE; CHUNK].into()));
    }

    #[inline(always)]
    pub fn get(&self, at: usize) -> Option<u64> {
        match &self.chunks[at / CHUNK] {
            Chunk::Narrow(links) => {
                let link = links[at % CHUNK];
                (link != NARROW_NONE).then_some(u64::from(link))
            }
            Chunk::Wide(links) => {
                let link = links[at % CHUNK];
                (link != NONE).then_some(link)
            }
        }
    }

    #[inline(always)]
    pub fn set(&mut self, at: usize, link: Option<u64>) {
        match (&mut self.chunks[at / CHUNK], link) {
            (Chunk::Narrow(links), Some(link)) if link < u64::from(NARROW_NONE) => {
                links[at % CHUNK] = link as u32;
            }
            (Chunk::Narrow(links), None) => links[at % CHUNK] = NARROW_NONE,
            (Chunk::Wide(links), link) => links[at % CHUNK] = link.unwrap_or(NONE),
            (Chunk::Narrow(_), Some(link)) => self.widen(at, link),
        }
    }

    #[cold]
    fn widen(&mut self, at: usize, link: u64) {
        let chunk = &mut self.chunks[at / CHUNK];
        if let Chunk::Narrow(links) = chunk {
            let widened = |&link: &u32| if link == NARROW_NONE { NONE } else { u64::from(link) };
            let mut wide: Box<[u64]> = links.iter().map(widened).collect();
            wide[at % CHUNK] = link;
            *chunk = Chunk::Wide(wide);
            self.wide += 1;
        }
    }

    pub fn bytes(&self) -> usize {
        (self.chunks.len() + self.wide) * CHUNK * size_of::<u32>()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn links_are_read_as_they_were_set(
            set in prop::collection::vec((0..2 * CHUNK, prop::option::of(prop_oneof![0..9u64, (1u64 << 32) - 2..(1 << 32) + 2])), 0..50)
        ) {
            let mut links = Links::default();
            links.grow();
            links.grow();
            let mut expected = vec![None; 2 * CHUNK];
            for (at, link) in set {
                links.set(at, link);
                expected[at] = link;
            }
            for (at, &link) in expected.iter().enumerate() {
                prop_assert_eq!(links.get(at), link);
            }
        }
    }
}
