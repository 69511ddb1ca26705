//! The law of a symmetry g on one state s: step(g s, g a) = g step(s, a), and the properties say the same of s and g s.
//!
//! In: a generator and a state. Out: nothing, or a `Contradiction`. Labels need no images for this: what all labels of g s do,
//! taken together, must be the image of what all labels of s do. Where g fixes s and steps are pruned, the images of labels
//! that pruning goes by are compared as well.

use std::ops::ControlFlow;

use crate::canon::Canonicaliser;
use crate::model::{ERROR, Label, Model, Step};
use crate::random::mix;
use crate::schema::Overflow;
use crate::steps::{Event, each_step};
use crate::visited::hash_words;

/// How a generator fails to be a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contradiction {
    /// Its number among the generators of the canonicaliser.
    pub generator: usize,
    pub state: Vec<u64>,
    /// The image of the state.
    pub image: Vec<u64>,
    pub difference: Difference,
    /// How many labels are enabled in the state and in its image.
    pub enabled: (usize, usize),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Difference {
    /// What this label does in the state, no label does in the image.
    OnlyInState(Label, Effect),
    /// What this label does in the image, no label does in the state.
    OnlyInImage(Label, Effect),
    /// The generator fixes the state, and these labels, taken for images of each other, do different things.
    Labels(Label, Label),
    /// A property is violated (a goal: satisfied) in one of them only: in the state?
    Verdict { property: usize, in_state: bool },
    /// A property is covered by one of them and its steps only: by the state?
    Cover { property: usize, in_state: bool },
}

/// What becomes of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    Fired(Step),
    /// Whether it is enabled cannot be said: asking violates the property of this number.
    FailsInGuard(usize),
}

#[derive(Clone, Copy)]
struct Outcome {
    /// Of the effect, the successor and the multiplicity: equal where these are.
    hash: u64,
    label: Label,
    effect: Effect,
}

/// What is compared of a state and its image.
#[derive(Default)]
struct Findings {
    /// Ascending by hash.
    outcomes: Vec<Outcome>,
    enabled: usize,
    /// Ascending.
    judged: Vec<usize>,
    covered: Vec<usize>,
}

/// The check with its buffers.
pub struct Law<'a, M: Model, C> {
    model: &'a M,
    canonicaliser: &'a C,
    prunes: bool,
    workspace: M::Workspace,
    /// The generator at hand, by images.
    element: Vec<u32>,
    image: Vec<u64>,
    next_image: Vec<u64>,
    of_state: Findings,
    of_image: Findings,
}

impl<'a, M: Model, C: Canonicaliser> Law<'a, M, C> {
    pub fn new(model: &'a M, canonicaliser: &'a C, prunes: bool) -> Self {
        let slots = model.schema().slots().len();
        Law {
            model,
            canonicaliser,
            prunes,
            workspace: model.workspace(),
            element: Vec::new(),
            image: vec![0; slots],
            next_image: vec![0; slots],
            of_state: Findings::default(),
            of_image: Findings::default(),
        }
    }

    /// Does the law hold for this generator in this state? An overflow: a value of a successor fits no slot.
    pub fn check(&mut self, generator: usize, state: &[u64]) -> Result<Option<Contradiction>, Overflow> {
        let mut image = std::mem::take(&mut self.image);
        self.canonicaliser.generator(generator).write_images(&mut self.element);
        self.canonicaliser.moved_by(&self.element, state, &mut image);
        let found = self.compare(generator, state, &image);
        self.image = image;
        found
    }

    fn compare(
        &mut self,
        generator: usize,
        state: &[u64],
        image: &[u64],
    ) -> Result<Option<Contradiction>, Overflow> {
        let of_state = std::mem::take(&mut self.of_state);
        self.of_state = self.find(state, true, of_state)?;
        let of_image = std::mem::take(&mut self.of_image);
        self.of_image = self.find(image, false, of_image)?;
        let difference =
            difference(&self.of_state, &self.of_image).or_else(|| self.wrong_label(state, image));
        Ok(difference.map(|difference| Contradiction {
            generator,
            state: state.to_vec(),
            image: image.to_vec(),
            difference,
            enabled: (self.of_state.enabled, self.of_image.enabled),
        }))
    }

    /// What happens in a state; `moves`: successors are moved by the generator first.
    fn find(&mut self, values: &[u64], moves: bool, mut found: Findings) -> Result<Findings, Overflow> {
        let Law { model, canonicaliser, workspace, next_image, element, .. } = self;
        let Findings { outcomes, judged, .. } = &mut found;
        outcomes.clear();
        judged.clear();
        model.forget_covered(workspace);
        let mut too_large = None;
        let enabled = each_step(*model, values, workspace, &mut |tried| {
            let (label, is_first) = (tried.first(), tried.path.is_empty());
            let successor = match (tried.event, moves) {
                (Event::Ended(Step::Taken), true) => {
                    canonicaliser.moved_by(element, tried.next, next_image);
                    &**next_image
                }
                (Event::Ended(Step::Taken), false) => tried.next,
                _ => &[],
            };
            let (kind, property, effect) = match tried.event {
                Event::Ended(Step::Taken) => (0, 0, Effect::Fired(Step::Taken)),
                Event::Ended(Step::Discarded) => (1, 0, Effect::Fired(Step::Discarded)),
                Event::Ended(Step::Impossible) => (2, 0, Effect::Fired(Step::Impossible)),
                Event::Ended(Step::Failed(property)) => (3, property, Effect::Fired(Step::Failed(property))),
                Event::FailsInGuard(property) if is_first => (4, property, Effect::FailsInGuard(property)),
                Event::FailsInGuard(property) => (4, property, Effect::Fired(Step::Failed(property))),
                Event::Noted(property) => (5, property, Effect::Fired(Step::Failed(property))),
                Event::Endless => {
                    // Which other sequences came first depends on the order of labels.
                    outcomes.retain(|outcome: &Outcome| outcome.label != label);
                    (6, ERROR, Effect::Fired(Step::Failed(ERROR)))
                }
                Event::TooLarge(overflow) => {
                    too_large = Some(overflow);
                    return ControlFlow::Break(());
                }
            };
            let about = hash_words(&[kind, property as u64, model.multiplicity(label)]);
            outcomes.push(Outcome { hash: mix(about ^ hash_words(successor)), label, effect });
            ControlFlow::Continue(())
        });
        if let Some(overflow) = too_large {
            return Err(overflow);
        }
        outcomes.sort_unstable_by_key(|outcome| outcome.hash);
        model.judge(values, workspace, &mut |property| judged.push(property));
        judged.sort_unstable();
        judged.dedup();
        found.enabled = enabled;
        found.covered = model.covered(workspace);
        Ok(found)
    }

    /// Labels that pruning takes for images of each other, and that are not.
    fn wrong_label(&mut self, state: &[u64], image: &[u64]) -> Option<Difference> {
        if !self.prunes || state != image {
            return None;
        }
        let fired = |outcome: &&Outcome| matches!(outcome.effect, Effect::Fired(_));
        // A label may begin several sequences: what all of them do is compared together.
        let all = |found: &Findings, label: Label| {
            let of_label = found.outcomes.iter().filter(fired).filter(|outcome| outcome.label == label);
            of_label.map(|outcome| outcome.hash).reduce(u64::wrapping_add)
        };
        for outcome in self.of_state.outcomes.iter().filter(fired) {
            let label = self.model.image(&self.element, outcome.label, &mut self.workspace);
            if label == outcome.label {
                continue;
            }
            let image = all(&self.of_image, label);
            if image.is_some() && image != all(&self.of_state, outcome.label) {
                return Some(Difference::Labels(outcome.label, label));
            }
        }
        None
    }
}

fn difference(state: &Findings, image: &Findings) -> Option<Difference> {
    if let Some(outcome) = first_beyond(&state.outcomes, &image.outcomes) {
        return Some(Difference::OnlyInState(outcome.label, outcome.effect));
    }
    if let Some(outcome) = first_beyond(&image.outcomes, &state.outcomes) {
        return Some(Difference::OnlyInImage(outcome.label, outcome.effect));
    }
    if let Some((property, in_state)) = first_in_one(&state.judged, &image.judged) {
        return Some(Difference::Verdict { property, in_state });
    }
    let (property, in_state) = first_in_one(&state.covered, &image.covered)?;
    Some(Difference::Cover { property, in_state })
}

/// The first outcome that is more often in `some` than in `others`; both ascend by hash.
fn first_beyond(some: &[Outcome], others: &[Outcome]) -> Option<Outcome> {
    let mut others = others.iter().peekable();
    for outcome in some {
        while others.next_if(|other| other.hash < outcome.hash).is_some() {}
        if others.next_if(|other| other.hash == outcome.hash).is_none() {
            return Some(*outcome);
        }
    }
    None
}

/// The first number that is in one list only, and whether that is the first list.
fn first_in_one(a: &[usize], b: &[usize]) -> Option<(usize, bool)> {
    let only_a = a.iter().find(|number| !b.contains(number)).map(|&number| (number, true));
    only_a.or_else(|| b.iter().find(|number| !a.contains(number)).map(|&number| (number, false)))
}
