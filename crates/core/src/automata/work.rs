//! A budget of steps, so that no formula takes for ever.
//!
//! In: how many steps may be taken. Out: whether there are some left. A step is a comparison of two labels or terms, a few
//! nanoseconds; what costs more counts as several.

pub struct Work {
    left: u64,
}

impl Work {
    pub fn new(steps: u64) -> Work {
        Work { left: steps }
    }

    /// Are there so many steps left? Once there are not, there is none left.
    #[must_use]
    pub fn spend(&mut self, steps: usize) -> bool {
        let left = self.left.checked_sub(steps as u64);
        self.left = left.unwrap_or(0);
        left.is_some()
    }

    pub fn is_exhausted(&self) -> bool {
        self.left == 0
    }
}
