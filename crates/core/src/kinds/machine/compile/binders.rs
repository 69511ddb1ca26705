//! Names that a condition binds: quantifiers, comprehensions, sums, each with the plans that find their values.

use crate::kinds::machine::compile::Compiler;
use crate::kinds::machine::nodes::{Binder, Id, Info, Node, Op, Slot, Slots, Span, Type, TypeId};

impl Compiler<'_> {
    pub fn composed(&mut self, node: Node, parts: &[Id], type_: TypeId, is_infinite: bool) -> Id {
        let mut free = Slots::default();
        let mut is_total = true;
        for &part in parts {
            free.add(&self.code.arena.info(part).free);
            is_total &= self.code.arena.info(part).is_total;
        }
        self.code.arena.push(node, Info { type_, span: None, free, is_total, is_infinite })
    }

    pub fn bound(&mut self, node: Node, names: &[Slot], parts: &[Id], type_: Type, span: Option<Span>) -> Id {
        let type_ = self.code.arena.type_(type_);
        let id = self.composed(node, parts, type_, false);
        let info = &mut self.code.arena.infos[id as usize];
        names.iter().for_each(|&name| info.free.remove(name));
        info.span = span;
        id
    }

    pub fn binder(&mut self, names: &[Slot], condition: Id, value: Option<Id>) -> u32 {
        let mut conjuncts = Vec::new();
        self.flatten(condition, false, &mut conjuncts);
        let plan = self.plan(names, conjuncts, false);
        let binder = Binder { names: names.to_vec(), condition, value, plan, member: None, images: None };
        self.code.arena.binders.push(binder);
        self.code.arena.binders.len() as u32 - 1
    }

    pub fn comprehension(&mut self, names: &[Slot], condition: Id, value: Id, span: Option<Span>) -> Id {
        let binder = self.binder(names, condition, Some(value));
        let value_type = self.code.arena.info(value).type_;
        let is_infinite = self.code.arena.binders[binder as usize].plan.is_err();
        let parts = [condition, value];
        let id = self.bound(Node::Comprehension { binder }, names, &parts, Type::Set(value_type), span);
        self.code.arena.infos[id as usize].is_infinite = is_infinite;
        // Membership: the same condition, and the value is the one asked for.
        let boolean = self.code.arena.type_(Type::Boolean);
        let asked = self.new_slot("a member", value_type, span);
        let asked_node = self.code.arena.slot(asked, value_type, span);
        let same = self.code.arena.apply(Op::Equal, &[value, asked_node], boolean, span);
        let mut conjuncts = Vec::new();
        self.flatten(same, false, &mut conjuncts);
        self.flatten(condition, false, &mut conjuncts);
        let member = self.plan(names, conjuncts, false).ok().map(|plan| (asked, plan));
        self.code.arena.binders[binder as usize].member = member;
        if let Type::Pair(left, right) = self.code.arena.types[value_type as usize] {
            let (from, to) =
                (self.new_slot("an argument", left, span), self.new_slot("an image", right, span));
            let from_node = self.code.arena.slot(from, left, span);
            let to_node = self.code.arena.slot(to, right, span);
            let pair = self.code.arena.apply(Op::Pair, &[from_node, to_node], value_type, span);
            let same = self.code.arena.apply(Op::Equal, &[value, pair], boolean, span);
            let mut conjuncts = Vec::new();
            self.flatten(same, false, &mut conjuncts);
            self.flatten(condition, false, &mut conjuncts);
            let mut unknown = names.to_vec();
            unknown.push(to);
            let images = self.plan(&unknown, conjuncts, false).ok().map(|plan| (from, to, plan));
            self.code.arena.binders[binder as usize].images = images;
        }
        id
    }
}
