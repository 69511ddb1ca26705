//! Steps through transient states: from a stored state by a sequence of labels to the next stored one.
//!
//! In: the open state. Out: one successor for each sequence, in the order of a search that goes depth first and remembers no
//! state: sequences that meet are not merged, and each is a transition of its own. States on the way are neither stored nor
//! replaced by representatives, so traces find them again. Where the states of a sequence repeat themselves, or it becomes very
//! long, that is an error of the model. The buffers of states on the way are kept: a step allocates nothing.

use super::{POLL_INTERVAL, Quotient, SEVERAL, Successor, Unfinished};
use crate::canon::Canonicaliser;
use crate::model::{ERROR, Label, MAX_SEQUENCE, PackedModel, Step};

/// A transient state some of whose labels were not fired yet.
#[derive(Default)]
struct Frame {
    packed: Vec<u64>,
    values: Vec<u64>,
    labels: Vec<Label>,
    next: usize,
    /// How many labels lead to it.
    depth: usize,
    happens: bool,
    asked_idle: bool,
}

#[derive(Default)]
pub(super) struct Sequences {
    frames: Vec<Frame>,
    /// Frames in use, the first ones.
    open: usize,
    /// The frame whose state the model was asked about last, counted from 1; 0 for the stored state.
    asked: usize,
    /// The frame whose label was fired last, counted so.
    fired: usize,
    /// The labels so far, from the stored state on.
    path: Vec<Label>,
    /// Of the first label.
    times: u64,
    /// Transitions counted before it.
    counted: u64,
    /// By k: the state after 2^k labels, where there are so many.
    marks: Vec<Vec<u64>>,
    steps: usize,
    /// By label: how often it was fired in a transient state.
    firings: Vec<u64>,
}

impl Sequences {
    pub fn clear(&mut self) {
        self.open = 0;
        self.asked = 0;
    }
}

impl<M: PackedModel, C: Canonicaliser> Quotient<'_, M, C> {
    /// The labels that led to the successor at hand from the open state, in models with transient states.
    pub(super) fn sequence(&self) -> &[Label] {
        &self.sequences.path
    }

    /// By label: in how many transient states it was fired.
    pub fn firings_inside(&self) -> &[u64] {
        &self.sequences.firings
    }

    /// As `next_successor`, for models with transient states.
    pub(super) fn next_sequence(&mut self) -> Result<Option<Successor>, Unfinished> {
        loop {
            self.sequences.steps += 1;
            if self.sequences.steps.is_multiple_of(POLL_INTERVAL) {
                self.check_cancelled()?;
            }
            let step = if self.sequences.open == 0 {
                let Some(step) = self.fire_first()? else { return Ok(None) };
                step
            } else {
                let Some(step) = self.fire_inside()? else { continue };
                step
            };
            if step == Step::Taken && self.model.is_transient_packed(&self.successor) {
                self.pass()?;
                continue;
            }
            if step != Step::Impossible || self.model.counts_impossible() {
                let counted = &mut self.expansion.more_transitions;
                *counted = counted.wrapping_add(self.sequences.times);
            }
            let label = self.sequences.path[0];
            match step {
                Step::Impossible => continue,
                Step::Discarded => self.expansion.leads_on = true,
                Step::Failed(property) => self.fail(property),
                Step::Taken => {
                    let is_loop = self.model.stuttering_is_dead() && self.is_back();
                    self.expansion.leads_on |= !is_loop;
                    let made_by = if self.sequences.path.len() == 1 { label } else { SEVERAL };
                    return Ok(Some(Successor { label, made_by, times: self.sequences.times, is_loop }));
                }
            }
        }
    }

    fn fail(&mut self, property: usize) {
        self.expansion.failures.push((self.sequences.path[0], property));
        self.expansion.is_wrong = true;
        self.expansion.leads_on |= self.model.failing_leads_on();
    }

    /// Fires the next label of the stored state; None where there is none.
    fn fire_first(&mut self) -> Result<Option<Step>, Unfinished> {
        let at = loop {
            if self.next >= self.labels.len() && (!self.has_idle || !self.add_idle()?) {
                return Ok(None);
            }
            self.next += 1;
            if !self.reduces || self.times[self.next - 1] > 0 {
                break self.next - 1;
            }
        };
        let label = self.labels[at];
        let sequences = &mut self.sequences;
        sequences.times = if self.reduces { self.times[at] } else { self.model.multiplicity(label) };
        sequences.path.clear();
        sequences.path.push(label);
        // Every enabled label is counted as one transition already.
        sequences.counted = self.expansion.more_transitions;
        self.expansion.more_transitions = sequences.counted.wrapping_sub(sequences.times);
        if sequences.asked != 0 {
            sequences.asked = 0;
            self.model.resume(&mut self.workspace);
        }
        let state = (self.values.as_slice(), self.packed.as_slice());
        let step = self.model.fire_packed(state, label, &mut self.successor, &mut self.workspace)?;
        if self.notes && step != Step::Impossible {
            self.take_notes(label);
        }
        self.expansion.happens |= step != Step::Impossible;
        Ok(Some(step))
    }

    /// Fires the next label of the last transient state; None where there is none, and the state is left.
    fn fire_inside(&mut self) -> Result<Option<Step>, Unfinished> {
        let Quotient { model, sequences, workspace, successor, expansion, has_idle, .. } = self;
        let Sequences { frames, open, asked, fired, path, firings, times, .. } = sequences;
        let frame = &mut frames[*open - 1];
        if frame.next == frame.labels.len() && *has_idle && !frame.happens && !frame.asked_idle {
            frame.asked_idle = true;
            *asked = *open;
            let first = path[0];
            model.idle(&frame.values, workspace, &mut frame.labels, &mut |_, property| {
                expansion.failures.push((first, property));
                frame.happens = true;
            });
            expansion.leads_on |= frame.happens && model.failing_leads_on();
            expansion.is_wrong |= frame.happens;
        }
        if frame.next == frame.labels.len() {
            if frame.labels.is_empty() {
                // The sequence ends here, and is one.
                expansion.more_transitions = expansion.more_transitions.wrapping_add(*times);
            }
            *open -= 1;
            return Ok(None);
        }
        let label = frame.labels[frame.next];
        frame.next += 1;
        path.truncate(frame.depth);
        path.push(label);
        count(firings, label, *times);
        if *asked != *open {
            *asked = *open;
            model.resume(workspace);
        }
        let step = model.fire_packed((&frame.values, &frame.packed), label, successor, workspace)?;
        frame.happens |= step != Step::Impossible;
        *fired = *open;
        if frame.happens && frame.next == frame.labels.len() {
            // Nothing comes back to it: a sequence without choices needs one frame, however long it is.
            *open -= 1;
        }
        if self.notes && step != Step::Impossible {
            self.take_notes(self.sequences.path[0]);
        }
        Ok(Some(step))
    }

    /// Goes into the transient successor at hand.
    fn pass(&mut self) -> Result<(), Unfinished> {
        self.written = None;
        let Quotient { model, sequences, workspace, successor, successor_values, expansion, .. } = self;
        let depth = sequences.path.len();
        let values = if depth == 1 { &self.values } else { &sequences.frames[sequences.fired - 1].values };
        model.values_after(values, sequences.path[depth - 1], successor, successor_values, workspace);
        if depth > MAX_SEQUENCE || is_repeated(&mut sequences.marks, depth, successor) {
            // What else begins with the first label is left out, and counts as one transition.
            sequences.open = 0;
            expansion.more_transitions = sequences.counted;
            self.fail(ERROR);
            return Ok(());
        }
        if sequences.frames.len() == sequences.open {
            sequences.frames.push(Frame::default());
        }
        let frame = &mut sequences.frames[sequences.open];
        sequences.open += 1;
        sequences.asked = sequences.open;
        frame.packed.clone_from(successor);
        frame.values.clone_from(successor_values);
        frame.labels.clear();
        (frame.next, frame.depth, frame.asked_idle, frame.happens) = (0, depth, false, false);
        let first = sequences.path[0];
        model.enabled(&frame.values, workspace, &mut frame.labels, &mut |_, property| {
            expansion.failures.push((first, property));
            frame.happens = true;
        });
        if model.has_given_up() {
            return Err(Unfinished::GaveUp);
        }
        expansion.leads_on |= frame.happens && model.failing_leads_on();
        expansion.is_wrong |= frame.happens;
        Ok(())
    }
}

fn count(firings: &mut Vec<u64>, label: Label, times: u64) {
    if firings.len() <= label as usize {
        firings.resize(label as usize + 1, 0);
    }
    firings[label as usize] += times;
}

/// Is the state after so many labels that after the largest power of two of them before? (Brent 1980: if states repeat
/// themselves, sooner or later it is.) Notes the state where it comes after a power of two itself.
fn is_repeated(marks: &mut Vec<Vec<u64>>, depth: usize, state: &[u64]) -> bool {
    let before = (depth - 1).checked_ilog2();
    let is_repeated = before.is_some_and(|k| marks[k as usize] == state);
    if depth.is_power_of_two() {
        let k = depth.ilog2() as usize;
        if marks.len() == k {
            marks.push(Vec::new());
        }
        marks[k].clear();
        marks[k].extend_from_slice(state);
    }
    is_repeated
}

#[cfg(test)]
mod tests {
    use super::is_repeated;

    /// After how many labels it is seen that states repeat themselves, `period` after `begin`.
    fn seen_after(begin: usize, period: usize) -> Option<usize> {
        let mut marks = Vec::new();
        let state =
            |depth: usize| [if depth < begin { depth } else { begin + (depth - begin) % period } as u64];
        (1..1000).find(|&depth| is_repeated(&mut marks, depth, &state(depth)))
    }

    #[test]
    fn repetition_is_seen_soon_and_only_where_there_is_one() {
        for begin in 1..20 {
            for period in 1..20 {
                let seen = seen_after(begin, period).expect("states are repeated");
                assert!(seen >= begin + period && seen <= 4 * (begin + period));
            }
        }
        assert_eq!(seen_after(1000, 1), None);
    }

    #[test]
    fn marks_of_another_branch_do_not_count() {
        let mut marks = Vec::new();
        for depth in 1..9 {
            assert!(!is_repeated(&mut marks, depth, &[depth as u64]));
        }
        // Back after three labels, and on by others.
        assert!(!is_repeated(&mut marks, 4, &[8]));
        assert!(!is_repeated(&mut marks, 5, &[40]));
        assert!(is_repeated(&mut marks, 6, &[8]));
    }
}
