//! From nodes and arcs by id to a net by number: ids are unique, references are followed, arcs are checked
//! and added up. Arcs may come before the nodes they name, so everything waits for `finish`.

use super::source::Position;
use super::{ParsedNet, ReadError};
use hashbrown::{DefaultHashBuilder, HashTable};
use std::hash::BuildHasher;

/// An id of the file as a number. One arena holds all of them: arcs are many, their ids short.
type Symbol = u32;

#[derive(Default)]
struct Symbols {
    text: String,
    ends: Vec<usize>,
    table: HashTable<Symbol>,
    hasher: DefaultHashBuilder,
}

impl Symbols {
    fn name(&self, symbol: Symbol) -> &str {
        name(&self.text, &self.ends, symbol)
    }

    fn intern(&mut self, id: &str, at: Position) -> Result<Symbol, ReadError> {
        let Symbols { text, ends, table, hasher } = self;
        let hash = hasher.hash_one(id);
        if let Some(&symbol) = table.find(hash, |&symbol| name(text, ends, symbol) == id) {
            return Ok(symbol);
        }
        let symbol = Symbol::try_from(ends.len()).map_err(|_| at.unsupported("more than 2^32 ids"))?;
        text.push_str(id);
        ends.push(text.len());
        table.insert_unique(hash, symbol, |&symbol| hasher.hash_one(name(text, ends, symbol)));
        Ok(symbol)
    }
}

fn name<'a>(text: &'a str, ends: &[usize], symbol: Symbol) -> &'a str {
    let index = symbol as usize;
    let start = if index == 0 { 0 } else { ends[index - 1] };
    &text[start..ends[index]]
}

/// What an id stands for. There are fewer of each than symbols, so their numbers fit as well.
#[derive(Clone, Copy)]
enum Node {
    Unknown,
    Place(u32),
    Transition(u32),
    Reference { to_place: bool, target: Symbol, at: Position },
    Arc,
}

impl Node {
    fn kind(self) -> &'static str {
        match self {
            Node::Unknown => "nothing",
            Node::Place(_) => "place",
            Node::Transition(_) => "transition",
            Node::Reference { .. } => "reference",
            Node::Arc => "arc",
        }
    }
}

struct Arc {
    id: Symbol,
    source: Symbol,
    target: Symbol,
    weight: u64,
    at: Position,
}

#[derive(Default)]
pub(super) struct Builder {
    symbols: Symbols,
    /// By symbol.
    nodes: Vec<Node>,
    references: Vec<Symbol>,
    arcs: Vec<Arc>,
    net: ParsedNet,
}

impl Builder {
    pub(super) fn name_net(&mut self, name: &str) {
        self.net.name = name.to_owned();
    }

    pub(super) fn place(&mut self, id: &str, at: Position) -> Result<(), ReadError> {
        self.declare(id, at, Node::Place(self.net.place_ids.len() as u32))?;
        self.net.place_ids.push(id.to_owned());
        self.net.place_names.push(None);
        self.net.initial.push(0);
        Ok(())
    }

    pub(super) fn transition(&mut self, id: &str, at: Position) -> Result<(), ReadError> {
        self.declare(id, at, Node::Transition(self.net.transition_ids.len() as u32))?;
        self.net.transition_ids.push(id.to_owned());
        self.net.transition_names.push(None);
        Ok(())
    }

    pub(super) fn reference(
        &mut self,
        id: &str,
        to_place: bool,
        target: &str,
        at: Position,
    ) -> Result<(), ReadError> {
        let target = self.intern(target, at)?;
        let symbol = self.declare(id, at, Node::Reference { to_place, target, at })?;
        self.references.push(symbol);
        Ok(())
    }

    pub(super) fn arc(
        &mut self,
        id: &str,
        source: &str,
        target: &str,
        at: Position,
    ) -> Result<(), ReadError> {
        let id = self.declare(id, at, Node::Arc)?;
        let (source, target) = (self.intern(source, at)?, self.intern(target, at)?);
        self.arcs.push(Arc { id, source, target, weight: 1, at });
        Ok(())
    }

    /// The place, transition or arc declared last is the one the walk is inside of.
    pub(super) fn name_last_place(&mut self, name: String) {
        set_last(&mut self.net.place_names, (!name.is_empty()).then_some(name));
    }

    pub(super) fn name_last_transition(&mut self, name: String) {
        set_last(&mut self.net.transition_names, (!name.is_empty()).then_some(name));
    }

    pub(super) fn mark_last_place(&mut self, tokens: u64) {
        set_last(&mut self.net.initial, tokens);
    }

    pub(super) fn weigh_last_arc(&mut self, weight: u64) {
        if let Some(arc) = self.arcs.last_mut() {
            arc.weight = weight;
        }
    }

    fn intern(&mut self, id: &str, at: Position) -> Result<Symbol, ReadError> {
        let symbol = self.symbols.intern(id, at)?;
        if symbol as usize == self.nodes.len() {
            self.nodes.push(Node::Unknown);
        }
        Ok(symbol)
    }

    fn declare(&mut self, id: &str, at: Position, node: Node) -> Result<Symbol, ReadError> {
        let symbol = self.intern(id, at)?;
        match self.nodes[symbol as usize] {
            Node::Unknown => self.nodes[symbol as usize] = node,
            other => {
                let hint = format!(
                    "it already names a{} {}",
                    if other.kind() == "arc" { "n" } else { "" },
                    other.kind()
                );
                return Err(at.error(format!("id '{id}' is used twice")).hint(hint));
            }
        }
        Ok(symbol)
    }

    pub(super) fn finish(mut self) -> Result<ParsedNet, ReadError> {
        for index in 0..self.references.len() {
            self.follow(self.references[index])?;
        }
        let transitions = self.net.transition_ids.len();
        let mut consumes = vec![Vec::new(); transitions];
        let mut produces = vec![Vec::new(); transitions];
        for arc in &self.arcs {
            match (self.nodes[arc.source as usize], self.nodes[arc.target as usize]) {
                (Node::Place(place), Node::Transition(t)) => consumes[t as usize].push((place, arc.weight)),
                (Node::Transition(t), Node::Place(place)) => produces[t as usize].push((place, arc.weight)),
                _ => return Err(self.misplaced(arc)),
            }
        }
        if !consumes.iter_mut().chain(&mut produces).all(add_up) {
            return Err(self.overflow());
        }
        self.net.consumes = consumes;
        self.net.produces = produces;
        Ok(self.net)
    }

    /// Replaces a reference, and all references on its path, by what they lead to: every link is followed once.
    fn follow(&mut self, start: Symbol) -> Result<(), ReadError> {
        let mut path = Vec::new();
        let mut symbol = start;
        while let Node::Reference { target, at, .. } = self.nodes[symbol as usize] {
            if path.len() == self.references.len() {
                return Err(
                    at.error(format!("reference '{}' leads back to itself", self.symbols.name(symbol)))
                );
            }
            path.push(symbol);
            symbol = target;
        }
        let end = self.nodes[symbol as usize];
        for &passed in path.iter().rev() {
            if let Node::Reference { to_place, at, .. } = self.nodes[passed as usize] {
                self.check_reference(passed, to_place, symbol, at)?;
            }
            self.nodes[passed as usize] = end;
        }
        Ok(())
    }

    fn check_reference(
        &self,
        from: Symbol,
        to_place: bool,
        to: Symbol,
        at: Position,
    ) -> Result<(), ReadError> {
        let (from, name) = (self.symbols.name(from), self.symbols.name(to));
        match (self.nodes[to as usize], to_place) {
            (Node::Place(_), true) | (Node::Transition(_), false) => Ok(()),
            (Node::Place(_), false) => {
                Err(at.error(format!("reference '{from}' of a transition leads to the place '{name}'")))
            }
            (Node::Transition(_), true) => {
                Err(at.error(format!("reference '{from}' of a place leads to the transition '{name}'")))
            }
            _ => Err(at.error(format!("reference '{from}' names no node '{name}'"))),
        }
    }

    fn misplaced(&self, arc: &Arc) -> ReadError {
        let (id, source, target) =
            (self.symbols.name(arc.id), self.symbols.name(arc.source), self.symbols.name(arc.target));
        match (self.nodes[arc.source as usize], self.nodes[arc.target as usize]) {
            (Node::Place(_), Node::Place(_)) => {
                arc.at.error(format!("arc '{id}' joins the places '{source}' and '{target}'"))
            }
            (Node::Transition(_), Node::Transition(_)) => {
                arc.at.error(format!("arc '{id}' joins the transitions '{source}' and '{target}'"))
            }
            (Node::Place(_) | Node::Transition(_), _) => {
                arc.at.error(format!("arc '{id}' names no node '{target}'"))
            }
            _ => arc.at.error(format!("arc '{id}' names no node '{source}'")),
        }
    }

    /// Sums were lost while adding up; the arc that went too far is looked for only now.
    fn overflow(&self) -> ReadError {
        let ends =
            |arc: &Arc| (number(self.nodes[arc.source as usize]), number(self.nodes[arc.target as usize]));
        let mut order: Vec<&Arc> = self.arcs.iter().collect();
        order.sort_by_key(|arc| ends(arc));
        let mut sum = 0u64;
        let mut previous = None;
        for arc in order {
            let before = if previous == Some(ends(arc)) { sum } else { 0 };
            previous = Some(ends(arc));
            match before.checked_add(arc.weight) {
                Some(total) => sum = total,
                None => return arc.at.error(self.overflow_message(arc)),
            }
        }
        Position::START.error("parallel arcs add up to a weight beyond 64 bits")
    }

    fn overflow_message(&self, arc: &Arc) -> String {
        let (source, target) = (self.symbols.name(arc.source), self.symbols.name(arc.target));
        format!("the arcs from '{source}' to '{target}' add up to a weight beyond 64 bits")
    }
}

/// Places and transitions apart, so that both directions of an arc can be compared.
fn number(node: Node) -> (bool, u32) {
    match node {
        Node::Place(place) => (false, place),
        Node::Transition(transition) => (true, transition),
        Node::Unknown | Node::Reference { .. } | Node::Arc => (false, u32::MAX),
    }
}

fn set_last<T>(values: &mut [T], value: T) {
    if let Some(last) = values.last_mut() {
        *last = value;
    }
}

/// Sorts by place and joins arcs of one place; false where a sum is beyond 64 bits.
fn add_up(arcs: &mut Vec<(u32, u64)>) -> bool {
    let mut fits = true;
    arcs.sort_unstable_by_key(|&(place, _)| place);
    arcs.dedup_by(|&mut (place, weight), kept| {
        let same = place == kept.0;
        if same {
            let sum = kept.1.checked_add(weight);
            fits &= sum.is_some();
            kept.1 = sum.unwrap_or(u64::MAX);
        }
        same
    });
    arcs.shrink_to_fit();
    fits
}
