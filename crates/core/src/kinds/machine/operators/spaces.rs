//! Membership in sets that are too large to be built: all functions from one set to another, all sequences over a set.

use super::super::values::{Value, Values};
use super::Scratch;
use super::relations::pairs;
use super::sequences::items;
use super::sets::contains;

/// What a space of relations asks of its members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Arrow {
    /// At most one image for each left side.
    pub functional: bool,
    /// An image for each element of the first set.
    pub total: bool,
    /// No image twice.
    pub injective: bool,
    /// Each element of the second set is an image.
    pub surjective: bool,
}

impl Arrow {
    pub const RELATIONS: Arrow =
        Arrow { functional: false, total: false, injective: false, surjective: false };
    pub const PARTIAL: Arrow = Arrow { functional: true, ..Arrow::RELATIONS };
    pub const TOTAL: Arrow = Arrow { total: true, ..Arrow::PARTIAL };

    /// By the name of the operator that makes the space.
    pub fn named(name: &str) -> Option<Arrow> {
        let (total, name) = match name.strip_prefix("total-") {
            Some(rest) => (true, rest),
            None => (false, name.strip_prefix("partial-").unwrap_or(name)),
        };
        let arrow = match name {
            "relations" => Arrow::RELATIONS,
            "surjective-relations" => Arrow { surjective: true, ..Arrow::RELATIONS },
            "functions" => Arrow::PARTIAL,
            "injections" => Arrow { injective: true, ..Arrow::PARTIAL },
            "surjections" => Arrow { surjective: true, ..Arrow::PARTIAL },
            "bijections" => Arrow { injective: true, surjective: true, ..Arrow::PARTIAL },
            _ => return None,
        };
        Some(Arrow { total, ..arrow })
    }

    /// Is the relation in the space between two finite sets?
    pub fn contains(
        self,
        values: &Values,
        scratch: &mut Scratch,
        relation: Value,
        from: Value,
        to: Value,
    ) -> bool {
        let (sources, targets) = (values.elements(from), values.elements(to));
        pairs(values, relation).all(|(left, right)| contains(sources, left) && contains(targets, right))
            && self.allows(values, scratch, relation, Some(sources.len()), Some(targets.len()))
    }

    /// The same where all left sides are known to be in the first set and all right sides in the second one, of which only
    /// the sizes count (none: infinite).
    pub fn allows(
        self,
        values: &Values,
        scratch: &mut Scratch,
        relation: Value,
        sources: Option<usize>,
        targets: Option<usize>,
    ) -> bool {
        let size = values.elements(relation).len();
        if self.functional || self.total {
            let lefts = distinct(values, scratch, relation, |(left, _)| left);
            if (self.functional && lefts != size) || (self.total && sources != Some(lefts)) {
                return false;
            }
        }
        if self.injective || self.surjective {
            let rights = distinct(values, scratch, relation, |(_, right)| right);
            if (self.injective && rights != size) || (self.surjective && targets != Some(rights)) {
                return false;
            }
        }
        true
    }
}

/// How many different sides the pairs have.
fn distinct(
    values: &Values,
    scratch: &mut Scratch,
    relation: Value,
    side: impl Fn((Value, Value)) -> Value,
) -> usize {
    let mut sides = scratch.take();
    sides.extend(pairs(values, relation).map(side));
    sides.sort_unstable();
    sides.dedup();
    let count = sides.len();
    scratch.give(sides);
    count
}

/// What a space of sequences asks of its members.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Sequences {
    Any,
    NotEmpty,
    /// No item twice.
    Injective,
    InjectiveNotEmpty,
    /// Each element of the set once.
    Permutations,
}

impl Sequences {
    pub fn named(name: &str) -> Option<Sequences> {
        Some(match name {
            "sequences" => Sequences::Any,
            "sequences-1" => Sequences::NotEmpty,
            "injective-sequences" => Sequences::Injective,
            "injective-sequences-1" => Sequences::InjectiveNotEmpty,
            "permutations" => Sequences::Permutations,
            _ => return None,
        })
    }

    pub fn is_injective(self) -> bool {
        !matches!(self, Sequences::Any | Sequences::NotEmpty)
    }

    pub fn wants_items(self) -> bool {
        matches!(self, Sequences::NotEmpty | Sequences::InjectiveNotEmpty)
    }

    /// Is the value such a sequence over a finite set?
    pub fn contains(self, values: &Values, scratch: &mut Scratch, sequence: Value, over: Value) -> bool {
        let choices = values.elements(over);
        pairs(values, sequence).all(|(_, item)| contains(choices, item))
            && self.allows(values, scratch, sequence, Some(choices.len()))
    }

    /// The same where all items are known to be in the set, of which only the size counts (none: infinite).
    pub fn allows(
        self,
        values: &Values,
        scratch: &mut Scratch,
        sequence: Value,
        over: Option<usize>,
    ) -> bool {
        let mut list = scratch.take();
        let mut answer = items(values, sequence, &mut list) && !(self.wants_items() && list.is_empty());
        if answer && self.is_injective() {
            let size = list.len();
            list.sort_unstable();
            list.dedup();
            answer = list.len() == size && (self != Sequences::Permutations || over == Some(size));
        }
        scratch.give(list);
        answer
    }
}

/// Is each field of the record in its set?
pub fn in_records(values: &Values, record: Value, sets: &[Value]) -> bool {
    let fields = values.fields(record);
    fields.len() == sets.len()
        && fields.iter().zip(sets).all(|(&field, &set)| contains(values.elements(set), field))
}
