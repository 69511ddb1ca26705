//! Place/transition nets behind the waist: `Net` (what was read), `collapse` (what is the same by definition),
//! `certify` (what a symmetry is), `symmetry` (the group), `compiled` (the `Model` that fires on packed markings).

pub mod certify;
pub mod collapse;
pub mod compiled;
mod consumers;
pub mod expression;
mod incidence;
mod labelled_graph;
mod lift;
pub mod pnml;
pub mod prepared;
pub mod symmetry;

/// (place, weight), sorted by place, each place once, weights at least 1.
pub type Arcs = Vec<(u32, u64)>;

#[derive(Clone, Debug)]
pub struct Net {
    pub initial: Vec<u64>,
    pub consumes: Vec<Arcs>,
    pub produces: Vec<Arcs>,
}

impl Net {
    /// None where an arc names no place, has weight 0, or stands twice.
    pub fn new(initial: Vec<u64>, mut consumes: Vec<Arcs>, mut produces: Vec<Arcs>) -> Option<Net> {
        if consumes.len() != produces.len() {
            return None;
        }
        for arcs in consumes.iter_mut().chain(&mut produces) {
            arcs.sort_unstable();
            let twice = arcs.windows(2).any(|pair| pair[0].0 == pair[1].0);
            if twice || arcs.iter().any(|&(place, weight)| place as usize >= initial.len() || weight == 0) {
                return None;
            }
        }
        Some(Net { initial, consumes, produces })
    }

    pub fn places(&self) -> usize {
        self.initial.len()
    }

    pub fn transitions(&self) -> usize {
        self.consumes.len()
    }

    pub fn is_enabled(&self, marking: &[u64], transition: usize) -> bool {
        self.consumes[transition].iter().all(|&(place, weight)| marking[place as usize] >= weight)
    }

    /// The marking after an enabled transition; None where a count would leave 64 bits.
    pub fn fire(&self, marking: &[u64], transition: usize) -> Option<Vec<u64>> {
        let mut after = marking.to_vec();
        for &(place, weight) in &self.consumes[transition] {
            after[place as usize] -= weight;
        }
        for &(place, weight) in &self.produces[transition] {
            after[place as usize] = after[place as usize].checked_add(weight)?;
        }
        Some(after)
    }
}
