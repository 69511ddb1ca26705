//! Sets and functions, built element by element and point by point, and abandoned as soon as a condition is false.

use crate::kinds::machine::evaluate::memory::{Halt, Memory, Partial, Why};
use crate::kinds::machine::evaluate::{Answer, Evaluator};
use crate::kinds::machine::nodes::Id;
use crate::kinds::machine::plan::{Functions, Subsets};
use crate::kinds::machine::solve::{Goal, Onward};
use crate::kinds::machine::values::Value;

/// Sets with more open elements than this have more subsets than can be tried.
const MAX_OPEN: usize = 10_000;

impl Evaluator<'_> {
    /// Can what is built so far still become a solution?
    pub fn promises(&self, watched: &[Id], m: &mut Memory, is_lenient: bool) -> Answer<bool> {
        if watched.is_empty() {
            return Ok(true);
        }
        let before = std::mem::replace(&mut m.is_partial, true);
        let mut promises = Ok(true);
        for &id in watched {
            match self.truth(id, m) {
                Ok(true) | Err(Halt::Unknown) => {}
                Ok(false) => promises = Ok(false),
                Err(Halt::Undefined) if is_lenient => promises = Ok(false),
                Err(Halt::Undefined) => {}
                Err(halt) => promises = Err(halt),
            }
            if promises != Ok(true) {
                break;
            }
        }
        m.is_partial = before;
        promises
    }

    pub fn functions(
        &self,
        job: &Functions,
        onward: &Onward,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        let from = self.value(job.from, m);
        let to = |m: &mut Memory| job.to.map_or(Ok(Value::EMPTY), |to| self.value(to, m));
        let (from, to) = match from.and_then(|from| Ok((from, to(m)?))) {
            Ok(both) => both,
            Err(halt) => return self.instead(halt, onward, m, goal),
        };
        let (sources, targets) = (self.values.elements(from).len(), self.values.elements(to).len());
        let arrow = job.demands;
        let impossible = if job.is_wider {
            arrow.surjective
        } else {
            arrow.surjective && targets > sources
                || arrow.total && targets == 0 && sources > 0
                || arrow.injective && arrow.total && sources > targets
        };
        if impossible {
            return Ok(true);
        }
        let before = std::mem::replace(&mut m.env[job.slot as usize], Value::UNSET);
        let images = m.scratch.take();
        m.partials.push(Partial { slot: job.slot, domain: from, images, is_function: true });
        let depth = m.partials.len() - 1;
        let result = self.points(job, to, depth, onward, m, goal);
        if let Some(partial) = m.partials.pop() {
            m.scratch.give(partial.images);
        }
        m.env[job.slot as usize] = before;
        result
    }

    pub fn points(
        &self,
        job: &Functions,
        to: Value,
        depth: usize,
        onward: &Onward,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        let sources = self.values.elements(m.partials[depth].domain);
        let targets = self.values.elements(to);
        let decided = m.partials[depth].images.len();
        let arrow = job.demands;
        if arrow.surjective {
            let images = &m.partials[depth].images;
            let missing = targets.iter().filter(|&target| !images.contains(target)).count();
            if missing > sources.len() - decided {
                return Ok(true);
            }
        }
        if decided == sources.len() {
            m.tick_for_set(job.from)?;
            let mut pairs = m.scratch.take();
            for (&x, &image) in sources.iter().zip(&m.partials[depth].images) {
                if image != Value::UNSET {
                    pairs.push(self.values.pair(x, image));
                }
            }
            m.env[job.slot as usize] = m.scratch.set(self.values, pairs);
            let result = self.go_on(onward, m, goal);
            m.env[job.slot as usize] = Value::UNSET;
            return result;
        }
        let prescribed = self.prescribed(job, sources[decided], targets, m)?;
        if prescribed.is_none() && job.to.is_none() {
            return Err(m.limited(job.space, Why::Infinite));
        }
        if prescribed.is_none() && job.is_wider {
            self.code.cuts.record(job.slot, m);
        }
        // Without an image what prescribes one is undefined.
        let is_given = prescribed.is_some() && goal.is_lenient;
        let absent = (!arrow.total && !is_given).then_some(Value::UNSET);
        let images = prescribed.as_deref().unwrap_or(targets);
        for image in absent.into_iter().chain(images.iter().copied()) {
            m.tick(job.from)?;
            if arrow.injective && image != Value::UNSET && m.partials[depth].images.contains(&image) {
                continue;
            }
            m.partials[depth].images.push(image);
            let goes_on = match self.promises(&job.watched, m, goal.is_lenient) {
                Ok(true) => self.points(job, to, depth, onward, m, goal),
                other => other.map(|_| true),
            };
            m.partials[depth].images.truncate(decided);
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn subsets(&self, job: &Subsets, onward: &Onward, m: &mut Memory, goal: &mut Goal) -> Answer<bool> {
        let of = match self.value(job.of, m) {
            Ok(of) => of,
            Err(halt) => return self.instead(halt, onward, m, goal),
        };
        // By element: UNSET where both are possible.
        let mut forced = vec![Value::UNSET; self.values.elements(of).len()];
        match self.forced(job, of, &mut forced, m) {
            Ok(true) => {}
            Ok(false) => return Ok(true),
            Err(halt) => return self.instead(halt, onward, m, goal),
        }
        if forced.iter().filter(|&&each| each == Value::UNSET).count() > MAX_OPEN {
            return Err(m.limited(job.of, Why::TooManyCandidates));
        }
        let before = std::mem::replace(&mut m.env[job.slot as usize], Value::UNSET);
        let images = m.scratch.take();
        m.partials.push(Partial { slot: job.slot, domain: of, images, is_function: false });
        let depth = m.partials.len() - 1;
        let result = self.elements(job, &forced, depth, onward, m, goal);
        if let Some(partial) = m.partials.pop() {
            m.scratch.give(partial.images);
        }
        m.env[job.slot as usize] = before;
        result
    }

    /// What must and must not be in the set; false where that is impossible.
    pub fn forced(&self, job: &Subsets, of: Value, forced: &mut [Value], m: &mut Memory) -> Answer<bool> {
        let elements = self.values.elements(of);
        let mut force = |element: Value, what: Value| match elements.binary_search(&element) {
            Ok(at) if forced[at] == Value::UNSET || forced[at] == what => {
                forced[at] = what;
                true
            }
            Ok(_) => false,
            Err(_) => what == Value::FALSE,
        };
        let mut possible = true;
        for &each in &job.members {
            possible &= force(self.value(each, m)?, Value::TRUE);
        }
        for &each in &job.parts {
            let part = self.value(each, m)?;
            for &element in self.values.elements(part) {
                possible &= force(element, Value::TRUE);
            }
        }
        for &each in &job.strangers {
            possible &= force(self.value(each, m)?, Value::FALSE);
        }
        Ok(possible)
    }

    pub fn elements(
        &self,
        job: &Subsets,
        forced: &[Value],
        depth: usize,
        onward: &Onward,
        m: &mut Memory,
        goal: &mut Goal,
    ) -> Answer<bool> {
        let decided = m.partials[depth].images.len();
        if decided == forced.len() {
            m.tick_for_set(job.of)?;
            let mut chosen = m.scratch.take();
            let elements = self.values.elements(m.partials[depth].domain);
            for (&element, &image) in elements.iter().zip(&m.partials[depth].images) {
                if image == Value::TRUE {
                    chosen.push(element);
                }
            }
            m.env[job.slot as usize] = m.scratch.sorted_set(self.values, chosen);
            let result = self.go_on(onward, m, goal);
            m.env[job.slot as usize] = Value::UNSET;
            return result;
        }
        for image in [Value::FALSE, Value::TRUE] {
            if forced[decided] != Value::UNSET && forced[decided] != image {
                continue;
            }
            m.tick(job.of)?;
            m.partials[depth].images.push(image);
            let goes_on = match self.promises(&job.watched, m, goal.is_lenient) {
                Ok(true) => self.elements(job, forced, depth, onward, m, goal),
                other => other.map(|_| true),
            };
            m.partials[depth].images.truncate(decided);
            if !goes_on? {
                return Ok(false);
            }
        }
        Ok(true)
    }
}
