//! Multiset selectors (Junttila 2003, 4.1.2): from the values that the children of a node carry, choose which children
//! to follow, by the multiset alone.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selector {
    /// All children.
    Trivial,
    Min,
    Max,
    MinMinFrequency,
    MaxMinFrequency,
    /// The least value where it stands alone, else as `MaxMinFrequency`: one pass in the common case.
    LeastUnique,
}

impl Selector {
    pub fn named(name: &str) -> Option<Selector> {
        Some(match name {
            "trivial" => Selector::Trivial,
            "min" => Selector::Min,
            "max" => Selector::Max,
            "min-min-frequency" => Selector::MinMinFrequency,
            "max-min-frequency" => Selector::MaxMinFrequency,
            "least-unique" => Selector::LeastUnique,
            _ => return None,
        })
    }

    /// The chosen value, None for all. `sorted` is a buffer; `values` is not empty.
    #[inline]
    pub fn choose(self, values: impl Iterator<Item = u64> + Clone, sorted: &mut Vec<u64>) -> Option<u64> {
        match self {
            Selector::Trivial => None,
            Selector::Min => values.min(),
            Selector::Max => values.max(),
            Selector::MinMinFrequency => Some(least_frequent(values, sorted, false)),
            Selector::MaxMinFrequency => Some(least_frequent(values, sorted, true)),
            Selector::LeastUnique => {
                let (mut least, mut count) = (u64::MAX, 0);
                for value in values.clone() {
                    if value < least {
                        (least, count) = (value, 1);
                    } else if value == least {
                        count += 1;
                    }
                }
                Some(if count == 1 { least } else { least_frequent(values, sorted, true) })
            }
        }
    }
}

/// The largest value that occurs once.
pub fn largest_unshared(values: impl Iterator<Item = u64>, sorted: &mut Vec<u64>) -> Option<u64> {
    sorted.clear();
    sorted.extend(values);
    sorted.sort_unstable();
    let alone = |run: &[u64]| (run.len() == 1).then_some(run[0]);
    sorted.chunk_by(|a, b| a == b).rev().find_map(alone)
}

fn least_frequent(values: impl Iterator<Item = u64>, sorted: &mut Vec<u64>, prefer_large: bool) -> u64 {
    sorted.clear();
    sorted.extend(values);
    sorted.sort_unstable();
    let mut best = (usize::MAX, 0);
    for run in sorted.chunk_by(|a, b| a == b) {
        if run.len() < best.0 || (prefer_large && run.len() == best.0) {
            best = (run.len(), run[0]);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::Selector::*;

    #[test]
    fn the_thesis_example() {
        // 3'2 + 2'4 + 2'5 + 4'7
        let values = [2, 2, 2, 4, 4, 5, 5, 7, 7, 7, 7];
        let choose = |selector: super::Selector| selector.choose(values.into_iter(), &mut Vec::new());
        assert_eq!(choose(Trivial), None);
        assert_eq!(choose(Min), Some(2));
        assert_eq!(choose(Max), Some(7));
        assert_eq!(choose(MinMinFrequency), Some(4));
        assert_eq!(choose(MaxMinFrequency), Some(5));
        assert_eq!(choose(LeastUnique), Some(5));
    }
}
