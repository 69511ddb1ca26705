//! The unfolded net in an order that does not depend on how it was found: places by place and value of the high-level net,
//! transitions by transition and values of variables.

use super::engine::Found;
use super::terms::Code;

/// The places of codes in the order of the values; codes that ascend as values do need none.
pub type Ranks = Vec<u32>;

/// `places`: by place of the high-level net, `variables`: by transition and variable: a number in `tables`.
pub struct Order {
    pub tables: Vec<Ranks>,
    pub places: Vec<Option<usize>>,
    pub variables: Vec<Vec<Option<usize>>>,
}

/// A place/transition net with what each of its places and transitions stands for.
pub struct Unfolded {
    /// Where the places of each place of the high-level net begin, and the end of the last.
    pub place_starts: Vec<usize>,
    pub codes: Vec<Code>,
    pub transition_starts: Vec<usize>,
    /// Of variables, transition by transition.
    pub values: Vec<Code>,
    arcs: Vec<(u32, u64)>,
    arc_ends: Vec<(usize, usize)>,
}

impl Unfolded {
    pub fn transitions(&self) -> usize {
        self.arc_ends.len()
    }

    pub fn consumes(&self, transition: usize) -> &[(u32, u64)] {
        let start = if transition == 0 { 0 } else { self.arc_ends[transition - 1].1 };
        &self.arcs[start..self.arc_ends[transition].0]
    }

    pub fn produces(&self, transition: usize) -> &[(u32, u64)] {
        let (middle, end) = self.arc_ends[transition];
        &self.arcs[middle..end]
    }
}

impl Order {
    fn rank(&self, table: Option<usize>, code: Code) -> u64 {
        table.map_or(code, |table| {
            u64::from(self.tables[table].get(code as usize).copied().unwrap_or(u32::MAX))
        })
    }
}

/// `transitions`: how many the high-level net has.
pub fn sorted(found: &Found, order: &Order, transitions: usize) -> Unfolded {
    let mut tokens: Vec<u32> = (0..found.tokens.len() as u32).collect();
    tokens.sort_unstable_by_key(|&number| {
        let (place, code) = found.tokens[number as usize];
        (place, order.rank(order.places.get(place as usize).copied().flatten(), code))
    });
    let mut numbers = vec![0u32; tokens.len()];
    tokens.iter().enumerate().for_each(|(at, &token)| numbers[token as usize] = at as u32);
    let place_of = |at: &u32| found.tokens[*at as usize].0;
    let place_starts = starts(tokens.iter().map(place_of), found.places());
    let codes = tokens.iter().map(|&token| found.tokens[token as usize].1).collect();

    let instances = &found.instances;
    let values_of = |number: u32| {
        let number = number as usize;
        let start = if number == 0 { 0 } else { instances.value_ends[number - 1] };
        &instances.values[start..instances.value_ends[number]]
    };
    let mut listed: Vec<u32> = (0..instances.transitions.len() as u32).collect();
    listed.sort_unstable_by(|&a, &b| {
        let (first, second) = (instances.transitions[a as usize], instances.transitions[b as usize]);
        first.cmp(&second).then_with(|| {
            let tables = order.variables.get(first as usize).map_or(&[][..], Vec::as_slice);
            let key = |number: u32| {
                let values = values_of(number).iter().enumerate();
                values.map(|(at, &code)| order.rank(tables.get(at).copied().flatten(), code))
            };
            key(a).cmp(key(b))
        })
    });
    let transition_starts =
        starts(listed.iter().map(|&number| instances.transitions[number as usize]), transitions);
    let mut values = Vec::with_capacity(instances.values.len());
    let mut arcs: Vec<(u32, u64)> = Vec::with_capacity(instances.arcs.len());
    let mut arc_ends = Vec::with_capacity(listed.len());
    for &number in &listed {
        values.extend_from_slice(values_of(number));
        let start = if number == 0 { 0 } else { instances.arc_ends[number as usize - 1].1 };
        let (middle, end) = instances.arc_ends[number as usize];
        let mut ends = [0; 2];
        for (side, range) in [start..middle, middle..end].into_iter().enumerate() {
            let begin = arcs.len();
            arcs.extend(
                instances.arcs[range].iter().map(|&(token, weight)| (numbers[token as usize], weight)),
            );
            arcs[begin..].sort_unstable();
            ends[side] = arcs.len();
        }
        arc_ends.push((ends[0], ends[1]));
    }
    Unfolded { place_starts, codes, transition_starts, values, arcs, arc_ends }
}

/// Where each number begins in an ascending list, and the end.
fn starts(ascending: impl Iterator<Item = u32>, numbers: usize) -> Vec<usize> {
    let mut starts = vec![0; numbers + 1];
    ascending.for_each(|number| starts[number as usize + 1] += 1);
    for at in 0..numbers {
        starts[at + 1] += starts[at];
    }
    starts
}
