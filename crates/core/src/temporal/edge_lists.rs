//! Edges of states as lists of numbers: kept one after the other in little memory, or remembered for a while.

use std::collections::HashMap;

use crate::quotient::Unfinished;

/// Room that is made at least.
const GROWTH: usize = 1 << 6;
/// States whose edges are remembered where none are kept, and how many edges at most. Searches go back and forth between
/// states that lie near each other.
const RECENT_STATES: usize = 1 << 8;
const RECENT_EDGES: usize = 1 << 14;

/// Where only fair runs count: the number of the set of individuals that act on an edge, and of the element that maps what the
/// step leads to to the target.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FairEdge {
    pub acting: u32,
    pub witness: u32,
}

/// The edges of one state.
#[derive(Clone, Copy)]
pub struct Edges<'e> {
    pub targets: &'e [u32],
    /// By edge, where formulas speak of steps: which of the masks says what they see of it.
    classes: &'e [u16],
    masks: &'e [u64],
    fair: &'e [FairEdge],
}

impl Edges<'_> {
    /// What formulas see of the step along an edge.
    #[inline]
    pub fn class(&self, edge: usize) -> u64 {
        self.classes.get(edge).map_or(0, |&class| self.masks[class as usize])
    }

    pub fn fair(&self, edge: usize) -> FairEdge {
        self.fair.get(edge).copied().unwrap_or_default()
    }
}

/// Lists of edges, one after the other. Each begins with how many edges follow.
#[derive(Default)]
pub struct EdgeLists {
    targets: Vec<u32>,
    /// Both beside the targets, where they are asked for; empty otherwise.
    classes: Vec<u16>,
    fair: Vec<FairEdge>,
}

impl EdgeLists {
    /// The place where the next list will begin.
    pub fn end(&self) -> usize {
        self.targets.len()
    }

    /// Begins a list; `finish` ends it.
    pub fn begin(&mut self) {
        push_gently(&mut self.targets, 0);
    }

    #[inline]
    pub fn push(&mut self, target: u32, class: Option<u16>, fair: Option<FairEdge>) {
        push_gently(&mut self.targets, target);
        if let Some(class) = class {
            push_beside(&mut self.classes, self.targets.len() - 1, class);
        }
        if let Some(fair) = fair {
            push_beside(&mut self.fair, self.targets.len() - 1, fair);
        }
    }

    /// Ends the list that began at this place; how many edges it has.
    pub fn finish(&mut self, place: usize) -> usize {
        let count = self.targets.len() - place - 1;
        self.targets[place] = count as u32;
        count
    }

    /// To write the targets of the lists from this place on, one after the other.
    pub fn filler(&mut self, place: usize) -> Filler<'_> {
        Filler { targets: &mut self.targets[place..], left: 0 }
    }

    /// Forgets what comes from this place on.
    pub fn truncate(&mut self, place: usize) {
        self.targets.truncate(place);
        self.classes.truncate(place);
        self.fair.truncate(place);
    }

    #[inline]
    pub fn at<'e>(&'e self, place: usize, masks: &'e [u64]) -> Edges<'e> {
        let edges = place + 1..place + 1 + self.targets[place] as usize;
        Edges {
            classes: self.classes.get(edges.clone()).unwrap_or_default(),
            fair: self.fair.get(edges.clone()).unwrap_or_default(),
            targets: &self.targets[edges],
            masks,
        }
    }

    pub fn shrink(&mut self) {
        self.targets.shrink_to_fit();
        self.classes.shrink_to_fit();
        self.fair.shrink_to_fit();
    }

    pub fn bytes(&self) -> usize {
        self.targets.capacity() * 4
            + self.classes.capacity() * 2
            + self.fair.capacity() * size_of::<FairEdge>()
    }
}

/// Targets of lists that have their lengths already.
pub struct Filler<'l> {
    targets: &'l mut [u32],
    /// Of the list at hand.
    left: u32,
}

impl Filler<'_> {
    #[inline]
    pub fn put(&mut self, target: u32) {
        let mut at = 0;
        while self.left == 0 {
            self.left = self.targets[at];
            at += 1;
        }
        self.targets[at] = target;
        self.left -= 1;
        self.targets = &mut std::mem::take(&mut self.targets)[at + 1..];
    }
}

/// The different sets of classes that steps have, numbered.
#[derive(Default)]
pub struct ClassMasks {
    pub masks: Vec<u64>,
    numbers: HashMap<u64, u16>,
}

impl ClassMasks {
    #[inline]
    pub fn number(&mut self, mask: u64) -> Result<u16, Unfinished> {
        if let Some(&number) = self.numbers.get(&mask) {
            return Ok(number);
        }
        let number = u16::try_from(self.masks.len()).map_err(|_| Unfinished::Full)?;
        self.masks.push(mask);
        self.numbers.insert(mask, number);
        Ok(number)
    }
}

/// The edges of states that were looked at lately, where edges are not kept.
#[derive(Default)]
pub struct RecentEdges {
    /// By the last bits of its number: a state, and its edges.
    slots: Vec<(Option<u32>, EdgeLists)>,
    edges: usize,
}

impl RecentEdges {
    #[inline]
    pub fn get<'e>(&'e self, state: u32, masks: &'e [u64]) -> Option<Edges<'e>> {
        let (found, lists) = self.slots.get(state as usize % RECENT_STATES)?;
        (*found == Some(state)).then(|| lists.at(0, masks))
    }

    /// The room for the edges of a state: what was in it is forgotten.
    pub fn take(&mut self, state: u32) -> EdgeLists {
        if self.edges > RECENT_EDGES {
            *self = RecentEdges::default();
        }
        if self.slots.is_empty() {
            self.slots.resize_with(RECENT_STATES, Default::default);
        }
        let slot = &mut self.slots[state as usize % RECENT_STATES];
        slot.0 = None;
        let mut lists = std::mem::take(&mut slot.1);
        self.edges -= lists.end();
        lists.truncate(0);
        lists
    }

    pub fn put(&mut self, state: u32, lists: EdgeLists) {
        self.edges += lists.end();
        self.slots[state as usize % RECENT_STATES] = (Some(state), lists);
    }

    pub fn bytes(&self) -> usize {
        self.slots.iter().map(|(_, lists)| size_of::<(Option<u32>, EdgeLists)>() + lists.bytes()).sum()
    }
}

/// Appends; room is made by a quarter at a time, as what is kept of millions of edges should not double.
#[inline]
pub fn push_gently<T>(list: &mut Vec<T>, item: T) {
    if list.len() == list.capacity() {
        list.reserve_exact((list.len() / 4).max(GROWTH));
    }
    list.push(item);
}

/// Appends the item of this position; the heads of lists, which come in between, have none.
#[inline]
fn push_beside<T: Clone + Default>(list: &mut Vec<T>, position: usize, item: T) {
    while list.len() < position {
        push_gently(list, T::default());
    }
    push_gently(list, item);
}
