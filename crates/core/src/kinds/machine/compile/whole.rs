//! Sets that have every value of their type: `x : S <-> T` says nothing about x where S and T are whole sorts.

use crate::kinds::machine::nodes::{Arena, Id, Node, Op};
use crate::kinds::machine::values::Values;

impl Arena {
    /// Membership in such a set does not depend on the value. Planners need to see how a set is built, so
    /// this is for when all plans are made.
    pub fn trust_types(&mut self, values: &Values) {
        for id in 0..self.nodes.len() {
            let Node::Binary(op @ (Op::Member | Op::Subset), a, b) = self.nodes[id] else { continue };
            if self.is_whole(b, values) {
                let info = self.info(b).clone();
                let all = self.push(Node::Nullary(Op::All), info);
                self.nodes[id] = Node::Binary(op, a, all);
            }
        }
    }

    fn is_whole(&self, set: Id, values: &Values) -> bool {
        match self.bare(set) {
            Node::Nullary(Op::All) => true,
            Node::Constant(value) => {
                let all = self.type_size(self.element_type(self.info(set).type_));
                values.elements(value).len() as f64 == all
            }
            Node::Unary(Op::PowerSet, of) => self.is_whole(of, values),
            Node::Binary(Op::Relations | Op::Product, a, b) => {
                self.is_whole(a, values) && self.is_whole(b, values)
            }
            _ => false,
        }
    }
}
