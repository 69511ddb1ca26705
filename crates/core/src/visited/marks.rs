//! A value beside each state, for searches that colour or number them.

use super::StateId;

/// Values by number of a state; the default for states without one. Meant for sets whose numbers are dense.
#[derive(Clone, Debug, Default)]
pub struct Marks<T>(Vec<T>);

impl<T: Copy + Default> Marks<T> {
    #[inline]
    pub fn get(&self, id: StateId) -> T {
        self.0.get(id.0 as usize).copied().unwrap_or_default()
    }

    #[inline]
    pub fn set(&mut self, id: StateId, mark: T) {
        let at = id.0 as usize;
        if self.0.len() <= at {
            self.0.resize(at + 1, T::default());
        }
        self.0[at] = mark;
    }
}
