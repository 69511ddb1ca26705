//! The H-method (Dorofeeva, El-Fakih and Yevtushenko 2005): separating words are chosen for each pair of words of the suite.
//!
//! In: a minimal machine and a number of extra states. Out: the tree of the suite. Rules and choices are those of
//! `burnside.testing.reference.h_method`. Whether the tree separates a pair is decided first, since it mostly does; only
//! otherwise the costs of all ways to separate it are compared.

use super::cover::{Access, Part};
use super::mealy::{Mealy, Word};
use super::separating::Partitions;
use super::trie::Trie;
use super::{Stopped, Watch};

/// Nodes of the tree, which is kept in memory.
const MAX_NODES: usize = 200_000_000;

/// All words of the suite that no other begins with.
pub fn h_method(
    mealy: &Mealy,
    partitions: &Partitions,
    extra: u32,
    watch: &mut Watch<'_>,
) -> Result<Trie, Stopped> {
    let access = Access::new(mealy, &Part::whole(mealy));
    let mut suite = Suite { mealy, partitions, tree: Trie::default(), queue: Vec::new() };
    let mut cover = Vec::new();
    for &state in &access.states {
        let word = access.word(state);
        let node = suite.tree.insert(Trie::ROOT, &word);
        cover.push(Place { state, node, depth: word.len() });
    }
    // Behind each word of the cover: the last place, and those before it that are not in the cover.
    let mut longer: Vec<Vec<Place>> = cover.iter().map(|&place| vec![place]).collect();
    let mut all = Vec::new();
    for _ in 0..=extra {
        let mut next = Vec::new();
        for path in &longer {
            let last = path[path.len() - 1];
            for input in 0..mealy.inputs() as u32 {
                watch.step()?;
                let node = suite.tree.insert_child(last.node, input);
                let place = Place { state: mealy.step(last.state, input).1, node, depth: last.depth + 1 };
                let mut path = path.clone();
                path.push(place);
                next.push(path);
            }
            if suite.tree.len() > MAX_NODES {
                return Err(Stopped::TooLarge);
            }
        }
        all.extend(next.iter().cloned());
        longer = next;
    }
    for (at, &place) in cover.iter().enumerate() {
        for &other in &cover[..at] {
            suite.separate(other, place, watch)?;
        }
    }
    for path in &all {
        let last = path[path.len() - 1];
        for &other in &cover {
            suite.separate(other, last, watch)?;
        }
        for &before in &path[1..path.len() - 1] {
            suite.separate(before, last, watch)?;
        }
    }
    Ok(suite.tree)
}

/// A word of the tree.
#[derive(Clone, Copy)]
struct Place {
    state: u32,
    node: u32,
    depth: usize,
}

struct Suite<'a> {
    mealy: &'a Mealy,
    partitions: &'a Partitions,
    tree: Trie,
    /// Places of two words followed by the same inputs.
    queue: Vec<(Place, Place)>,
}

impl Suite<'_> {
    fn separate(&mut self, one: Place, other: Place, watch: &mut Watch<'_>) -> Result<(), Stopped> {
        if one.state == other.state || self.is_separated(one, other, watch)? {
            return Ok(());
        }
        let mut least: Option<(usize, usize, Word)> = None;
        for at in 0..self.queue.len() {
            watch.step()?;
            let (first, second) = self.queue[at];
            let Some(word) = self.partitions.word(self.mealy, first.state, second.state) else { continue };
            let costs = self.costs(first, &word) + self.costs(second, &word);
            if least.as_ref().is_none_or(|(known, ..)| costs < *known) {
                least = Some((costs, at, word));
            }
        }
        let Some((_, at, word)) = least else { return Ok(()) };
        let (first, second) = self.queue[at];
        self.tree.insert(first.node, &word);
        self.tree.insert(second.node, &word);
        if self.tree.len() > MAX_NODES { Err(Stopped::TooLarge) } else { Ok(()) }
    }

    /// Does some word that follows both places in the tree have different outcomes? Otherwise `queue` has all such words,
    /// breadth first.
    fn is_separated(&mut self, one: Place, other: Place, watch: &mut Watch<'_>) -> Result<bool, Stopped> {
        self.queue.clear();
        self.queue.push((one, other));
        let mut at = 0;
        while let Some(&(first, second)) = self.queue.get(at) {
            let (ours, theirs) = (self.tree.children(first.node), self.tree.children(second.node));
            let mut place = 0;
            for &(input, node) in ours {
                watch.step()?;
                while place < theirs.len() && theirs[place].0 < input {
                    place += 1;
                }
                let Some(&(same, other_node)) = theirs.get(place) else { break };
                if same != input {
                    continue;
                }
                let (taken, other_taken) =
                    (self.mealy.step(first.state, input), self.mealy.step(second.state, input));
                if taken.0 != other_taken.0 {
                    return Ok(true);
                }
                let next = Place { state: taken.1, node, depth: first.depth + 1 };
                let other_next = Place { state: other_taken.1, node: other_node, depth: second.depth + 1 };
                self.queue.push((next, other_next));
            }
            at += 1;
        }
        Ok(false)
    }

    /// By how many inputs the suite grows if a word follows a place.
    fn costs(&self, place: Place, word: &[u32]) -> usize {
        let mut node = place.node;
        for (at, &input) in word.iter().enumerate() {
            match self.tree.child(node, input) {
                Some(child) => node = child,
                None if self.tree.children(node).is_empty() => return word.len() - at,
                None => return place.depth + word.len(),
            }
        }
        0
    }
}
