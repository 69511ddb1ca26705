//! How permutations of points act on the slots of a typed state: what symmetry needs to know of the schema.
//!
//! Points are the elements of all sorts. A slot may lie on axes, one for each array around it that is indexed by points: a
//! permutation moves it along them. A slot may hold points as values: a permutation renames them. Slots of bags also move
//! because the entries of a bag are kept sorted.

/// Along an axis, positions 0, 1, ... belong to these points.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Axis {
    pub points: Vec<u32>,
    /// Slots between neighbouring positions.
    pub stride: u32,
}

#[derive(Clone, Debug)]
pub struct SlotShape {
    /// Equal for slots that differ in the points along their axes, or in the entry of their bag, alone.
    pub family: u32,
    /// (axis, position), outermost first.
    pub axes: Vec<(u32, u32)>,
    /// Which value map says what the slot's codes mean; None: nothing that a permutation could rename.
    pub values: Option<u32>,
}

/// By code: the point it stands for, or `NO_POINT`.
pub type ValueMap = Vec<u32>;
pub const NO_POINT: u32 = u32::MAX;

/// A multiset in fixed slots: each entry has a slot that says whether it is present, then those of its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bag {
    pub first: u32,
    /// Slots of one entry.
    pub width: u32,
    pub capacity: u32,
}

#[derive(Clone, Debug, Default)]
pub struct Shape {
    pub points: usize,
    pub axes: Vec<Axis>,
    pub maps: Vec<ValueMap>,
    pub slots: Vec<SlotShape>,
    /// Inner ones first.
    pub bags: Vec<Bag>,
}

impl Bag {
    pub fn slots(&self) -> std::ops::Range<usize> {
        self.first as usize..(self.first + self.width * self.capacity) as usize
    }

    /// Puts the entries into their order: the present ones first, by their content.
    pub fn sort<T: Ord + Copy>(&self, values: &mut [T]) {
        let width = self.width as usize;
        let region = &mut values[self.slots()];
        let entries = self.capacity as usize;
        // Insertion sort: bags are small and nearly sorted. Present (1) before absent (0), then ascending.
        for at in 1..entries {
            let mut to = at;
            while to > 0 {
                let (before, here) = region[(to - 1) * width..(to + 1) * width].split_at(width);
                let in_order = (here[0], &before[1..]) <= (before[0], &here[1..]);
                if in_order {
                    break;
                }
                let (before, here) = region[(to - 1) * width..(to + 1) * width].split_at_mut(width);
                before.swap_with_slice(here);
                to -= 1;
            }
        }
    }
}
