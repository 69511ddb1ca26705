//! Truth of conditions on a set or function that is still being built, where what is built so far decides.

use crate::kinds::machine::evaluate::memory::{Halt, Memory, Partial};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::{Id, Node, Op, Slot};
use crate::kinds::machine::operators::Undefined;
use crate::kinds::machine::operators::arithmetic::number;
use crate::kinds::machine::values::Value;

impl Evaluator<'_> {
    pub fn partial<'m>(&self, slot: Slot, m: &'m Memory) -> Option<&'m Partial> {
        m.partials.iter().rev().find(|partial| partial.slot == slot)
    }

    pub fn is_in_partial(&self, x: Value, slot: Slot, m: &mut Memory) -> Answer<bool> {
        let Some(partial) = self.partial(slot, m) else { return Err(Halt::Unknown) };
        let (element, image) = if partial.is_function { self.values.parts(x) } else { (x, Value::TRUE) };
        match self.values.elements(partial.domain).binary_search(&element) {
            Err(_) => Ok(false),
            Ok(at) => partial.images.get(at).map_or(Err(Halt::Unknown), |&decided| Ok(decided == image)),
        }
    }

    pub fn apply_partial(&self, id: Id, slot: Slot, x: Value, m: &mut Memory) -> Answer<Value> {
        let Some(partial) = self.partial(slot, m) else { return Err(Halt::Unknown) };
        if !partial.is_function {
            return Err(Halt::Unknown);
        }
        match self.values.elements(partial.domain).binary_search(&x) {
            Err(_) => Err(m.failed(id, Undefined::OutsideDomain)),
            Ok(at) => match partial.images.get(at) {
                None => Err(Halt::Unknown),
                Some(&Value::UNSET) => Err(m.failed(id, Undefined::OutsideDomain)),
                Some(&image) => Ok(image),
            },
        }
    }

    /// False where the number of elements of a set that is being built can no longer become this.
    pub fn card_may_be(&self, id: Id, wanted: Value, m: &mut Memory) -> Answer<bool> {
        let Node::Unary(Op::Card, set) = self.code.arena.bare(id) else { return Err(Halt::Unknown) };
        let Node::Slot(slot) = self.code.arena.node(set) else { return Err(Halt::Unknown) };
        let Some(partial) = self.partial(slot, m) else { return Err(Halt::Unknown) };
        let absent = if partial.is_function { Value::UNSET } else { Value::FALSE };
        let present = partial.images.iter().filter(|&&image| image != absent).count();
        let open = self.values.elements(partial.domain).len() - partial.images.len();
        let wanted = number(self.values, wanted);
        if wanted < present as i64 || wanted > (present + open) as i64 {
            Ok(false)
        } else {
            Err(Halt::Unknown)
        }
    }

    /// Inclusion where one side is being built: false as soon as an element is known to be missing.
    pub fn is_partial_subset(&self, a: Id, b: Id, m: &mut Memory) -> Answer<Option<bool>> {
        let arena = &self.code.arena;
        let open = |id: Id, m: &Memory| match arena.node(id) {
            Node::Slot(slot) => m.env[slot as usize] == Value::UNSET && self.partial(slot, m).is_some(),
            _ => false,
        };
        if open(a, m) && !open(b, m) {
            let Node::Slot(slot) = arena.node(a) else { return Ok(None) };
            let partial = self.partial(slot, m).expect("just asked");
            let absent = if partial.is_function { Value::UNSET } else { Value::FALSE };
            let domain = self.values.elements(partial.domain);
            let present: Vec<Value> = domain
                .iter()
                .zip(&partial.images)
                .filter(|(_, image)| **image != absent)
                .map(|(&x, &image)| if partial.is_function { self.values.pair(x, image) } else { x })
                .collect();
            for element in present {
                if !self.is_in(element, b, m)? {
                    return Ok(Some(false));
                }
            }
            return Err(Halt::Unknown);
        }
        if open(b, m) && !open(a, m) {
            let part = self.value(a, m)?;
            let mut unknown = false;
            for &element in self.values.elements(part) {
                match self.is_in(element, b, m) {
                    Ok(true) => {}
                    Ok(false) => return Ok(Some(false)),
                    Err(Halt::Unknown) => unknown = true,
                    Err(halt) => return Err(halt),
                }
            }
            return if unknown { Err(Halt::Unknown) } else { Ok(Some(true)) };
        }
        Ok(None)
    }
}
