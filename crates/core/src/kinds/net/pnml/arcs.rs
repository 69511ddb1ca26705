//! The arcs of a net as PNML. In: ids, arcs transition by transition. Out: text, an element on each line.

use std::fmt::Write;

use crate::kinds::net::Arcs;

/// Numbers arcs from 1 on; an id is `prefix` and the number.
pub struct ArcWriter {
    prefix: String,
    places: Vec<String>,
    next: u64,
}

impl ArcWriter {
    pub fn new(prefix: String, places: Vec<String>) -> ArcWriter {
        ArcWriter { prefix, places, next: 1 }
    }

    pub fn places(&self) -> usize {
        self.places.len()
    }

    /// The arcs of one transition. Places are among those that there are.
    pub fn write(&mut self, transition: &str, consumes: &Arcs, produces: &Arcs, text: &mut String) {
        for &(place, weight) in consumes {
            self.begin(text);
            let _ = write!(text, "{}\" target=\"{transition}\">", self.places[place as usize]);
            end(weight, text);
        }
        for &(place, weight) in produces {
            self.begin(text);
            let _ = write!(text, "{transition}\" target=\"{}\">", self.places[place as usize]);
            end(weight, text);
        }
    }

    fn begin(&mut self, text: &mut String) {
        let _ = write!(text, "      <arc id=\"{}{}\" source=\"", self.prefix, self.next);
        self.next += 1;
    }
}

fn end(weight: u64, text: &mut String) {
    if weight > 1 {
        let _ = write!(text, "<inscription><text>{weight}</text></inscription>");
    }
    text.push_str("</arc>\n");
}
