//! How long things take: `cargo test --release -p burnside-core machine -- --ignored --nocapture timing`.

use std::hint::black_box;
use std::time::Instant;

use crate::kinds::machine::operators::memo::Memo;
use crate::kinds::machine::operators::{Scratch, closures, composition, relations, sets};
use crate::kinds::machine::values::{Value, Values};
use crate::random::Random;

/// The best of many short runs, so that what else the machine does has little part in it.
fn measure<T>(name: &str, mut once: impl FnMut(usize) -> T) {
    let (runs, turns) = (200, 5_000);
    let mut best = f64::MAX;
    for _ in 0..runs {
        let start = Instant::now();
        (0..turns).for_each(|n| _ = black_box(once(n)));
        best = best.min(start.elapsed().as_nanos() as f64 / turns as f64);
    }
    println!("{name:<48}{best:8.1} ns");
}

#[test]
#[ignore = "measures, does not judge"]
fn timing() {
    let values = Values::new();
    let mut scratch = Scratch::default();
    let mut random = Random::new(1);
    let mut draw = |size: usize, below: usize| {
        let elements = (0..size).map(|_| Values::point(random.below(below) as u32)).collect::<Vec<_>>();
        let set = values.set(&mut elements.clone());
        (values.elements(set).to_vec(), set)
    };
    let tens: Vec<_> = (0..1024).map(|_| draw(10, 40)).collect();
    let many: Vec<_> = (0..1024).map(|_| draw(100, 400)).collect();
    let points: Vec<Value> = (0..64).map(Values::point).collect();
    let functions: Vec<Value> = tens
        .iter()
        .map(|(elements, _)| {
            values.set(&mut points.iter().zip(elements).map(|(&x, &y)| values.pair(x, y)).collect())
        })
        .collect();
    let keys: Vec<Value> = points[..8].iter().map(|&x| values.pair(x, points[1])).collect();
    let nested: Vec<Value> = tens
        .iter()
        .map(|(elements, _)| {
            values.set(&mut keys.iter().zip(elements).map(|(&x, &y)| values.pair(x, y)).collect())
        })
        .collect();
    let wide: Vec<Value> = keys
        .iter()
        .flat_map(|&x| points.iter().map(move |&y| (x, y)))
        .map(|(x, y)| values.pair(x, y))
        .collect();

    measure("pair in the handle", |n| values.pair(points[n % 64], points[n % 61]));
    measure("pair, interned", |n| values.pair(keys[n % 8], points[n % 61]));
    measure("set of 10, known, ascending", |n| values.sorted_set(&tens[n % 1024].0));
    measure("set of 100, known, ascending", |n| values.sorted_set(&many[n % 1024].0));
    measure("view of a set", |n| values.elements(tens[n % 1024].1).len());
    measure("parts of an interned pair", |n| values.parts(wide[n % wide.len()]));
    measure("member of 10", |n| sets::member(&values, points[n % 61], tens[n % 1024].1));
    measure("subset, 10 of 10", |n| sets::subset(&values, tens[n % 1024].1, tens[(n + 1) % 1024].1));
    measure("apply, 10 pairs in handles", |n| relations::apply(&values, functions[n % 1024], points[n % 7]));
    measure("apply, 8 interned pairs", |n| relations::apply(&values, nested[n % 1024], keys[n % 7]));
    let mut memo = Memo::default();
    measure("apply, 8 interned pairs, remembered", |n| {
        let (f, x) = (nested[n % 1024], keys[n % 7]);
        memo.get_or(1, f, x, || relations::apply(&values, f, x))
    });
    measure("union, 10 and 10", |n| sets::union(&values, &mut scratch, tens[n % 32].1, tens[n % 31].1));
    measure("difference, 10 and 10", |n| {
        sets::difference(&values, &mut scratch, tens[n % 32].1, tens[n % 31].1)
    });
    measure("update of one pair of 10", |n| {
        relations::updated(&values, &mut scratch, functions[n % 32], points[n % 5], points[n % 6])
    });
    measure("override by 10 of 10", |n| {
        relations::override_(&values, &mut scratch, functions[n % 32], functions[n % 31])
    });
    measure("domain of 10", |n| relations::domain(&values, &mut scratch, functions[n % 32]));
    measure("inverse of 10", |n| relations::inverse(&values, &mut scratch, functions[n % 32]));
    measure("compose 10, 10", |n| {
        composition::compose(&values, &mut scratch, functions[n % 32], functions[n % 31])
    });
    measure("closure1 of 10", |n| closures::closure1(&values, &mut scratch, functions[n % 32]));
    let images: Vec<u32> = (0..400).rev().collect();
    let mut stack = Vec::new();
    measure("renamed function of 10", |n| values.renamed(functions[n % 32], &images, &mut stack));
    let fresh = Values::new();
    let start = Instant::now();
    for n in 0..1_000_000u32 {
        let x = Values::point(n % 1000);
        black_box(fresh.sorted_set(&[x, Values::point(1000 + n / 1000), Values::point(3000 + n % 7)]));
    }
    let each = start.elapsed().as_nanos() as f64 / 1e6;
    println!("{:<48}{each:8.1} ns, {:.1} bytes", "new set of 3", fresh.bytes() as f64 / fresh.size() as f64);
}
