//! Whole numbers of 64 bits; beyond them there is an error, never a wrong number.

use super::super::values::{Value, Values};
use super::{Outcome, Scratch, Undefined};

/// The number; the caller has checked that it is one.
#[inline(always)]
pub fn number(values: &Values, value: Value) -> i64 {
    values.as_number(value).unwrap_or_default()
}

#[inline(always)]
fn checked(values: &Values, result: Option<i64>) -> Outcome {
    result.map(|number| values.number(number)).ok_or(Undefined::NumberTooLarge)
}

pub fn add(values: &Values, a: Value, b: Value) -> Outcome {
    checked(values, number(values, a).checked_add(number(values, b)))
}

pub fn subtract(values: &Values, a: Value, b: Value) -> Outcome {
    checked(values, number(values, a).checked_sub(number(values, b)))
}

pub fn multiply(values: &Values, a: Value, b: Value) -> Outcome {
    checked(values, number(values, a).checked_mul(number(values, b)))
}

/// Rounds towards zero.
pub fn divide(values: &Values, a: Value, b: Value) -> Outcome {
    match number(values, b) {
        0 => Err(Undefined::DivisionByZero),
        b => checked(values, number(values, a).checked_div(b)),
    }
}

pub fn modulo(values: &Values, a: Value, b: Value) -> Outcome {
    match (number(values, a), number(values, b)) {
        (_, 0) => Err(Undefined::DivisionByZero),
        (a, b) if a < 0 || b < 0 => Err(Undefined::NegativeModulo),
        (a, b) => Ok(values.number(a % b)),
    }
}

pub fn power(values: &Values, a: Value, b: Value) -> Outcome {
    let (base, exponent) = (number(values, a), number(values, b));
    if exponent < 0 {
        return Err(Undefined::NegativeExponent);
    }
    let result = match base {
        // These have powers with every exponent.
        0 | 1 => Some(if exponent == 0 { 1 } else { base }),
        -1 => Some(if exponent % 2 == 0 { 1 } else { -1 }),
        _ => u32::try_from(exponent).ok().and_then(|exponent| base.checked_pow(exponent)),
    };
    checked(values, result)
}

pub fn negate(values: &Values, a: Value) -> Outcome {
    checked(values, number(values, a).checked_neg())
}

pub fn less(values: &Values, a: Value, b: Value) -> bool {
    number(values, a) < number(values, b)
}

pub fn less_equal(values: &Values, a: Value, b: Value) -> bool {
    number(values, a) <= number(values, b)
}

pub fn min(values: &Values, set: Value) -> Outcome {
    let least = values.elements(set).iter().min_by_key(|&&each| number(values, each));
    least.copied().ok_or(Undefined::EmptyMin)
}

pub fn max(values: &Values, set: Value) -> Outcome {
    let greatest = values.elements(set).iter().max_by_key(|&&each| number(values, each));
    greatest.copied().ok_or(Undefined::EmptyMin)
}

pub fn interval(values: &Values, scratch: &mut Scratch, a: Value, b: Value) -> Outcome {
    let (from, to) = (number(values, a), number(values, b));
    if from > to {
        return Ok(Value::EMPTY);
    }
    scratch.admit(usize::try_from(to.abs_diff(from)).unwrap_or(usize::MAX).saturating_add(1))?;
    let mut out = scratch.take();
    out.extend((from..=to).map(|each| values.number(each)));
    Ok(scratch.set(values, out))
}
