//! XML itself: attributes, entities, characters, encodings, and its errors as messages of this reader.

use super::ReadError;
use super::source::Position;
use quick_xml::Error as XmlError;
use quick_xml::XmlVersion;
use quick_xml::encoding::EncodingError;
use quick_xml::errors::{IllFormedError, SyntaxError};
use quick_xml::escape::EscapeError;
use quick_xml::events::attributes::AttrError;
use quick_xml::events::{BytesDecl, BytesStart};
use std::borrow::Cow;

/// The attributes that mean something to one element or another, entities resolved.
#[derive(Default)]
pub(super) struct Attributes<'a> {
    pub(super) id: Option<Cow<'a, str>>,
    pub(super) kind: Option<Cow<'a, str>>,
    pub(super) reference: Option<Cow<'a, str>>,
    pub(super) source: Option<Cow<'a, str>>,
    pub(super) target: Option<Cow<'a, str>>,
    pub(super) value: Option<Cow<'a, str>>,
    /// One that some tools write where PNML has an element: overlooking it would change the net.
    foreign: Option<&'static str>,
}

impl<'a> Attributes<'a> {
    pub(super) fn of(tag: &'a BytesStart<'_>, at: Position) -> Result<Self, ReadError> {
        if !tag.name().as_ref().starts_with(|c: char| c.is_alphabetic() || c == '_' || c == ':') {
            return Err(at.error("'<' begins no tag here").hint("write &lt; for the character '<'"));
        }
        let mut found = Attributes::default();
        // The check for repeated attributes is quadratic; ours is below, for those that count.
        for attribute in tag.attributes().with_checks(false) {
            let attribute = attribute.map_err(|error| attribute_error(&error, at))?;
            let slot = match attribute.key.as_ref() {
                "id" => &mut found.id,
                "type" => &mut found.kind,
                "ref" => &mut found.reference,
                "source" => &mut found.source,
                "target" => &mut found.target,
                "value" => &mut found.value,
                "initialMarking" => {
                    found.foreign = Some("initialMarking");
                    continue;
                }
                "weight" | "inscription" => {
                    found.foreign = Some("weight");
                    continue;
                }
                _ => continue,
            };
            let value = attribute
                .normalized_value(XmlVersion::Explicit1_0)
                .map_err(|error| value_error(&error, at))?;
            check_characters(&value, at)?;
            if slot.replace(value).is_some() {
                return Err(at.error(format!("attribute '{}' is given twice", attribute.key.as_ref())));
            }
        }
        Ok(found)
    }

    pub(super) fn id(&self, what: &str, at: Position) -> Result<&str, ReadError> {
        present(&self.id, || format!("{what} without an id"), at)
    }

    pub(super) fn refuse_foreign(&self, what: &str, at: Position) -> Result<(), ReadError> {
        let Some(name) = self.foreign else { return Ok(()) };
        let hint = "PNML gives markings and weights as elements <initialMarking> and <inscription>";
        Err(at
            .unsupported(
                format!("attribute '{name}' of a {what} is not supported").replace("a arc", "an arc"),
            )
            .hint(hint))
    }
}

pub(super) fn present<'a>(
    value: &'a Option<Cow<'_, str>>,
    complaint: impl Fn() -> String,
    at: Position,
) -> Result<&'a str, ReadError> {
    value.as_deref().filter(|text| !text.trim().is_empty()).ok_or_else(|| at.error(complaint()))
}

fn attribute_error(error: &AttrError, at: Position) -> ReadError {
    at.error(match error {
        AttrError::ExpectedEq(_) | AttrError::ExpectedValue(_) => "an attribute of this tag has no value",
        AttrError::UnquotedValue(_) => "the value of an attribute of this tag is not quoted",
        AttrError::ExpectedQuote(..) => "the value of an attribute of this tag lacks its closing quote",
        AttrError::Duplicated(..) => "an attribute of this tag is given twice",
    })
}

fn value_error(error: &XmlError, at: Position) -> ReadError {
    match error {
        XmlError::Escape(EscapeError::UnrecognizedEntity(_, name)) => undefined(name, at),
        XmlError::Escape(EscapeError::UnterminatedEntity(_)) => lone_ampersand(at),
        XmlError::Escape(_) => at.error("an attribute of this tag refers to no character"),
        other => at.error(format!("malformed XML: {other}")),
    }
}

pub(super) fn undefined(name: &str, at: Position) -> ReadError {
    at.error(format!("entity '&{};' is not defined", shortened(name)))
}

pub(super) fn lone_ampersand(at: Position) -> ReadError {
    at.error("'&' begins no entity here").hint("write &amp; for the character '&'")
}

pub(super) fn doctype_refused(at: Position) -> ReadError {
    at.error("a DOCTYPE is not allowed").hint("PNML needs none, and entities are never expanded: remove it")
}

pub(super) fn encoding_refused(at: Position, name: &str) -> ReadError {
    at.unsupported(format!("the encoding {name} is not supported")).hint("convert the file to UTF-8")
}

pub(super) fn is_latin_1(declaration: &BytesDecl<'_>, at: Position) -> Result<bool, ReadError> {
    let Some(encoding) = declaration.encoding() else { return Ok(false) };
    let encoding = encoding.map_err(|error| attribute_error(&error, at))?;
    match encoding.to_ascii_lowercase().as_str() {
        "utf-8" | "utf8" | "us-ascii" | "ascii" => Ok(false),
        "iso-8859-1" | "iso8859-1" | "iso_8859-1" | "latin1" | "latin-1" => Ok(true),
        _ => Err(encoding_refused(at, &shortened(&encoding))),
    }
}

pub(super) fn predefined(entity: &str) -> Option<char> {
    Some(match entity {
        "lt" => '<',
        "gt" => '>',
        "amp" => '&',
        "apos" => '\'',
        "quot" => '"',
        _ => return None,
    })
}

pub(super) fn check_characters(text: &str, at: Position) -> Result<(), ReadError> {
    let forbidden =
        |c: char| c < ' ' && !matches!(c, '\t' | '\n' | '\r') || matches!(c, '\u{fffe}' | '\u{ffff}');
    match text.find(forbidden) {
        None => Ok(()),
        Some(index) => {
            let code = text[index..].chars().next().map_or(0, u32::from);
            Err(at
                .after(&text.as_bytes()[..index])
                .error(format!("character U+{code:04X} is not allowed in XML")))
        }
    }
}

/// What the XML reader complained about, in our words. `bytes` is what it has of the piece that starts at
/// `at`, `opened` the line of the tag that is open there.
pub(super) fn explain(error: XmlError, at: Position, bytes: &[u8], opened: Option<u32>) -> ReadError {
    match error {
        XmlError::Io(error) => at.error(format!("reading failed: {error}")),
        XmlError::Encoding(EncodingError::Utf8(error)) => {
            let valid = bytes.get(..error.valid_up_to()).unwrap_or(bytes);
            let error = at.after(valid).error("this is not UTF-8");
            let hint = "an XML declaration may say encoding=\"ISO-8859-1\"";
            ReadError { not_utf_8: true, ..error }.hint(hint)
        }
        XmlError::Syntax(SyntaxError::UnclosedDoctype)
        | XmlError::IllFormed(IllFormedError::MissingDoctypeName) => doctype_refused(at),
        XmlError::Syntax(SyntaxError::InvalidBangMarkup) => {
            at.error("'<!' begins neither a comment nor CDATA")
        }
        XmlError::Syntax(SyntaxError::UnclosedComment) => at.error("the file ends inside this comment"),
        XmlError::Syntax(_) => at.error("the file ends inside this tag"),
        XmlError::IllFormed(IllFormedError::MismatchedEndTag { expected, found }) => {
            let opened = opened.map_or(String::new(), |line| format!(" (opened in line {line})"));
            let (found, expected) = (shortened(&found), shortened(&expected));
            at.error(format!("</{found}> where </{expected}> is expected{opened}"))
        }
        XmlError::IllFormed(IllFormedError::UnmatchedEndTag(name)) => {
            at.error(format!("</{}> closes nothing", shortened(&name)))
        }
        XmlError::IllFormed(IllFormedError::UnclosedReference) => lone_ampersand(at),
        other => at.error(format!("malformed XML: {other}")),
    }
}

pub(super) fn quoted(text: &str) -> String {
    format!("'{}'", shortened(text))
}

pub(super) fn shortened(text: &str) -> Cow<'_, str> {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{}...", &text[..end]).into(),
        None => text.into(),
    }
}
