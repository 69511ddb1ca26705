//! Cancellation: one state can keep a search busy for longer than the user's limits allow (Junttila 2003, 4.3: the
//! tree may be exponential), and so can finding a group or building its chain, so long loops poll a flag.
//!
//! A thread has a *current* token, under which it works: what takes long asks `Cancel::current()` and needs not be handed one.

use std::cell::RefCell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Steps between two polls; a step costs at least some hundred instructions.
const INTERVAL: u32 = 256;

thread_local! {
    static CURRENT: RefCell<Cancel> = RefCell::default();
}

/// Shared by working threads and the thread that watches limits. Once it is set, the result of a search means nothing.
#[derive(Clone, Debug, Default)]
pub struct Cancel {
    flag: Arc<Flag>,
    steps: u32,
}

#[derive(Debug, Default)]
struct Flag {
    over: AtomicBool,
    until: Option<Instant>,
    parent: Option<Arc<Flag>>,
}

impl Flag {
    fn is_set(&self) -> bool {
        self.over.load(Ordering::Relaxed)
            || self.until.is_some_and(|until| Instant::now() >= until)
            || self.parent.as_ref().is_some_and(|parent| parent.is_set())
    }
}

impl Cancel {
    /// The token under which this thread works; one that is never set where none was entered.
    pub fn current() -> Cancel {
        CURRENT.with_borrow(Cancel::clone)
    }

    /// Work under this token, until the answer is dropped.
    pub fn enter(&self) -> Entered {
        Entered(CURRENT.replace(self.clone()))
    }

    /// A token that is set with this one, and by itself.
    pub fn child(&self) -> Cancel {
        self.child_until(None)
    }

    /// A child that sets itself after this time.
    pub fn child_for(&self, time: Duration) -> Cancel {
        self.child_until(Instant::now().checked_add(time))
    }

    fn child_until(&self, until: Option<Instant>) -> Cancel {
        let flag = Flag { over: AtomicBool::new(false), until, parent: Some(self.flag.clone()) };
        Cancel { flag: Arc::new(flag), steps: 0 }
    }

    /// The time after which it is set in any case; None where there is none.
    pub fn left(&self) -> Option<Duration> {
        let flags = std::iter::successors(Some(&self.flag), |flag| flag.parent.as_ref());
        let until = flags.filter_map(|flag| flag.until).min();
        until.map(|until| until.saturating_duration_since(Instant::now()))
    }

    pub fn cancel(&self) {
        self.flag.over.store(true, Ordering::Relaxed);
    }

    #[inline]
    pub fn is_cancelled(&self) -> bool {
        self.flag.is_set()
    }

    /// The same, for inner loops: reads the flag only once in a while.
    #[inline(always)]
    pub fn poll(&mut self) -> bool {
        self.steps = self.steps.wrapping_add(1);
        self.steps.is_multiple_of(INTERVAL) && self.is_cancelled()
    }
}

/// While it exists, the thread works under the token that made it.
#[must_use]
pub struct Entered(Cancel);

impl Drop for Entered {
    fn drop(&mut self) {
        // A thread that ends may have none any more.
        let _ = CURRENT.try_with(|current| current.replace(std::mem::take(&mut self.0)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_is_set_with_its_parent_and_not_the_other_way_round() {
        let parent = Cancel::default();
        let (child, late) = (parent.child(), parent.child_for(Duration::from_secs(1000)));
        let over = parent.child_for(Duration::ZERO);
        assert!(over.is_cancelled() && !parent.is_cancelled());
        assert!(late.child().left() > Some(Duration::from_secs(900)));
        assert!(parent.left().is_none() && child.left().is_none());
        child.cancel();
        assert!(child.is_cancelled() && !parent.is_cancelled() && !late.is_cancelled());
        parent.cancel();
        assert!(late.is_cancelled());
    }

    #[test]
    fn a_thread_works_under_the_token_that_was_entered_last() {
        let (outer, inner) = (Cancel::default(), Cancel::default());
        inner.cancel();
        assert!(!Cancel::current().is_cancelled());
        let _outer = outer.enter();
        {
            let _inner = inner.enter();
            assert!(Cancel::current().is_cancelled());
        }
        assert!(!Cancel::current().is_cancelled());
        outer.cancel();
        assert!(Cancel::current().is_cancelled());
    }
}
