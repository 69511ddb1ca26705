//! A group on the elements of all sorts of a program or a machine.

use std::sync::Arc;

use super::{Error, check_method};
use crate::canon::Method;
use crate::group::Group;

/// Its generators are certified before it is made.
#[derive(Clone)]
pub struct ElementGroup {
    pub group: Arc<Group>,
    /// Pairs of points that the group maps to such pairs (successors in cyclic sorts).
    pub kept: Vec<(u32, u32)>,
    /// Is it all permutations that keep its orbits and `kept`?
    pub whole: bool,
    /// Actions that some element maps to other actions.
    pub exchanged: Vec<u32>,
}

impl ElementGroup {
    /// Refuses a method that does not fit the group.
    pub fn check_method(&self, method: Method) -> Result<(), Error> {
        check_method(method, &self.group, self.whole)
    }
}
