//! Expanding states: which atoms hold in them, which edges they have. Also once more, where edges are not kept.

use super::atoms::{StateAtom, Steps};
use super::edge_lists::{EdgeLists, FairEdge};
use super::structure::{AtomTable, Structure};
use crate::canon::Canonicaliser;
use crate::model::{ERROR, PackedModel, Start, Step};
use crate::quotient::{Detail, Quotient, Unfinished};
use crate::visited::{Inserted, Link, StateId, Visited, hash_words};

/// States are numbered below this, and so are places in the lists of edges.
const MAX_NUMBER: u64 = u32::MAX as u64;

/// What the edges of one state have in common.
#[derive(Default)]
struct Seen {
    /// All that `Steps` says of some enabled step.
    classes: u64,
    leaves: bool,
    ends: bool,
}

impl Structure {
    /// Stores the states in which runs begin. States before these (constants are set up, variables are not) are expanded.
    pub fn enter<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        starts: &[Start],
        steps: &mut Steps<'_>,
    ) -> Result<(), Unfinished> {
        self.initial.clear();
        self.before.clear();
        for start in starts {
            self.has_failed |= start.noted.iter().any(|&property| quotient.model.is_limit(property));
            if !quotient.start(start)? {
                self.has_failed |= matches!(start.step, Step::Failed(_));
                continue;
            }
            let (Inserted::Fresh(id) | Inserted::Known(id)) =
                quotient.insert(&self.visited, Link::Initial)?
            else {
                return Err(Unfinished::Full);
            };
            self.make_room(id)?;
            if quotient.model.run_begins(&start.values) {
                self.initial.push(id.0 as u32);
            } else {
                self.before.push((id.0 as u32, Vec::new()));
            }
        }
        for at in 0..self.before.len() {
            let state = self.before[at].0;
            self.expand(quotient, steps, &[state])?;
            self.fire_again(quotient, steps, state)?;
            let targets = self.edges(state).map_or(Vec::new(), |edges| edges.targets.to_vec());
            self.initial.extend_from_slice(&targets);
            self.before[at].1 = targets;
        }
        self.initial.sort_unstable();
        self.initial.dedup();
        Ok(())
    }

    fn make_room(&mut self, state: StateId) -> Result<(), Unfinished> {
        if state.0 >= MAX_NUMBER {
            return Err(Unfinished::Full);
        }
        let count = state.0 as usize + 1;
        if self.is_expanded.universe() < count {
            self.is_expanded.grow(count);
            self.ends.grow(count);
            self.bits.resize(count * self.atoms.words, 0);
            if self.keeps_edges {
                self.first.resize(count, 0);
            }
        }
        Ok(())
    }

    /// Finds the edges of states that are not expanded, and the atoms that hold in them. Where it cannot be finished, nothing is
    /// kept but new states that are not expanded.
    pub fn expand<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        states: &[u32],
    ) -> Result<(), Unfinished> {
        let mut lists = std::mem::take(&mut self.kept);
        let begin = lists.end();
        let found = self.find_edges(quotient, steps, states, &mut lists, true);
        if found.is_ok() {
            self.note_expanded(states, &lists, begin);
        }
        if found.is_err() || !self.keeps_edges {
            lists.truncate(begin);
        }
        self.kept = lists;
        if self.kept.end() as u64 >= MAX_NUMBER / 2 {
            self.forget_edges();
        }
        found
    }

    fn note_expanded(&mut self, states: &[u32], lists: &EdgeLists, begin: usize) {
        let mut place = begin;
        for &state in states {
            let count = lists.at(place, &[]).targets.len();
            self.is_expanded.insert(state);
            if count == 0 {
                self.ends.insert(state);
            }
            if self.keeps_edges {
                self.first[state as usize] = place as u32;
            }
            self.expanded += 1;
            self.edges += count as u64;
            place += count + 1;
        }
    }

    /// Makes the edges of an expanded state known for now, where they are not kept.
    pub fn fire_again<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        state: u32,
    ) -> Result<(), Unfinished> {
        if self.keeps_edges || self.recent.get(state, &[]).is_some() {
            return Ok(());
        }
        let mut lists = self.recent.take(state);
        self.find_edges(quotient, steps, &[state], &mut lists, false)?;
        self.recent.put(state, lists);
        Ok(())
    }

    /// Appends the edges of states to the lists. `is_new`: their atoms are noted, too.
    fn find_edges<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        states: &[u32],
        lists: &mut EdgeLists,
        is_new: bool,
    ) -> Result<(), Unfinished> {
        if !quotient.reduces() && steps.fairness.is_none() {
            return self.find_together(quotient, steps, states, lists, is_new);
        }
        states.iter().try_for_each(|&state| self.find_with_detail(quotient, steps, state, lists, is_new))
    }

    /// Without reduction, successors are collected and stored together: look-ups in a large set then wait for memory together.
    fn find_together<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        states: &[u32],
        lists: &mut EdgeLists,
        is_new: bool,
    ) -> Result<(), Unfinished> {
        let begin = lists.end();
        self.pending.clear();
        for &state in states {
            let (id, place) = (StateId(u64::from(state)), lists.end());
            quotient.open(&self.visited, id)?;
            lists.begin();
            let mut seen = Seen::default();
            while let Some(successor) = quotient.next_successor()? {
                let class = steps.class(successor.label, quotient.values());
                seen.classes |= class;
                seen.leaves |= self.atoms.reads_loops && !quotient.is_back();
                lists.push(0, self.class_number(class)?, None);
                let words = quotient.successor();
                self.pending.push(hash_words(words), words, id, successor.label);
            }
            quotient.check_cancelled()?;
            seen.ends = lists.finish(place) == 0;
            if is_new {
                self.evaluate(quotient, state, &seen);
            }
        }
        let (mut filler, mut largest, mut is_full) = (lists.filler(begin), None, false);
        self.visited.insert_all(&mut self.pending, |_, _, inserted| match inserted {
            Inserted::Fresh(id) | Inserted::Known(id) => {
                largest = largest.max(Some(id));
                filler.put(id.0 as u32);
            }
            Inserted::Full => is_full = true,
        });
        largest.map_or(Ok(()), |id| self.make_room(id))?;
        if is_full { Err(Unfinished::Full) } else { Ok(()) }
    }

    fn find_with_detail<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        steps: &mut Steps<'_>,
        state: u32,
        lists: &mut EdgeLists,
        is_new: bool,
    ) -> Result<(), Unfinished> {
        let detail = match (&steps.fairness, self.atoms.reads_loops) {
            (Some(_), _) => Detail::Witnesses,
            (None, true) => Detail::Redirections,
            (None, false) => Detail::Targets,
        };
        let (mut seen, mut largest) = (Seen::default(), None);
        let (mut is_full, mut has_witnesses) = (false, true);
        let (id, place) = (StateId(u64::from(state)), lists.end());
        lists.begin();
        let Structure { visited, classes, taken, .. } = self;
        quotient.edges(visited, id, detail, |edge| {
            let class = steps.class(edge.label, edge.source);
            seen.classes |= class;
            seen.leaves |= edge.is_redirected || edge.target != id;
            largest = largest.max(Some(edge.target));
            let number = (*taken != 0).then(|| classes.number(class & *taken));
            is_full |= matches!(number, Some(Err(_)));
            let fair = steps.fairness.as_mut().map(|fairness| {
                has_witnesses &= edge.witness.is_some();
                let witness = fairness.element(edge.witness.unwrap_or_default());
                FairEdge { acting: fairness.acting_along(edge.labels(), edge.source), witness }
            });
            lists.push(edge.target.0 as u32, number.and_then(Result::ok), fair);
        })?;
        largest.map_or(Ok(()), |id| self.make_room(id))?;
        if is_full {
            return Err(Unfinished::Full);
        }
        seen.ends = lists.finish(place) == 0;
        self.lacks_witnesses |= !has_witnesses;
        if is_new {
            self.evaluate(quotient, state, &seen);
        }
        Ok(())
    }

    /// The number of what formulas see of a step; None where they see nothing of any.
    #[inline]
    fn class_number(&mut self, class: u64) -> Result<Option<u16>, Unfinished> {
        if self.taken == 0 { Ok(None) } else { self.classes.number(class & self.taken).map(Some) }
    }

    /// Notes the atoms that hold in the state that was just opened.
    fn evaluate<M: PackedModel, C: Canonicaliser>(
        &mut self,
        quotient: &mut Quotient<'_, M, C>,
        state: u32,
        seen: &Seen,
    ) {
        self.has_failed |= quotient.expansion().is_wrong;
        let from = state as usize * self.atoms.words;
        let Structure { bits, atoms, has_failed, initial, .. } = self;
        let bits = &mut bits[from..from + atoms.words];
        quotient.judge(&mut |property| {
            *has_failed |= property == ERROR;
            match atoms.of_property.get(property) {
                None | Some(&AtomTable::NONE) => {}
                Some(&atom) => bits[atom as usize / 64] |= 1 << (atom % 64),
            }
        });
        for &(number, atom) in &atoms.others {
            let holds = match atom {
                StateAtom::Satisfied(_) => continue,
                StateAtom::Enabled(class) => seen.classes & class != 0,
                StateAtom::Ends => seen.ends,
                StateAtom::Sink => !seen.leaves,
                StateAtom::Initial => initial.binary_search(&state).is_ok(),
            };
            bits[number / 64] |= u64::from(holds) << (number % 64);
        }
    }
}
