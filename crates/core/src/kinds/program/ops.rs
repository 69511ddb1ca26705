//! The instructions that programs are compiled to. Operands are cells; see `code` for what they hold.

pub type Cell = u32;
/// A place in the code; before linking, the number of a label.
pub type Target = u32;

#[derive(Clone, Copy, Debug)]
pub enum Op {
    Move {
        to: Cell,
        from: Cell,
    },
    /// to = from + bias; an undefined code is an error of the model.
    Load {
        to: Cell,
        from: Cell,
        bias: i32,
    },
    /// to = from + bias
    Plus {
        to: Cell,
        from: Cell,
        bias: i32,
    },
    /// to = memory[base + offset]
    Fetch {
        to: Cell,
        base: Cell,
        offset: Cell,
    },
    /// memory[base + offset] = from
    Put {
        base: Cell,
        offset: Cell,
        from: Cell,
    },
    /// The code of a value that must lie in a range.
    Encode {
        to: Cell,
        from: Cell,
        range: u32,
    },
    /// Fails unless the value lies in the range.
    Check {
        from: Cell,
        range: u32,
    },
    /// From a code to that of another type; undefined stays undefined.
    Recode {
        to: Cell,
        from: Cell,
        bias: i32,
        range: u32,
    },
    /// `count` cells; operands are cells that hold addresses.
    Copy {
        to: Cell,
        from: Cell,
        count: u32,
    },
    Zero {
        at: Cell,
        count: u32,
    },
    Same {
        to: Cell,
        left: Cell,
        right: Cell,
        count: u32,
    },
    /// to = (index - low) * stride, for an index inside the dimension.
    Scale {
        to: Cell,
        index: Cell,
        dimension: u32,
    },
    /// The value of the range that differs from this one by a multiple of the range's size.
    Wrap {
        to: Cell,
        from: Cell,
        range: u32,
    },
    /// The entry of a table; a missing one fails.
    Lookup {
        to: Cell,
        site: u32,
    },
    Add {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    Subtract {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    Multiply {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    Divide {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    Remainder {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    BitAnd {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    BitOr {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    BitXor {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    ShiftLeft {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    ShiftRight {
        to: Cell,
        left: Cell,
        right: Cell,
    },
    Negate {
        to: Cell,
        from: Cell,
    },
    Complement {
        to: Cell,
        from: Cell,
    },
    Jump {
        target: Target,
    },
    JumpIf {
        test: Cell,
        target: Target,
    },
    JumpUnless {
        test: Cell,
        target: Target,
    },
    JumpEqual {
        left: Cell,
        right: Cell,
        target: Target,
    },
    JumpNotEqual {
        left: Cell,
        right: Cell,
        target: Target,
    },
    JumpLess {
        left: Cell,
        right: Cell,
        target: Target,
    },
    JumpLessOrEqual {
        left: Cell,
        right: Cell,
        target: Target,
    },
    /// Compares a slot's code; an undefined one is an error of the model.
    JumpCode {
        at: Cell,
        code: u32,
        target: Target,
    },
    JumpNotCode {
        at: Cell,
        code: u32,
        target: Target,
    },
    /// Leaves a counting loop that is past its end.
    JumpPast {
        counter: Cell,
        end: Cell,
        step: Cell,
        target: Target,
    },
    /// The next value of a counting loop; leaves it where there is none in 64 bits.
    Advance {
        counter: Cell,
        step: Cell,
        target: Target,
    },
    /// The address of the content of an entry, which must be present.
    Entry {
        to: Cell,
        bag: Cell,
        position: Cell,
        spec: u32,
    },
    Present {
        to: Cell,
        bag: Cell,
        position: Cell,
        spec: u32,
    },
    /// Takes the first absent entry; the address of its content.
    Take {
        to: Cell,
        bag: Cell,
        spec: u32,
    },
    Remove {
        bag: Cell,
        position: Cell,
        spec: u32,
    },
    /// Removes the entries whose flags, from the cell `flags` on, are set.
    RemoveFlagged {
        bag: Cell,
        flags: Cell,
        spec: u32,
    },
    Sort {
        bag: Cell,
        spec: u32,
    },
    /// A label is enabled, or a property violated: known beforehand, or in a cell.
    Emit {
        number: u32,
    },
    EmitCell {
        from: Cell,
    },
    Cover {
        property: u32,
    },
    /// The step violates the property, and goes on.
    Note {
        property: u32,
    },
    /// Failures from here on concern the label in the cell, and the run goes on at the target.
    Catch {
        label: Cell,
        target: Target,
    },
    Uncatch,
    /// Makes the slots those of the state again.
    Restore,
    Fail {
        property: u32,
    },
    Discard,
    Halt,
}

/// A value must lie in `low..=high`; its code is `value - shift`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Range {
    pub low: i64,
    pub high: i64,
    pub shift: i64,
}

impl Range {
    pub fn wrapped(&self, value: i64) -> i64 {
        if (self.low..=self.high).contains(&value) {
            return value;
        }
        let low = i128::from(self.low);
        let size = i128::from(self.high) - low + 1;
        (low + (i128::from(value) - low).rem_euclid(size)) as i64
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Dimension {
    pub low: i64,
    pub size: i64,
    pub stride: i64,
}

/// Where a table is looked up. Arguments that are constants are part of `first`.
#[derive(Clone, Debug)]
pub struct Site {
    pub table: u32,
    /// Where the entry would be if all arguments were smallest, among those of all tables.
    pub first: usize,
    pub arguments: Box<[SiteArgument]>,
    /// The cells of all arguments, constants too.
    pub cells: Box<[Cell]>,
    /// What a missing entry violates.
    pub property: u32,
}

#[derive(Clone, Copy, Debug)]
pub struct SiteArgument {
    pub cell: Cell,
    pub dimension: Dimension,
}

impl Site {
    /// Which entry is asked for; None where an argument is not in its type.
    #[inline(always)]
    pub fn entry(&self, cells: &[i64]) -> Option<usize> {
        let mut entry = self.first;
        for SiteArgument { cell, dimension } in &self.arguments {
            let position = cells[*cell as usize].wrapping_sub(dimension.low);
            if position < 0 || position >= dimension.size {
                return None;
            }
            entry += (position * dimension.stride) as usize;
        }
        Some(entry)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrapped_differs_by_a_multiple_of_the_size() {
        let byte = Range { low: 0, high: 255, shift: 0 };
        assert_eq!(
            [256, -1, 255, i64::MAX, i64::MIN].map(|value| byte.wrapped(value)),
            [0, 255, 255, 255, 0]
        );
        let short = Range { low: -4, high: 3, shift: 0 };
        assert_eq!([4, -5, 11, -12].map(|value| short.wrapped(value)), [-4, 3, 3, -4]);
        let all = Range { low: i64::MIN, high: i64::MAX, shift: 0 };
        assert_eq!(all.wrapped(7), 7);
    }

    #[test]
    fn an_entry_is_where_its_arguments_say() {
        let argument =
            |cell, low, size, stride| SiteArgument { cell, dimension: Dimension { low, size, stride } };
        let site = Site {
            table: 0,
            first: 100,
            arguments: [argument(0, -1, 2, 3), argument(1, 0, 3, 1)].into(),
            cells: [0, 1].into(),
            property: 1,
        };
        assert_eq!(site.entry(&[-1, 0]), Some(100));
        assert_eq!(site.entry(&[0, 2]), Some(105));
        assert_eq!((site.entry(&[1, 0]), site.entry(&[0, i64::MIN])), (None, None));
    }
}
