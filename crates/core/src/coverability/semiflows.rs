//! P-semiflows: weights y >= 0 of slots such that no transition changes the weighted number of tokens y M.
//!
//! By the algorithm of Farkas over whole numbers: rows (what each transition adds to the weighted number | weights), columns
//! eliminated one by one by adding rows of opposite sign. There may be exponentially many minimal semiflows, so rows beyond a
//! budget are dropped, those with the most slots first. What is left are semiflows all the same; only some may be missing.

use super::clock::{Clock, Limits};
use super::system::System;

const MAX_WORK: usize = 20_000_000;
/// Rows kept per row at the start, and some more.
const MAX_GROWTH: usize = 2;
const SPARE_ROWS: usize = 200;

/// Weights above 0, by slot.
pub type Semiflow = Vec<(u32, i128)>;

struct Row {
    /// What the transitions add, by column; no zeros.
    changes: Vec<(u32, i128)>,
    weights: Semiflow,
}

pub fn semiflows(system: &System, clock: &mut Clock) -> Vec<Semiflow> {
    let mut rows = first_rows(system);
    let most = rows.len() * MAX_GROWTH + SPARE_ROWS;
    let mut signs = vec![(0usize, 0usize); system.transitions.len()];
    let mut work = 0;
    loop {
        signs.fill((0, 0));
        for row in &rows {
            work += row.changes.len() + 1;
            for &(column, n) in &row.changes {
                let (positive, negative) = &mut signs[column as usize];
                *(if n > 0 { positive } else { negative }) += 1;
            }
        }
        work += signs.len();
        if work > MAX_WORK || clock.poll() {
            break;
        }
        let open = signs.iter().enumerate().filter(|(_, (p, n))| p + n > 0);
        let Some((column, cheapest)) = open.min_by_key(|(_, (p, n))| p * n) else { break };
        if cheapest.0 * cheapest.1 > 0 {
            work += eliminate(&mut rows, column as u32, most);
        } else {
            // Rows that change a column of one sign can't be part of a sum that does not.
            let is_single = |column: u32| signs[column as usize].0 * signs[column as usize].1 == 0;
            rows.retain(|row| !row.changes.iter().any(|&(column, _)| is_single(column)));
        }
    }
    rows.into_iter().filter(|row| row.changes.is_empty()).map(|row| row.weights).collect()
}

fn first_rows(system: &System) -> Vec<Row> {
    let mut rows: Vec<Row> = (0..system.width())
        .map(|slot| Row { changes: Vec::new(), weights: vec![(slot as u32, 1)] })
        .collect();
    for (number, transition) in system.transitions.iter().enumerate() {
        for &(slot, n) in &transition.effect {
            rows[slot as usize].changes.push((number as u32, n));
        }
    }
    rows
}

/// Replaces the rows that change a column by their sums that do not; returns what it cost.
fn eliminate(rows: &mut Vec<Row>, column: u32, most: usize) -> usize {
    let at = |row: &Row| match row.changes.binary_search_by_key(&column, |&(c, _)| c) {
        Ok(found) => row.changes[found].1,
        Err(_) => 0,
    };
    let (mut positive, mut negative) = (Vec::new(), Vec::new());
    let mut kept = Vec::with_capacity(rows.len());
    for row in rows.drain(..) {
        match at(&row) {
            0 => kept.push(row),
            n if n > 0 => positive.push((n, row)),
            n => negative.push((-n, row)),
        }
    }
    let mut sums: Vec<Row> = Vec::new();
    let mut work = 0;
    'all: for (p, up) in &positive {
        for (n, down) in &negative {
            work += up.changes.len() + down.changes.len() + up.weights.len() + down.weights.len();
            // Sums beyond 128 bits are left out, as those beyond the budget.
            sums.extend(sum(up, *n, down, *p));
            if sums.len() > 4 * most || work > MAX_WORK {
                break 'all;
            }
        }
    }
    sums.sort_by_key(|row| row.weights.len());
    let mut chosen: Vec<(u64, Row)> = Vec::new();
    for row in sums {
        if chosen.len() + kept.len() >= most {
            break;
        }
        // Of rows of which one uses only slots of the other, the other is a sum of smaller ones.
        let mask = row.weights.iter().fold(0u64, |mask, &(slot, _)| mask | 1 << (slot % 64));
        work += chosen.len();
        if !chosen
            .iter()
            .any(|(other, smaller)| other & !mask == 0 && is_within(&smaller.weights, &row.weights))
        {
            chosen.push((mask, row));
        }
    }
    kept.extend(chosen.into_iter().map(|(_, row)| row));
    *rows = kept;
    work
}

fn is_within(small: &Semiflow, large: &Semiflow) -> bool {
    let mut rest = large.iter();
    small.len() <= large.len() && small.iter().all(|(slot, _)| rest.any(|(other, _)| other == slot))
}

/// a * first + b * second, divided by what all numbers have in common.
fn sum(first: &Row, a: i128, second: &Row, b: i128) -> Option<Row> {
    let mut changes = combined(&first.changes, a, &second.changes, b)?;
    let mut weights = combined(&first.weights, a, &second.weights, b)?;
    let common = changes.iter().chain(&weights).fold(0, |d, &(_, n)| gcd(d, n.abs()));
    changes.iter_mut().chain(&mut weights).for_each(|(_, n)| *n /= common);
    Some(Row { changes, weights })
}

fn combined(first: &[(u32, i128)], a: i128, second: &[(u32, i128)], b: i128) -> Option<Vec<(u32, i128)>> {
    let mut found = Vec::with_capacity(first.len() + second.len());
    let (mut i, mut j) = (0, 0);
    while i < first.len() || j < second.len() {
        let x = first.get(i).map_or(u32::MAX, |each| each.0);
        let y = second.get(j).map_or(u32::MAX, |each| each.0);
        let at = x.min(y);
        let mut n = 0i128;
        if x == at {
            n = first[i].1.checked_mul(a)?;
            i += 1;
        }
        if y == at {
            n = n.checked_add(second[j].1.checked_mul(b)?)?;
            j += 1;
        }
        if n != 0 {
            found.push((at, n));
        }
    }
    Some(found)
}

fn gcd(mut a: i128, mut b: i128) -> i128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

/// The weighted number of tokens; None beyond 128 bits.
pub fn weighted(semiflow: &Semiflow, marking: &[u64]) -> Option<i128> {
    semiflow.iter().try_fold(0i128, |sum, &(slot, weight)| {
        sum.checked_add(weight.checked_mul(i128::from(marking[slot as usize]))?)
    })
}

/// By slot: what semiflows say that it holds at most in a reachable marking; None where they say nothing.
pub fn upper_bounds(system: &System, semiflows: &[Semiflow]) -> Vec<Option<u64>> {
    let mut bounds: Vec<Option<u64>> = vec![None; system.width()];
    for semiflow in semiflows {
        let Some(total) = weighted(semiflow, &system.initial) else { continue };
        for &(slot, weight) in semiflow {
            let Ok(most) = u64::try_from(total / weight) else { continue };
            let bound = &mut bounds[slot as usize];
            *bound = Some(bound.map_or(most, |before| before.min(most)));
        }
    }
    // What holds for one slot of an orbit holds for all of it: a symmetry maps a semiflow to a semiflow.
    for orbit in system.orbit_starts.windows(2) {
        let members = &system.orbit_slots[orbit[0]..orbit[1]];
        let best = members.iter().filter_map(|&slot| bounds[slot as usize]).min();
        members.iter().for_each(|&slot| bounds[slot as usize] = best);
    }
    bounds
}

/// Semiflows by place, for tests: each class of identical places by its first.
pub fn place_semiflows(system: &System) -> Vec<Vec<(u32, i128)>> {
    let mut go_on = |_: &crate::search::Progress| true;
    let mut clock = Clock::new(Limits::default(), &mut go_on);
    let mut place_of = vec![u32::MAX; system.width()];
    for place in (0..system.places() as u32).rev() {
        if let Ok(slot) = system.place(place) {
            place_of[slot as usize] = place;
        }
    }
    let named = |y: Semiflow| y.into_iter().map(|(slot, n)| (place_of[slot as usize], n)).collect();
    semiflows(system, &mut clock).into_iter().map(named).collect()
}
