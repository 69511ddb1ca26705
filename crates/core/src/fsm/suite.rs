//! Test suites as streams: words `p m e`, where `p` is of a cover, `m` has at most `extra` inputs, and `e` is one of the ends
//! that belong to the state after `p m` (Chow 1978; Fujiwara et al. 1991; Luo, Petrenko and von Bochmann 1994).
//!
//! In: the table of a machine, a cover whose words have a *phase*, ends by phase and state. Out: the words of the suite that no
//! other begins with, in alphabetical order, one at a time. Nothing but the word itself is kept: a walk goes down the tree of
//! all words, and knows for the word so far what it may be the beginning of: a word of the cover, a word and a middle
//! part, and some ends. A word with nothing behind it is a test. Sizes are known without a walk through all of it: below
//! the cover, what follows depends on the state, the middle part and the ends alone, and is counted once.

use std::sync::Arc;

use super::interner::Interner;
use super::mealy::{Mealy, Word};
use super::trie::Trie;
use super::{NONE, Stopped, Watch};

pub const PHASES: usize = 2;

pub struct Plan {
    pub mealy: Arc<Mealy>,
    cover: Trie,
    /// By node of the cover: its phase, or NONE where it is only the beginning of a word.
    phases: Vec<u32>,
    ends: Trie,
    /// By phase and state: the root of its ends.
    roots: [Vec<u32>; PHASES],
    extra: u32,
}

impl Plan {
    pub fn new(mealy: Arc<Mealy>, extra: u32) -> Self {
        let roots = [vec![NONE; mealy.states()], vec![NONE; mealy.states()]];
        let (cover, ends) = (Trie::default(), Trie::default());
        Plan { mealy, cover, phases: vec![NONE], ends, roots, extra }
    }

    /// The words of a tree that no other begins with.
    pub fn of_tree(mealy: Arc<Mealy>, tree: Trie) -> Self {
        let phases = vec![NONE; tree.len()];
        Plan { cover: tree, phases, ..Plan::new(mealy, 0) }
    }

    /// A word that is there in an earlier phase keeps it.
    pub fn add_cover(&mut self, word: &[u32], phase: u32) {
        let node = self.cover.insert(Trie::ROOT, word);
        self.phases.resize(self.cover.len(), NONE);
        let known = &mut self.phases[node as usize];
        *known = (*known).min(phase);
    }

    /// States with the same ends share a root.
    pub fn add_ends(&mut self, phase: u32, states: &[u32], words: &[Word]) {
        let root = self.ends.add_root();
        for word in words {
            self.ends.insert(root, word);
        }
        for &state in states {
            self.roots[phase as usize][state as usize] = root;
        }
    }

    pub fn walk(self: &Arc<Self>) -> Walk {
        Walk::new(self.clone())
    }

    /// The first test that another machine with the same inputs answers otherwise, up to that answer: inputs, and its outputs.
    pub fn detects(
        self: &Arc<Self>,
        other: &Mealy,
        watch: &mut Watch<'_>,
    ) -> Result<Option<(Word, Word)>, Stopped> {
        let mut walk = self.walk();
        // The other machine's states along the word; what is shared with the test before was answered rightly.
        let mut states = vec![other.initial];
        while walk.next(watch)? {
            states.truncate(walk.shared + 1);
            for at in states.len() - 1..walk.inputs.len() {
                let (output, state) = other.step(states[at], walk.inputs[at]);
                if output != walk.outputs[at] {
                    let mut outputs = walk.outputs[..at].to_vec();
                    outputs.push(output);
                    return Ok(Some((walk.inputs[..=at].to_vec(), outputs)));
                }
                states.push(state);
            }
        }
        Ok(None)
    }

    /// How many tests there are, and how many inputs they have.
    pub fn size(self: &Arc<Self>, watch: &mut Watch<'_>) -> Result<Size, Stopped> {
        let mut walk = self.walk();
        let mut known = Known::default();
        while walk.advance(Some(&mut known), watch)? {}
        Ok(walk.total)
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    pub tests: u128,
    pub inputs: u128,
}

impl Size {
    /// Of the tests below a child, as tests of its parent.
    fn add(&mut self, below: Size) {
        self.tests = self.tests.saturating_add(below.tests);
        self.inputs = self.inputs.saturating_add(below.inputs.saturating_add(below.tests));
    }
}

/// Sizes below words outside of the cover, by what they depend on.
#[derive(Default)]
struct Known {
    keys: Interner,
    sizes: Vec<Size>,
}

/// What the word so far may be the beginning of.
struct Frame {
    state: u32,
    /// The node of the cover, or NONE.
    cover: u32,
    /// By phase: how many more inputs the middle part may have, where the word so far is a word of the cover and a middle part.
    middle: [Option<u32>; PHASES],
    /// Where its nodes of `ends` begin, and its inputs that are still to be followed.
    ends: usize,
    children: usize,
    next_child: usize,
    size: Size,
    /// Its number among the keys, where its size is to be kept.
    key: u32,
}

pub struct Walk {
    plan: Arc<Plan>,
    frames: Vec<Frame>,
    ends: Vec<u32>,
    children: Vec<u32>,
    /// Inputs and outputs of the word so far.
    pub inputs: Word,
    pub outputs: Word,
    /// How many of its inputs the last test shares with the one before.
    pub shared: usize,
    total: Size,
    is_begun: bool,
    scratch: Vec<u32>,
}

impl Walk {
    fn new(plan: Arc<Plan>) -> Self {
        Walk {
            plan,
            frames: Vec::new(),
            ends: Vec::new(),
            children: Vec::new(),
            inputs: Vec::new(),
            outputs: Vec::new(),
            shared: 0,
            total: Size::default(),
            is_begun: false,
            scratch: Vec::new(),
        }
    }

    /// Goes on to the next test, which then stands in `inputs` and `outputs`; false where there is none.
    pub fn next(&mut self, watch: &mut Watch<'_>) -> Result<bool, Stopped> {
        self.advance(None, watch)
    }

    fn advance(&mut self, mut known: Option<&mut Known>, watch: &mut Watch<'_>) -> Result<bool, Stopped> {
        let mut shared = self.inputs.len();
        if !self.is_begun {
            self.is_begun = true;
            self.enter(self.plan.mealy.initial, Trie::ROOT, [None; PHASES], 0);
            if self.frames[0].children == self.children.len() {
                return Ok(self.leaf(shared));
            }
        } else if !self.frames.is_empty() {
            self.leave(known.as_deref_mut());
            shared = shared.min(self.inputs.len());
        }
        while let Some(frame) = self.frames.last_mut() {
            watch.step()?;
            if frame.next_child == self.children.len() {
                self.leave(known.as_deref_mut());
                shared = shared.min(self.inputs.len());
                continue;
            }
            let input = self.children[frame.next_child];
            frame.next_child += 1;
            if self.descend(input, known.as_deref_mut())? {
                return Ok(self.leaf(shared));
            }
        }
        Ok(false)
    }

    fn leaf(&mut self, shared: usize) -> bool {
        self.shared = shared;
        if let Some(frame) = self.frames.last_mut() {
            frame.size.tests = 1;
        }
        true
    }

    /// True where the word is a test. A word whose size is known is not entered.
    fn descend(&mut self, input: u32, known: Option<&mut Known>) -> Result<bool, Stopped> {
        let plan = &self.plan;
        let frame = self.frames.last().expect("there is a word so far");
        let (output, state) = plan.mealy.step(frame.state, input);
        let cover = match frame.cover {
            NONE => NONE,
            node => plan.cover.child(node, input).unwrap_or(NONE),
        };
        let middle = frame.middle.map(|more| more.and_then(|more| more.checked_sub(1)));
        let (from, to) = (frame.ends, self.ends.len());
        for at in from..to {
            if let Some(child) = plan.ends.child(self.ends[at], input) {
                self.ends.push(child);
            }
        }
        self.inputs.push(input);
        self.outputs.push(output);
        self.enter(state, cover, middle, to);
        if let Some(known) = known
            && cover == NONE
        {
            self.scratch.clear();
            self.scratch.push(state);
            self.scratch
                .extend(self.frames.last().expect("it was entered").middle.map(|more| more.unwrap_or(NONE)));
            self.scratch.extend_from_slice(&self.ends[to..]);
            let (key, is_new) = known.keys.intern(&self.scratch)?;
            let frame = self.frames.last_mut().expect("it was entered");
            if is_new {
                frame.key = key;
                known.sizes.push(Size::default());
            } else {
                frame.size = known.sizes[key as usize];
                self.leave(None);
                return Ok(false);
            }
        }
        let frame = self.frames.last().expect("it was entered");
        Ok(frame.children == self.children.len())
    }

    /// `ends`: where the nodes of the new word begin, which are there already but for those that begin with it.
    fn enter(&mut self, state: u32, cover: u32, mut middle: [Option<u32>; PHASES], ends: usize) {
        let plan = &self.plan;
        if cover != NONE && plan.phases[cover as usize] != NONE {
            middle[plan.phases[cover as usize] as usize] = Some(plan.extra);
        }
        let mut is_open = false;
        for (more, roots) in middle.iter().zip(&plan.roots) {
            if more.is_some() && roots[state as usize] != NONE {
                self.ends.push(roots[state as usize]);
            }
            is_open |= more.is_some_and(|more| more > 0);
        }
        self.ends[ends..].sort_unstable();
        let mut kept = ends;
        for at in ends..self.ends.len() {
            if at == ends || self.ends[at] != self.ends[kept - 1] {
                self.ends[kept] = self.ends[at];
                kept += 1;
            }
        }
        self.ends.truncate(kept);
        let children = self.children.len();
        if is_open {
            self.children.extend(0..plan.mealy.inputs() as u32);
        } else {
            if cover != NONE {
                self.children.extend(plan.cover.children(cover).iter().map(|child| child.0));
            }
            for &node in &self.ends[ends..] {
                self.children.extend(plan.ends.children(node).iter().map(|child| child.0));
            }
            self.children[children..].sort_unstable();
            let mut kept = children;
            for at in children..self.children.len() {
                if at == children || self.children[at] != self.children[kept - 1] {
                    self.children[kept] = self.children[at];
                    kept += 1;
                }
            }
            self.children.truncate(kept);
        }
        let (next_child, size, key) = (children, Size::default(), NONE);
        self.frames.push(Frame { state, cover, middle, ends, children, next_child, size, key });
    }

    /// Takes the last input back.
    fn leave(&mut self, known: Option<&mut Known>) {
        let frame = self.frames.pop().expect("a word is left once");
        if let Some(known) = known
            && frame.key != NONE
        {
            known.sizes[frame.key as usize] = frame.size;
        }
        self.ends.truncate(frame.ends);
        self.children.truncate(frame.children);
        self.inputs.pop();
        self.outputs.pop();
        match self.frames.last_mut() {
            Some(parent) => parent.size.add(frame.size),
            None => self.total = frame.size,
        }
    }
}
