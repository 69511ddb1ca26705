//! The walk over the XML: which element may stand where, what is skipped, what is refused and why.
//!
//! Elements are identified by their local names, whatever the prefix. Open elements are a vector, not calls: depth
//! costs no stack.

use super::build::Builder;
use super::source::{Position, Source};
use super::xml::{
    Attributes, check_characters, doctype_refused, encoding_refused, explain, is_latin_1, predefined,
    present, quoted, shortened, undefined,
};
use super::{ParsedNet, ReadError};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use std::io::BufRead;

pub(super) fn read(input: impl BufRead, latin_1: bool) -> Result<ParsedNet, ReadError> {
    let mut reader = Reader::from_reader(Source::new(input));
    if matches!(reader.get_mut().looks_like_utf_16(), Ok(true)) {
        return Err(encoding_refused(Position::START, "UTF-16"));
    }
    if latin_1 {
        reader.get_mut().decode_latin_1();
    }
    let mut walk = Walk::default();
    let mut buffer = Vec::new();
    loop {
        buffer.clear();
        let at = reader.get_ref().position();
        let event = match reader.read_event_into(&mut buffer) {
            Ok(event) => event,
            Err(error) => return Err(explain(error, at, &buffer, walk.opened())),
        };
        match event {
            Event::Start(tag) => walk.start(&tag, at)?,
            Event::Empty(tag) => {
                walk.start(&tag, at)?;
                walk.end(at)?;
            }
            Event::End(_) => walk.end(at)?,
            Event::Text(text) => walk.text(&text.xml10_content(), at)?,
            Event::CData(text) => walk.text(&text.xml10_content(), at)?,
            Event::GeneralRef(entity) => walk.entity(&entity, at)?,
            Event::Decl(declaration) => {
                if is_latin_1(&declaration, at)? {
                    reader.get_mut().decode_latin_1();
                }
            }
            Event::DocType(_) => return Err(doctype_refused(at)),
            Event::Comment(_) | Event::PI(_) => {}
            Event::Eof => return walk.finish(at),
        }
    }
}

/// Elements that mean something here. Everything else is skipped with all that is in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Element {
    Pnml,
    Net,
    Page,
    Place,
    Transition,
    ReferencePlace,
    ReferenceTransition,
    Arc,
    Name,
    Marking,
    Capacity,
    Inscription,
    ArcType,
    /// A tool's own part of an arc: skipped, but for a type that changes what the arc means.
    ArcTool,
    ArcToolType,
    Text,
}

impl Element {
    fn tag(self) -> &'static str {
        match self {
            Element::Pnml => "pnml",
            Element::Net => "net",
            Element::Page => "page",
            Element::Place => "place",
            Element::Transition => "transition",
            Element::ReferencePlace => "referencePlace",
            Element::ReferenceTransition => "referenceTransition",
            Element::Arc => "arc",
            Element::Name => "name",
            Element::Marking => "initialMarking",
            Element::Capacity => "capacity",
            Element::Inscription => "inscription",
            Element::ArcType | Element::ArcToolType => "type",
            Element::ArcTool => "toolspecific",
            Element::Text => "text",
        }
    }

    /// The element called `name` inside of this one, if it means something there.
    fn child(self, name: &str) -> Option<Element> {
        use Element::*;
        Some(match (self, name) {
            (Pnml, "net") => Net,
            (Net | Page, "page") => Page,
            (Net | Page, "place") => Place,
            (Net | Page, "transition") => Transition,
            (Net | Page, "referencePlace") => ReferencePlace,
            (Net | Page, "referenceTransition") => ReferenceTransition,
            (Net | Page, "arc") => Arc,
            (Net | Place | Transition, "name") => Name,
            (Place, "initialMarking") => Marking,
            (Place, "capacity") => Capacity,
            (Arc, "inscription") => Inscription,
            (Arc, "type" | "arctype" | "arcType") => ArcType,
            (Arc, "toolspecific") => ArcTool,
            (ArcTool, "type" | "arctype" | "arcType") => ArcToolType,
            (ArcTool | ArcToolType, _) if name != "text" && name != "value" => ArcTool,
            // Before 2009, <value> was what <text> is now.
            (Name | Marking | Capacity | Inscription | ArcType | ArcToolType, "text" | "value") => Text,
            _ => return None,
        })
    }
}

/// Why an element must not be skipped, though it is none of ours: skipping it would change the net.
fn refusal(parent: Element, name: &str, at: Position) -> Option<ReadError> {
    match (parent, name) {
        (_, "hlinitialMarking" | "hlinscription" | "condition") => {
            let message = format!("<{name}> belongs to high-level nets, and this is a place/transition net");
            Some(at.error(message).hint(format!("symmetric nets are of type {SYMMETRIC}")))
        }
        (Element::Transition, "delay") => {
            Some(at.unsupported("<delay> belongs to time nets, which are not supported"))
        }
        (Element::Net | Element::Page, _) if name.to_ascii_lowercase().ends_with("arc") => {
            Some(at.unsupported(format!(
                "<{name}> is not supported: arcs are plain arcs of places and transitions"
            )))
        }
        (
            Element::Place | Element::Transition | Element::Arc | Element::Pnml,
            "page" | "place" | "transition" | "referencePlace" | "referenceTransition" | "arc",
        )
        | (_, "net" | "pnml") => Some(at.error(format!("<{name}> cannot stand inside <{}>", parent.tag()))),
        _ => None,
    }
}

const PLACE_TRANSITION: &str = "http://www.pnml.org/version-2009/grammar/ptnet";
const SYMMETRIC: &str = "http://www.pnml.org/version-2009/grammar/symmetricnet";

/// Judges a net by its type, before anything in it is looked at.
fn check_net_type(kind: Option<&str>, at: Position) -> Result<(), ReadError> {
    let Some(kind) = kind else { return Ok(()) };
    let folded = kind.to_ascii_lowercase();
    let last = folded.trim().rsplit(['/', '#']).next().unwrap_or_default();
    if ["symmetricnet", "highlevel", "hlpn", "hlnet", "hlcore"].iter().any(|name| last.contains(name)) {
        let error = at.unsupported(format!("a high-level net (net type {last}) is no place/transition net"));
        return Err(ReadError { high_level: true, ..error });
    }
    if folded.contains("ptnet") || folded.contains("p/t") || folded.contains("placetransition") {
        return Ok(());
    }
    let hint =
        format!("place/transition nets are of type {PLACE_TRANSITION}, symmetric nets of type {SYMMETRIC}");
    Err(at.unsupported(format!("net type {} is not known", quoted(kind))).hint(hint))
}

#[derive(Default)]
struct Walk {
    builder: Builder,
    /// The open elements that mean something, and how many more are open inside of the last one.
    open: Vec<(Element, Position)>,
    skipped: u64,
    seen_root: bool,
    seen_net: bool,
    /// The id of the last place or arc, for messages, and: has it its marking or weight already?
    id: String,
    has_number: bool,
    text: String,
    text_at: Option<Position>,
}

impl Walk {
    fn innermost(&self) -> Option<Element> {
        self.open.last().map(|&(element, _)| element)
    }

    /// The line of the innermost open tag, unless it is one that is skipped.
    fn opened(&self) -> Option<u32> {
        self.open.last().filter(|_| self.skipped == 0).map(|(_, start)| start.line())
    }

    fn start(&mut self, tag: &BytesStart<'_>, at: Position) -> Result<(), ReadError> {
        let attributes = Attributes::of(tag, at)?;
        if self.skipped > 0 {
            self.skipped += 1;
            return Ok(());
        }
        let name = tag.local_name();
        let name: &str = name.as_ref();
        let Some(parent) = self.innermost() else { return self.root(name, at) };
        let Some(element) = parent.child(name) else {
            self.skipped = 1;
            return refusal(parent, name, at).map_or(Ok(()), Err);
        };
        self.open.push((element, at));
        self.enter(element, &attributes, at)
    }

    fn root(&mut self, name: &str, at: Position) -> Result<(), ReadError> {
        if self.seen_root {
            return Err(at.error(format!("<{name}> behind the end of the document")));
        }
        if name != "pnml" {
            return Err(at.error(format!("not PNML: the root element is <{}>, not <pnml>", shortened(name))));
        }
        self.seen_root = true;
        self.open.push((Element::Pnml, at));
        Ok(())
    }

    fn enter(
        &mut self,
        element: Element,
        attributes: &Attributes<'_>,
        at: Position,
    ) -> Result<(), ReadError> {
        match element {
            Element::Net => self.net(attributes, at),
            Element::Place => {
                attributes.refuse_foreign("place", at)?;
                self.note_id(attributes.id("place", at)?);
                self.builder.place(&self.id, at)
            }
            Element::Transition => self.builder.transition(attributes.id("transition", at)?, at),
            Element::ReferencePlace | Element::ReferenceTransition => {
                let id = attributes.id("reference", at)?;
                let target = present(&attributes.reference, || format!("reference '{id}' has no ref"), at)?;
                self.builder.reference(id, element == Element::ReferencePlace, target, at)
            }
            Element::Arc => self.arc(attributes, at),
            Element::ArcType | Element::ArcToolType => {
                attributes.value.as_deref().map_or(Ok(()), |value| self.arc_type(element, value, at))
            }
            Element::Text => {
                self.text.clear();
                self.text_at = None;
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn net(&mut self, attributes: &Attributes<'_>, at: Position) -> Result<(), ReadError> {
        if self.seen_net {
            return Err(at.error("the file holds more than one net").hint("give each net a file of its own"));
        }
        self.seen_net = true;
        check_net_type(attributes.kind.as_deref(), at)?;
        self.builder.name_net(attributes.id.as_deref().unwrap_or_default());
        Ok(())
    }

    fn arc(&mut self, attributes: &Attributes<'_>, at: Position) -> Result<(), ReadError> {
        attributes.refuse_foreign("arc", at)?;
        let id = attributes.id("arc", at)?;
        self.note_id(id);
        let source = present(&attributes.source, || format!("arc '{id}' has no source"), at)?;
        let target = present(&attributes.target, || format!("arc '{id}' has no target"), at)?;
        self.builder.arc(id, source, target, at)?;
        attributes.kind.as_deref().map_or(Ok(()), |kind| self.arc_type(Element::ArcType, kind, at))
    }

    fn note_id(&mut self, id: &str) {
        self.id.clear();
        self.id.push_str(id);
        self.has_number = false;
    }

    /// Outside of a tool's own part, every type but the normal one is refused; inside, only those we know.
    fn arc_type(&self, element: Element, value: &str, at: Position) -> Result<(), ReadError> {
        let folded = value.trim().to_ascii_lowercase();
        let fine = match element {
            Element::ArcToolType => {
                !["inhibitor", "reset", "read", "test", "transfer"].iter().any(|k| folded.contains(k))
            }
            _ => matches!(folded.as_str(), "" | "normal"),
        };
        if fine {
            return Ok(());
        }
        let kind = quoted(value.trim());
        Err(at.unsupported(format!("arc '{}' is of type {kind}, which is not supported", self.id)))
    }

    fn end(&mut self, at: Position) -> Result<(), ReadError> {
        if self.skipped > 0 {
            self.skipped -= 1;
            return Ok(());
        }
        if let Some((Element::Text, start)) = self.open.pop() {
            let at = self.text_at.unwrap_or(start);
            return self.end_text(at);
        }
        if self.open.is_empty() && !self.seen_net {
            return Err(at.error("the file holds no <net>"));
        }
        Ok(())
    }

    fn end_text(&mut self, at: Position) -> Result<(), ReadError> {
        let owner = self
            .open
            .len()
            .checked_sub(2)
            .and_then(|index| self.open.get(index))
            .map(|&(element, _)| element);
        match (self.innermost(), owner) {
            (Some(Element::Name), Some(Element::Net)) => self.builder.name_net(&one_line(&self.text)),
            (Some(Element::Name), Some(Element::Place)) => self.builder.name_last_place(one_line(&self.text)),
            (Some(Element::Name), _) => self.builder.name_last_transition(one_line(&self.text)),
            (Some(Element::Marking), _) => {
                let tokens = self.number("initial marking of place", at)?;
                self.builder.mark_last_place(tokens);
            }
            (Some(Element::Inscription), _) => {
                let weight = self.number("weight of arc", at)?;
                if weight == 0 {
                    return Err(at.error(format!("the weight of arc '{}' is 0", self.id)));
                }
                self.builder.weigh_last_arc(weight);
            }
            // Drawing tools write 0 for "no limit".
            (Some(Element::Capacity), _) if self.text.trim() != "0" => {
                return Err(
                    at.unsupported(format!("place '{}' has a capacity, which is not supported", self.id))
                );
            }
            (Some(element @ (Element::ArcType | Element::ArcToolType)), _) => {
                return self.arc_type(element, &self.text, at);
            }
            _ => {}
        }
        Ok(())
    }

    fn number(&mut self, what: &str, at: Position) -> Result<u64, ReadError> {
        let error = |problem: String| Err(at.error(format!("the {what} '{}' {problem}", self.id)));
        if self.has_number {
            return error("is given twice".into());
        }
        self.has_number = true;
        let text = self.text.trim();
        let digits = text.strip_prefix('-').unwrap_or(text);
        if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
            return error(format!("is not a whole number: {}", quoted(text)));
        }
        if digits.len() < text.len() {
            return error(format!("is negative: {}", shortened(text)));
        }
        digits.parse().or_else(|_| error("is beyond 64 bits".into()))
    }

    fn text(&mut self, text: &str, at: Position) -> Result<(), ReadError> {
        let blank = text.len() - text.trim_ascii_start().len();
        if self.skipped > 0 || (blank == text.len() && self.innermost() != Some(Element::Text)) {
            return Ok(());
        }
        let first = at.after(&text.as_bytes()[..blank]);
        match self.innermost() {
            Some(Element::Text) => {
                check_characters(text, at)?;
                if blank < text.len() {
                    self.text_at.get_or_insert(first);
                }
                self.text.push_str(text);
                Ok(())
            }
            Some(Element::ArcTool | Element::ArcToolType) => Ok(()),
            Some(element) => Err(first.error(format!(
                "text cannot stand directly inside <{}>: {}",
                element.tag(),
                quoted(text.trim())
            ))),
            None if self.seen_root => Err(first.error("text behind the end of the document")),
            None => Err(first.error("not XML: the file does not start with a tag")),
        }
    }

    fn entity(&mut self, entity: &BytesRef<'_>, at: Position) -> Result<(), ReadError> {
        let character = match entity.resolve_char_ref() {
            Ok(Some(character)) => Some(character),
            Ok(None) => predefined(entity.as_ref()),
            Err(_) => None,
        };
        let Some(character) = character else { return Err(undefined(entity.as_ref(), at)) };
        self.text(character.encode_utf8(&mut [0; 4]), at)
    }

    fn finish(self, at: Position) -> Result<ParsedNet, ReadError> {
        if let Some((element, start)) = self.open.last() {
            let message =
                format!("the file ends before </{}> (opened in line {})", element.tag(), start.line());
            return Err(at.error(message));
        }
        if !self.seen_root {
            return Err(Position::START.error("the file is empty"));
        }
        self.builder.finish()
    }
}

/// A name as reports can show it: no blanks around it, no line breaks or tabs in it.
fn one_line(text: &str) -> String {
    let text = text.trim();
    if !text.contains(char::is_control) {
        return text.to_owned();
    }
    text.split(char::is_control).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}
