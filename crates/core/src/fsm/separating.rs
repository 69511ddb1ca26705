//! Words that tell states apart: of two states, and as characterising sets.
//!
//! In: the table of a machine, some of its states. `Partitions` has, for each length, which states no word of at most that
//! length separates (Moore 1956). Choices are those of `burnside.testing.reference`: words are shortest ones, of these the first
//! in alphabetical order.

use hashbrown::HashMap;

use super::interner::Interner;
use super::mealy::{Mealy, Word};
use super::{Stopped, Watch};

/// Numbers of blocks that are kept: states times lengths of words.
const MAX_NUMBERS: usize = 1 << 31;

/// By length of words and state: its block of states that such words do not separate.
pub struct Partitions {
    by_length: Vec<Vec<u32>>,
}

impl Partitions {
    pub fn new(mealy: &Mealy, watch: &mut Watch<'_>) -> Result<Self, Stopped> {
        let mut by_length = vec![vec![0; mealy.states()]];
        let mut count = 1;
        let mut key = Vec::new();
        loop {
            let known = by_length.last().expect("there is one of length 0");
            let is_first = by_length.len() == 1;
            let mut keys = Interner::default();
            let mut refined = Vec::with_capacity(known.len());
            for state in 0..mealy.states() as u32 {
                watch.step()?;
                key.clear();
                key.push(known[state as usize]);
                let seen =
                    |&(output, target): &(u32, u32)| if is_first { output } else { known[target as usize] };
                key.extend(mealy.row(state).iter().map(seen));
                refined.push(keys.intern(&key)?.0);
            }
            if keys.len() == count {
                return Ok(Partitions { by_length });
            }
            count = keys.len();
            if (by_length.len() + 1) * refined.len() > MAX_NUMBERS {
                return Err(Stopped::TooLarge);
            }
            by_length.push(refined);
        }
    }

    /// The length of the longest word that is needed to separate two states.
    pub fn depth(&self) -> usize {
        self.by_length.len() - 1
    }

    pub fn classes(&self) -> &[u32] {
        self.by_length.last().expect("there is one of length 0")
    }

    fn block(&self, length: usize, state: u32) -> u32 {
        self.by_length[length][state as usize]
    }

    /// Of a shortest word that separates two states; None where they are bisimilar.
    pub fn length(&self, one: u32, other: u32) -> Option<usize> {
        let found = self.by_length.partition_point(|blocks| blocks[one as usize] == blocks[other as usize]);
        (found < self.by_length.len()).then_some(found)
    }

    /// The alphabetically first of the shortest words that separate two states; none where they are bisimilar.
    pub fn word(&self, mealy: &Mealy, one: u32, other: u32) -> Option<Word> {
        let length = self.length(one, other)?;
        Some(self.least_word(mealy, vec![vec![one, other]], length))
    }

    /// The alphabetically first word of this length that separates two states of a group; no shorter one does, and some word
    /// of this length must.
    fn least_word(&self, mealy: &Mealy, mut groups: Vec<Vec<u32>>, length: usize) -> Word {
        let mut word = Vec::with_capacity(length);
        for left in (0..length).rev() {
            let seen = |state: u32, input: u32| {
                let (output, target) = mealy.step(state, input);
                if left == 0 { output } else { self.block(left, target) }
            };
            let separates = |&input: &u32| {
                groups
                    .iter()
                    .any(|group| group.iter().any(|&state| seen(state, input) != seen(group[0], input)))
            };
            let input = (0..mealy.inputs() as u32).find(separates).expect("a word of this length separates");
            word.push(input);
            for state in groups.iter_mut().flatten() {
                *state = mealy.step(*state, input).1;
            }
        }
        word
    }
}

/// Which states a characterising set separates first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// Those that need the shortest words.
    Shortest,
    /// Those that need the longest words, which often separate others as well: a smaller set.
    Longest,
}

/// Words that separate every two of these states (ascending) that are not bisimilar; the empty word where there are none.
pub fn characterising_set(
    mealy: &Mealy,
    partitions: &Partitions,
    states: &[u32],
    first: First,
    watch: &mut Watch<'_>,
) -> Result<Vec<Word>, Stopped> {
    let mut groups = Groups { group_of: vec![0; states.len()], states, count: 1 };
    let mut chosen = Vec::new();
    let mut lengths: Vec<usize> = (1..=partitions.depth()).collect();
    if first == First::Longest {
        lengths.reverse();
    }
    for length in lengths {
        loop {
            let word = match first {
                First::Longest => groups
                    .first_pair(partitions, length)
                    .map(|(a, b)| partitions.least_word(mealy, vec![vec![a, b]], length)),
                First::Shortest => {
                    let mixed = groups.mixed(partitions, length);
                    (!mixed.is_empty()).then(|| partitions.least_word(mealy, mixed, length))
                }
            };
            let Some(word) = word else { break };
            groups.split(mealy, &word, watch)?;
            chosen.push(word);
        }
    }
    if chosen.is_empty() {
        chosen.push(Vec::new());
    }
    Ok(chosen)
}

/// States that the words chosen so far do not separate.
struct Groups<'a> {
    states: &'a [u32],
    group_of: Vec<u32>,
    count: usize,
}

impl Groups<'_> {
    fn split(&mut self, mealy: &Mealy, word: &[u32], watch: &mut Watch<'_>) -> Result<(), Stopped> {
        let mut keys = Interner::default();
        let mut key = Vec::new();
        for (&state, group) in self.states.iter().zip(&mut self.group_of) {
            watch.step()?;
            key.clear();
            key.push(*group);
            let mut at = state;
            for &input in word {
                let (output, target) = mealy.step(at, input);
                key.push(output);
                at = target;
            }
            *group = keys.intern(&key)?.0;
        }
        self.count = keys.len();
        Ok(())
    }

    /// The first two states of one group that a word of this length separates and no shorter one.
    fn first_pair(&self, partitions: &Partitions, length: usize) -> Option<(u32, u32)> {
        let mut cells: HashMap<(u32, u32), (u32, u32)> = HashMap::new();
        let mut found: Option<(u32, u32)> = None;
        for (&state, &group) in self.states.iter().zip(&self.group_of) {
            let block = partitions.block(length, state);
            let cell = (group, partitions.block(length - 1, state));
            let &mut (first, of_first) = cells.entry(cell).or_insert((state, block));
            if of_first != block && found.is_none_or(|(least, _)| first < least) {
                found = Some((first, state));
            }
        }
        found
    }

    /// Groups with states that a word of this length separates.
    fn mixed(&self, partitions: &Partitions, length: usize) -> Vec<Vec<u32>> {
        let mut members: Vec<Vec<u32>> = vec![Vec::new(); self.count];
        for (&state, &group) in self.states.iter().zip(&self.group_of) {
            members[group as usize].push(state);
        }
        let block = |state: u32| partitions.block(length, state);
        members.retain(|group| group.iter().any(|&state| block(state) != block(group[0])));
        members
    }
}

/// The length of the shortest beginning of a word that separates two states.
fn shortest_difference(mealy: &Mealy, mut one: u32, mut other: u32, word: &[u32]) -> Option<usize> {
    for (at, &input) in word.iter().enumerate() {
        let (ours, theirs) = (mealy.step(one, input), mealy.step(other, input));
        if ours.0 != theirs.0 {
            return Some(at + 1);
        }
        (one, other) = (ours.1, theirs.1);
    }
    None
}

/// By state: words that separate it from every other one, each the beginning of a word of the characterising set. Greedy: the
/// word that separates it from most of the others that are left, the first of several, cut behind the last place where it does.
pub fn identifiers(
    mealy: &Mealy,
    states: &[u32],
    words: &[Word],
    watch: &mut Watch<'_>,
) -> Result<Vec<Vec<Word>>, Stopped> {
    let mut found = Vec::with_capacity(states.len());
    for &state in states {
        let mut own = Vec::new();
        let mut others: Vec<u32> = states.iter().copied().filter(|&each| each != state).collect();
        while !others.is_empty() {
            let mut best: Option<(usize, usize, usize)> = None;
            for (at, word) in words.iter().enumerate() {
                let (mut count, mut length) = (0, 0);
                for &other in &others {
                    watch.step()?;
                    if let Some(needed) = shortest_difference(mealy, state, other, word) {
                        count += 1;
                        length = length.max(needed);
                    }
                }
                if best.is_none_or(|(most, ..)| count > most) {
                    best = Some((count, at, length));
                }
            }
            let Some((1.., at, length)) = best else { break };
            others.retain(|&other| shortest_difference(mealy, state, other, &words[at]).is_none());
            own.push(words[at][..length].to_vec());
        }
        if own.is_empty() {
            own.push(Vec::new());
        }
        found.push(own);
    }
    Ok(found)
}

/// By state: words that separate it from every other one, such that one beginning of words of both separates two states: the
/// first word of the characterising set that does, cut behind the place where it does.
pub fn harmonised_identifiers(
    mealy: &Mealy,
    states: &[u32],
    words: &[Word],
    watch: &mut Watch<'_>,
) -> Result<Vec<Vec<Word>>, Stopped> {
    let mut found: Vec<Vec<(usize, usize)>> = vec![Vec::new(); states.len()];
    for (at, &one) in states.iter().enumerate() {
        for (before, &other) in states[..at].iter().enumerate() {
            watch.step()?;
            let mut lengths =
                words.iter().map(|word| shortest_difference(mealy, one, other, word)).enumerate();
            if let Some((word, length)) = lengths.find_map(|(word, length)| Some((word, length?))) {
                found[at].push((word, length));
                found[before].push((word, length));
            }
        }
        found[at].sort_unstable();
        found[at].dedup();
    }
    let cut = |own: Vec<(usize, usize)>| {
        let mut own: Vec<Word> =
            own.into_iter().map(|(word, length)| words[word][..length].to_vec()).collect();
        own.sort_unstable();
        own.dedup();
        if own.is_empty() {
            own.push(Vec::new());
        }
        own
    };
    Ok(found.into_iter().map(cut).collect())
}
