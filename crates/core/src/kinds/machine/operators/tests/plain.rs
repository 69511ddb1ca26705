//! Every operator as its definition says, on ordered sets, without regard to speed.

use std::collections::BTreeSet;

use super::model::Model::{self, *};
use super::model::{pair, sequence_of};
use crate::kinds::machine::operators::Undefined::{self, *};

type Plain = Result<Model, Undefined>;

fn set(elements: impl IntoIterator<Item = Model>) -> Model {
    Set(elements.into_iter().collect())
}

pub fn evaluate(name: &str, arguments: &[Model]) -> Plain {
    match arguments {
        [a] => unary(name, a),
        [a, b] => binary(name, a, b),
        _ => panic!("{name} with {} arguments", arguments.len()),
    }
}

fn unary(name: &str, a: &Model) -> Plain {
    Ok(match name {
        "negate" => Number(a.number().checked_neg().ok_or(NumberTooLarge)?),
        "min" => Number(a.set().iter().map(Model::number).min().ok_or(EmptyMin)?),
        "max" => Number(a.set().iter().map(Model::number).max().ok_or(EmptyMin)?),
        "power-set" => set(subsets(a)),
        "power-set-1" => set(subsets(a).into_iter().filter(|each| !each.set().is_empty())),
        "card" => Number(a.set().len() as i64),
        "general-union" => set(a.set().iter().flat_map(|each| each.set().clone())),
        "general-intersection" => {
            let first = a.set().first().ok_or(EmptyIntersection)?;
            set(first.set().iter().filter(|x| a.set().iter().all(|each| each.set().contains(x))).cloned())
        }
        "left" => a.parts().0.clone(),
        "right" => a.parts().1.clone(),
        "domain" => set(a.pairs().map(|(x, _)| x.clone())),
        "range" => set(a.pairs().map(|(_, y)| y.clone())),
        "identity" => set(a.set().iter().map(|x| pair(x, x))),
        "inverse" => set(a.pairs().map(|(x, y)| pair(y, x))),
        "closure1" => closure1(a),
        "closure" => set(closure1(a).set().union(iterate(a, 0).set()).cloned()),
        "as-function" => set(a.pairs().map(|(x, _)| pair(x, &image(a, &set([x.clone()]))))),
        "as-relation" => set(a.pairs().flat_map(|(x, ys)| ys.set().iter().map(|y| pair(x, y)))),
        "general-concat" => {
            let lists = items(a)?.into_iter().map(|each| items(&each)).collect::<Result<Vec<_>, _>>()?;
            sequence_of(&lists.concat())
        }
        _ => return one_sequence(name, a),
    })
}

fn one_sequence(name: &str, a: &Model) -> Plain {
    match name {
        "injective-sequences" => return Ok(set(arrangements(a))),
        "injective-sequences-1" => return Ok(set(arrangements(a).filter(|each| !each.set().is_empty()))),
        "permutations" => return Ok(set(arrangements(a).filter(|each| each.set().len() == a.set().len()))),
        _ => {}
    }
    let list = items(a)?;
    let at_least_one = || if list.is_empty() { Err(EmptySequence) } else { Ok(list.len() - 1) };
    Ok(match name {
        "size" => Number(list.len() as i64),
        "reverse" => sequence_of(&list.iter().rev().cloned().collect::<Vec<_>>()),
        "first" => list.first().ok_or(EmptySequence)?.clone(),
        "last" => list[at_least_one()?].clone(),
        "tail" => sequence_of(&list[list.len() - at_least_one()?..]),
        "front" => sequence_of(&list[..at_least_one()?]),
        _ => panic!("{name} of one argument"),
    })
}

fn binary(name: &str, a: &Model, b: &Model) -> Plain {
    let number = |result: Option<i64>| result.map(Number).ok_or(NumberTooLarge);
    let kept = |relation: &Model, keep: &dyn Fn(&Model, &Model) -> bool| {
        set(relation.pairs().filter(|(x, y)| keep(x, y)).map(|(x, y)| pair(x, y)))
    };
    Ok(match name {
        "equal" => Truth(a == b),
        "member" => Truth(b.set().contains(a)),
        "subset" => Truth(a.set().is_subset(b.set())),
        "strict-subset" => Truth(a != b && a.set().is_subset(b.set())),
        "less" => Truth(a.number() < b.number()),
        "less-equal" => Truth(a.number() <= b.number()),
        "add" => number(a.number().checked_add(b.number()))?,
        "subtract" => number(a.number().checked_sub(b.number()))?,
        "multiply" => number(a.number().checked_mul(b.number()))?,
        "divide" | "modulo" if b.number() == 0 => return Err(DivisionByZero),
        "divide" => number(a.number().checked_div(b.number()))?,
        "modulo" if a.number() < 0 || b.number() < 0 => return Err(NegativeModulo),
        "modulo" => Number(a.number() % b.number()),
        "power" if b.number() < 0 => return Err(NegativeExponent),
        "power" => number((0..b.number()).try_fold(1i64, |power, _| power.checked_mul(a.number())))?,
        "interval" => set((a.number()..=b.number()).map(Number)),
        "pair" => pair(a, b),
        "union" => set(a.set().union(b.set()).cloned()),
        "intersection" => set(a.set().intersection(b.set()).cloned()),
        "difference" => set(a.set().difference(b.set()).cloned()),
        "product" => product(a, b),
        "apply" => match a.pairs().filter(|(x, _)| *x == b).map(|(_, y)| y).collect::<Vec<_>>()[..] {
            [] => return Err(OutsideDomain),
            [y] => y.clone(),
            _ => return Err(NotAFunction),
        },
        "image" => image(a, b),
        "compose" => compose(a, b),
        "parallel-product" => set(product(a, b)
            .pairs()
            .map(|(r, s)| pair(&pair(r.parts().0, s.parts().0), &pair(r.parts().1, s.parts().1)))),
        "direct-product" => set(product(a, b)
            .pairs()
            .filter(|(r, s)| r.parts().0 == s.parts().0)
            .map(|(r, s)| pair(r.parts().0, &pair(r.parts().1, s.parts().1)))),
        "domain-restrict" => kept(b, &|x, _| a.set().contains(x)),
        "domain-subtract" => kept(b, &|x, _| !a.set().contains(x)),
        "range-restrict" => kept(a, &|_, y| b.set().contains(y)),
        "range-subtract" => kept(a, &|_, y| !b.set().contains(y)),
        "override" => {
            let below = kept(a, &|x, _| b.pairs().all(|(source, _)| source != x));
            set(below.set().union(b.set()).cloned())
        }
        "iterate" if b.number() < 0 => return Err(NegativeIteration),
        "iterate" => iterate(a, b.number()),
        "first-projection" => set(product(a, b).set().iter().map(|each| pair(each, each.parts().0))),
        "second-projection" => set(product(a, b).set().iter().map(|each| pair(each, each.parts().1))),
        "concat" => {
            // Which of the operands is no sequence makes no difference.
            let second = items(b)?;
            sequence_of(&[items(a)?, second].concat())
        }
        "prepend" => sequence_of(&[vec![a.clone()], items(b)?].concat()),
        "append" => sequence_of(&[items(a)?, vec![b.clone()]].concat()),
        "take" => sequence_of(&items(a)?[..count(a, b)?]),
        "drop" => sequence_of(&items(a)?[count(a, b)?..]),
        _ => set(subsets(&product(a, b)).into_iter().filter(|relation| is_in_space(name, relation, a, b))),
    })
}

fn product(a: &Model, b: &Model) -> Model {
    set(a.set().iter().flat_map(|x| b.set().iter().map(|y| pair(x, y))))
}

fn subsets(a: &Model) -> Vec<Model> {
    a.set().iter().fold(vec![set([])], |all, x| {
        let with = all.iter().map(|each| set(each.set().iter().chain([x]).cloned())).collect::<Vec<_>>();
        [all, with].concat()
    })
}

fn image(relation: &Model, sources: &Model) -> Model {
    set(relation.pairs().filter(|(x, _)| sources.set().contains(x)).map(|(_, y)| y.clone()))
}

fn compose(a: &Model, b: &Model) -> Model {
    set(product(a, b)
        .pairs()
        .filter(|(r, s)| r.parts().1 == s.parts().0)
        .map(|(r, s)| pair(r.parts().0, s.parts().1)))
}

fn closure1(a: &Model) -> Model {
    let mut closure = a.clone();
    loop {
        let next = set(closure.set().union(compose(&closure, a).set()).cloned());
        if next == closure {
            return closure;
        }
        closure = next;
    }
}

fn iterate(a: &Model, times: i64) -> Model {
    let loops = set(a.pairs().flat_map(|(x, y)| [pair(x, x), pair(y, y)]));
    (0..times).fold(loops, |power, _| compose(&power, a))
}

fn items(sequence: &Model) -> Result<Vec<Model>, Undefined> {
    let positions: Vec<Model> = sequence.pairs().map(|(x, _)| x.clone()).collect();
    let wanted: Vec<Model> = (1..=positions.len() as i64).map(Number).collect();
    if positions != wanted {
        return Err(NotASequence);
    }
    Ok(sequence.pairs().map(|(_, y)| y.clone()).collect())
}

fn count(sequence: &Model, number: &Model) -> Result<usize, Undefined> {
    let size = sequence.set().len() as i64;
    if (0..=size).contains(&number.number()) { Ok(number.number() as usize) } else { Err(OutsideSequence) }
}

/// All sequences without repetition.
fn arrangements(over: &Model) -> impl Iterator<Item = Model> {
    let mut all: Vec<Vec<Model>> = vec![Vec::new()];
    let mut next = 0;
    while next < all.len() {
        let more: Vec<_> = over.set().iter().filter(|x| !all[next].contains(x)).cloned().collect();
        for x in more {
            all.push([all[next].clone(), vec![x]].concat());
        }
        next += 1;
    }
    all.into_iter().map(|list| sequence_of(&list))
}

pub fn is_in_space(name: &str, relation: &Model, a: &Model, b: &Model) -> bool {
    let size = relation.set().len();
    let lefts: BTreeSet<_> = relation.pairs().map(|(x, _)| x).collect();
    let rights: BTreeSet<_> = relation.pairs().map(|(_, y)| y).collect();
    relation.set().is_subset(product(a, b).set())
        && (name.ends_with("relations") || lefts.len() == size)
        && (!name.starts_with("total") || lefts.len() == a.set().len())
        && (!(name.ends_with("injections") || name.ends_with("bijections")) || rights.len() == size)
        && (!["surjective", "surjections", "bijections"].iter().any(|word| name.contains(word))
            || rights.len() == b.set().len())
}
