//! Images of functions that conjuncts prescribe: `f(c) = E`, `f(c) : S`, and the same under `!x.(P => ..)`.
//!
//! A function whose points are all prescribed is found without listing its target, which may be infinite.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::evaluate::memory::{Halt, Memory};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op, Slot, Slots};
use crate::kinds::machine::plan::{Functions, Pattern, Required};
use crate::kinds::machine::values::Value;

/// What is prescribed, and whether more will be once other names are known.
pub struct Prescribed {
    pub required: Vec<Required>,
    pub more: bool,
}

impl Compiler<'_> {
    pub fn prescribed(&self, slot: Slot, unknown: &Slots, rest: &[Id]) -> Prescribed {
        let mut found = Prescribed { required: Vec::new(), more: false };
        for &id in rest {
            let arena = &self.code.arena;
            match arena.bare(id) {
                Node::Forall { binder, body } => {
                    let binder = &arena.binders[binder as usize];
                    if self.free(binder.condition).contains(slot) {
                        continue;
                    }
                    let parts = match arena.application(body) {
                        Some((Op::And, parts)) => parts,
                        _ => vec![body],
                    };
                    for part in parts {
                        self.prescription(
                            slot,
                            part,
                            (&binder.names, Some(binder.condition)),
                            unknown,
                            &mut found,
                        );
                    }
                }
                _ => self.prescription(slot, id, (&[], None), unknown, &mut found),
            }
        }
        found
    }

    fn prescription(
        &self,
        slot: Slot,
        part: Id,
        (names, condition): (&[Slot], Option<Id>),
        unknown: &Slots,
        found: &mut Prescribed,
    ) {
        let arena = &self.code.arena;
        let (sides, is_set) = match arena.bare(part) {
            Node::Binary(Op::Equal, a, b) => (vec![(a, b), (b, a)], false),
            Node::Binary(Op::Member, a, b) if !arena.info(b).is_infinite => (vec![(a, b)], true),
            _ => return,
        };
        for (applied, image) in sides {
            let Node::Binary(Op::Apply, function, argument) = arena.bare(applied) else { continue };
            let is_its = self.unknown_slot(function, unknown) == Some(slot);
            if !is_its || self.free(argument).contains(slot) || self.free(image).contains(slot) {
                continue;
            }
            let mut speaks_of = vec![argument, image];
            speaks_of.extend(condition);
            if speaks_of.iter().any(|&id| self.free(id).intersects(unknown)) {
                found.more = true;
                continue;
            }
            let Some(argument) = self.argument_pattern(argument, names) else { continue };
            found.required.push(Required { argument, condition, image, is_set });
        }
    }

    /// How all the names follow from the argument.
    fn argument_pattern(&self, argument: Id, names: &[Slot]) -> Option<Pattern> {
        if names.is_empty() {
            return Some(Pattern::Known(argument));
        }
        let mut wanted = Slots::default();
        names.iter().for_each(|&name| wanted.insert(name));
        let (pattern, binds) = self.pattern(argument, &wanted)?;
        (binds == wanted).then_some(pattern)
    }
}

impl Evaluator<'_> {
    /// The images that a point may have, where that is prescribed.
    pub fn prescribed(
        &self,
        job: &Functions,
        point: Value,
        targets: &[Value],
        m: &mut Memory,
    ) -> Answer<Option<Vec<Value>>> {
        for required in &job.required {
            match self.prescribed_by(required, point, m) {
                Ok(Some(mut images)) => {
                    let mut fits = Vec::with_capacity(images.len());
                    for image in images.drain(..) {
                        if targets.binary_search(&image).is_ok()
                            || job.is_wider && self.is_in(image, job.space, m)?
                        {
                            fits.push(image);
                        }
                    }
                    return Ok(Some(fits));
                }
                // The conjunct itself is asked later.
                Ok(None) | Err(Halt::Undefined | Halt::Unknown) => {}
                Err(halt) => return Err(halt),
            }
        }
        Ok(None)
    }

    fn prescribed_by(&self, required: &Required, point: Value, m: &mut Memory) -> Answer<Option<Vec<Value>>> {
        if !self.matches(&required.argument, point, m)? {
            return Ok(None);
        }
        if let Some(condition) = required.condition
            && !self.truth(condition, m)?
        {
            return Ok(None);
        }
        let image = self.value(required.image, m)?;
        Ok(Some(if required.is_set { self.values.elements(image).to_vec() } else { vec![image] }))
    }
}
