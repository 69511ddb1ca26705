//! Substitutions, from rows to code.

use crate::kinds::machine::compile::{Compiler, Refusal, Result};
use crate::kinds::machine::nodes::{Id, Slots};
use crate::kinds::machine::plan::Sub;
use crate::kinds::table::NOTHING;

impl Compiler<'_> {
    pub fn substitution(&mut self, id: i64) -> Result<u32> {
        let mut span = None;
        let sub = match self.rows.row(id)? {
            ("Assign", &[names, values, at]) => {
                span = self.rows.span(at)?;
                let values = self.expressions(values)?;
                let values = values.into_iter().map(|value| self.kept(value)).collect();
                Sub::Assign(self.names(names)?, values)
            }
            ("Parallel", &[parts, at]) => {
                span = self.rows.span(at)?;
                Sub::Parallel(self.substitutions(parts)?)
            }
            ("Sequence", &[parts]) => Sub::Sequence(self.substitutions(parts)?),
            ("Choose", &[names, condition, body, at]) => {
                span = self.rows.span(at)?;
                let names = self.names(names)?;
                let condition = self.expression(condition)?;
                let mut conjuncts = Vec::new();
                self.flatten(condition, true, &mut conjuncts);
                let plan = self.planned(&names, conjuncts, true)?;
                Sub::Choose { condition, plan, body: self.substitution(body)? }
            }
            ("Alternatives", &[branches, otherwise, at]) => {
                span = self.rows.span(at)?;
                let branches = self.branches(branches)?;
                let otherwise = if otherwise == NOTHING { None } else { Some(self.substitution(otherwise)?) };
                Sub::Alternatives(branches, otherwise)
            }
            ("If", &[branches, otherwise, at]) => {
                span = self.rows.span(at)?;
                Sub::If(self.branches(branches)?, self.substitution(otherwise)?)
            }
            ("Demand", &[kind, condition, body, at]) => {
                span = self.rows.span(at)?;
                let is_precondition = self.rows.text(kind)? == "precondition";
                let condition = self.expression(condition)?;
                Sub::Demand { is_precondition, condition, body: self.substitution(body)? }
            }
            ("Local", &[names, body]) => Sub::Local(self.names(names)?, self.substitution(body)?),
            ("While", &[test, body, invariant, variant, at]) => {
                span = self.rows.span(at)?;
                let (test, body) = (self.expression(test)?, self.substitution(body)?);
                let (invariant, variant) = (self.expression(invariant)?, self.expression(variant)?);
                Sub::While { test, body, invariant, variant }
            }
            (other, _) => return Err(Refusal::Malformed(format!("substitution {other}"))),
        };
        self.code.subs.push(sub);
        self.code.sub_spans.push(span);
        Ok(self.code.subs.len() as u32 - 1)
    }

    pub fn substitutions(&mut self, list: i64) -> Result<Vec<u32>> {
        self.rows.list(list)?.to_vec().iter().map(|&each| self.substitution(each)).collect()
    }

    pub fn branches(&mut self, list: i64) -> Result<Vec<(Id, u32)>> {
        let branches = self.rows.list(list)?.to_vec();
        let decode = |&branch: &i64| {
            let &[condition, body] = self.rows.fields(branch, "Branch")?;
            let condition = self.expression(condition)?;
            Ok((self.kept(condition), self.substitution(body)?))
        };
        branches.iter().map(decode).collect()
    }

    /// What a substitution looks at, local names among it.
    pub fn looked_at(&self, sub: u32, reads: &mut Slots) {
        let mut look = |id: Id| reads.add(&self.code.arena.info(id).free);
        match &self.code.subs[sub as usize] {
            Sub::Assign(_, values) => values.iter().for_each(|&value| look(value)),
            Sub::Parallel(parts) | Sub::Sequence(parts) => {
                parts.iter().for_each(|&part| self.looked_at(part, reads));
            }
            Sub::Choose { condition, body, .. } | Sub::Demand { condition, body, .. } => {
                look(*condition);
                self.looked_at(*body, reads);
            }
            Sub::Alternatives(branches, otherwise) => {
                branches.iter().for_each(|&(condition, _)| look(condition));
                branches.iter().for_each(|&(_, body)| self.looked_at(body, reads));
                otherwise.iter().for_each(|&body| self.looked_at(body, reads));
            }
            Sub::If(branches, otherwise) => {
                branches.iter().for_each(|&(condition, _)| look(condition));
                branches.iter().for_each(|&(_, body)| self.looked_at(body, reads));
                self.looked_at(*otherwise, reads);
            }
            Sub::Local(_, body) => self.looked_at(*body, reads),
            Sub::While { test, body, invariant, variant } => {
                [test, invariant, variant].into_iter().for_each(|&each| look(each));
                self.looked_at(*body, reads);
            }
        }
    }

    /// How the ways through a substitution differ in what they write.
    pub fn written(&self, sub: u32) -> Written {
        let of = |sub: u32| self.written(sub);
        match &self.code.subs[sub as usize] {
            Sub::Assign(names, _) => {
                let mut all = Slots::default();
                names.iter().for_each(|&name| all.insert(name));
                Written { all, ..Written::default() }
            }
            Sub::Parallel(parts) => parts.iter().fold(Written::default(), |sum, &part| sum.beside(of(part))),
            Sub::Sequence(parts) => parts.iter().fold(Written::default(), |sum, &part| {
                let next = of(part);
                let differs = sum.is_choice && next.varies;
                let sum = sum.beside(next);
                Written { differs: sum.differs || differs, ..sum }
            }),
            Sub::Choose { body, .. } => {
                let body = of(*body);
                Written { is_choice: true, differs: body.differs || body.varies, ..body }
            }
            Sub::Alternatives(branches, otherwise) => {
                let chosen = branches.iter().map(|&(_, body)| of(body)).reduce(Written::or);
                let mut chosen = chosen.unwrap_or_default();
                if branches.len() > 1 {
                    (chosen.is_choice, chosen.differs) = (true, chosen.differs || chosen.varies);
                }
                otherwise.iter().fold(chosen, |sum, &body| sum.or(of(body)))
            }
            Sub::If(branches, otherwise) => {
                branches.iter().fold(of(*otherwise), |sum, &(_, body)| sum.or(of(body)))
            }
            Sub::Demand { body, .. } => of(*body),
            Sub::Local(names, body) => {
                let mut body = of(*body);
                names.iter().for_each(|&name| body.all.remove(name));
                body
            }
            Sub::While { body, .. } => {
                let body = of(*body);
                Written { varies: true, differs: body.differs || body.is_choice, ..body }
            }
        }
    }
}

/// What the ways through a substitution write.
#[derive(Default)]
pub struct Written {
    /// Any of them, local names among it.
    pub all: Slots,
    /// May there be several ways from one state?
    is_choice: bool,
    /// Does it depend on the state or the way which names are written?
    varies: bool,
    /// May two ways from one state write different names?
    pub differs: bool,
}

impl Written {
    fn beside(mut self, other: Written) -> Written {
        self.all.add(&other.all);
        Written {
            all: self.all,
            is_choice: self.is_choice || other.is_choice,
            varies: self.varies || other.varies,
            differs: self.differs || other.differs,
        }
    }

    /// One or the other, as the state says.
    fn or(self, other: Written) -> Written {
        let differ = self.all != other.all;
        let both = self.beside(other);
        Written { varies: both.varies || differ, ..both }
    }
}
