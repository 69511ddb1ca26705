//! Place/transition nets from PNML, read as a stream.
//!
//! In: the bytes of a file. Out: a [`ParsedNet`] in order of appearance, or one [`ReadError`] with its place.
//! Memory follows the net, not the file: graphics and tool-specific parts leave no trace. Nothing external is
//! ever read and no entity is ever expanded. The walk over the elements is in `document`, what they add up to
//! in `build`, attributes and the errors of XML itself in `xml`, bytes and positions in `source`.

pub mod arcs;
mod build;
mod document;
mod source;
mod xml;

use std::fmt;
use std::io::BufRead;

/// A net as it stands in the file. Arcs are `(place, weight)`, sorted by place, parallel arcs added up.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ParsedNet {
    pub name: String,
    pub place_ids: Vec<String>,
    pub place_names: Vec<Option<String>>,
    pub initial: Vec<u64>,
    pub transition_ids: Vec<String>,
    pub transition_names: Vec<Option<String>>,
    pub consumes: Vec<Vec<(u32, u64)>>,
    pub produces: Vec<Vec<(u32, u64)>>,
}

/// Why a file was not read. Lines and columns (in characters) count from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReadError {
    pub message: String,
    pub line: u32,
    pub column: u32,
    pub hint: Option<String>,
    /// The file may be right, only this reader cannot do it (an inhibitor arc, UTF-16).
    pub unsupported: bool,
    /// The net says that it is a high-level net, which another reader may read: nothing in it was looked at.
    pub high_level: bool,
    /// Bytes that are no UTF-8 are all that is wrong: [`read_latin_1`] may read it.
    pub not_utf_8: bool,
}

impl fmt::Display for ReadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.line, self.column, self.message)
    }
}

impl std::error::Error for ReadError {}

/// Reads one net. Time and memory are linear in the input, whatever it holds.
pub fn read(input: impl BufRead) -> Result<ParsedNet, ReadError> {
    document::read(input, false)
}

/// The same for bytes that are ISO-8859-1, whatever the file declares.
pub fn read_latin_1(input: impl BufRead) -> Result<ParsedNet, ReadError> {
    document::read(input, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A file with one page; `body` starts in line 3, column 1.
    fn page(body: &str) -> String {
        let kind = "http://www.pnml.org/version-2009/grammar/ptnet";
        format!("<pnml>\n<net id='n' type='{kind}'><page id='g'>\n{body}</page></net></pnml>")
    }

    fn refusal(text: &[u8]) -> String {
        read(text).expect_err("should be refused").to_string()
    }

    fn refused(body: &str) -> String {
        refusal(page(body).as_bytes())
    }

    const NODES: &str = "<place id='p'/><place id='q'/><transition id='t'/>\n";

    #[test]
    fn a_whole_net() {
        let net = read(
            page(
                "<arc id='a' source='p' target='t'><inscription><text> 2 </text></inscription></arc>
                <place id='p'><name><text> the &lt;p&#x3e; </text><graphics/></name>
                  <initialMarking><text>3</text></initialMarking></place>
                <page id='inner'><place id='q'/><transition id='t'/><referencePlace id='r' ref='s'/></page>
                <referencePlace id='s' ref='q'/>
                <arc id='b' source='t' target='r'/><arc id='c' source='t' target='q'/>
                <toolspecific tool='x'><place id='p'/></toolspecific>",
            )
            .as_bytes(),
        )
        .expect("a net");
        assert_eq!(net.name, "n");
        assert_eq!(net.place_ids, ["p", "q"]);
        assert_eq!(net.place_names, [Some("the <p>".to_owned()), None]);
        assert_eq!(net.initial, [3, 0]);
        assert_eq!(net.consumes, [[(0, 2)]]);
        assert_eq!(net.produces, [[(1, 2)]]);
    }

    #[test]
    fn prefixes_byte_order_mark_and_latin_1() {
        let text =
            b"\xef\xbb\xbf<x:pnml xmlns:x='u'><x:net type='ptnet' id='n'><x:place id='p'/></x:net></x:pnml>";
        assert_eq!(read(&text[..]).expect("a net").place_ids, ["p"]);
        let text = b"<?xml version='1.0' encoding='ISO-8859-1'?><pnml><net type='ptnet' id='n'>\
            <place id='\xe9'/></net></pnml>";
        assert_eq!(read(&text[..]).expect("a net").place_ids, ["\u{e9}"]);
        let text = b"<?xml version='1.0' encoding='UTF-8'?><pnml><net type='ptnet' id='n'>\
            <place id='\xe9'/></net></pnml>";
        assert!(read(&text[..]).is_err_and(|error| error.not_utf_8));
        assert_eq!(read_latin_1(&text[..]).expect("a net").place_ids, ["\u{e9}"]);
        let text = b"<pnml>\n<a>\xe9\xe9</a></b>";
        assert_eq!(read_latin_1(&text[..]).expect_err("no net").column, 10);
    }

    #[test]
    fn arcs_that_mean_nothing() {
        let at = |arc: &str| refused(&format!("{NODES}  {arc}"));
        assert_eq!(at("<arc id='a' source='p' target='x'/>"), "4:3: arc 'a' names no node 'x'");
        assert_eq!(at("<arc id='a' source='p' target='q'/>"), "4:3: arc 'a' joins the places 'p' and 'q'");
        assert_eq!(
            at("<arc id='a' source='t' target='t'/>"),
            "4:3: arc 'a' joins the transitions 't' and 't'"
        );
        assert_eq!(at("<arc id='a' source='t'/>"), "4:3: arc 'a' has no target");
        assert_eq!(at("<arc source='t' target='p'/>"), "4:3: arc without an id");
        let weight = |text: &str| {
            at(&format!(
                "<arc id='a' source='p' target='t'><inscription><text>{text}</text></inscription></arc>"
            ))
        };
        assert_eq!(weight("0"), "4:56: the weight of arc 'a' is 0");
        assert_eq!(weight(" -1"), "4:57: the weight of arc 'a' is negative: -1");
        assert!(weight("1.5").ends_with("the weight of arc 'a' is not a whole number: '1.5'"));
        assert!(weight("18446744073709551616").ends_with("the weight of arc 'a' is beyond 64 bits"));
    }

    #[test]
    fn parallel_arcs_that_overflow() {
        let arc = |id: &str| {
            format!(
                "<arc id='{id}' source='p' target='t'><inscription><text>{}</text></inscription></arc>\n",
                u64::MAX
            )
        };
        let message = refused(&format!("{NODES}{}{}", arc("a"), arc("b")));
        assert_eq!(message, "5:1: the arcs from 'p' to 't' add up to a weight beyond 64 bits");
    }

    #[test]
    fn nodes_that_mean_nothing() {
        assert_eq!(refused("<place/>"), "3:1: place without an id");
        assert_eq!(refused("<place id='p'/>\n<transition id='p'/>"), "4:1: id 'p' is used twice");
        assert_eq!(refused("<referencePlace id='r' ref='x'/>"), "3:1: reference 'r' names no node 'x'");
        assert_eq!(
            refused("<referencePlace id='r' ref='s'/><referencePlace id='s' ref='r'/>"),
            "3:1: reference 'r' leads back to itself"
        );
        assert_eq!(
            refused(&format!("{NODES}<referencePlace id='r' ref='t'/>")),
            "4:1: reference 'r' of a place leads to the transition 't'"
        );
    }

    #[test]
    fn what_is_not_a_place_transition_net() {
        let kind = |kind: &str| refusal(format!("<pnml>\n <net id='n' type='{kind}'/></pnml>").as_bytes());
        for name in ["symmetricnet", "pt-hlpng", "HLPNGraph", "highlevelnet"] {
            let text = format!("<pnml><net id='n' type='http://x.org/grammar#{name}'><broken");
            assert!(read(text.as_bytes()).is_err_and(|error| error.high_level && error.line == 1), "{name}");
        }
        assert_eq!(kind("stochastic"), "2:2: net type 'stochastic' is not known");
        assert_eq!(refusal(b"<html/>"), "1:1: not PNML: the root element is <html>, not <pnml>");
        assert_eq!(refusal(b"<pnml></pnml>"), "1:7: the file holds no <net>");
        let inhibitor =
            format!("{NODES}<arc id='a' source='p' target='t'>\n <type value='inhibitor'/></arc>");
        assert_eq!(refused(&inhibitor), "5:2: arc 'a' is of type 'inhibitor', which is not supported");
    }

    #[test]
    fn what_is_not_xml() {
        assert_eq!(refusal(b""), "1:1: the file is empty");
        assert_eq!(refusal(b"\xff\xfe<\0p\0"), "1:1: the encoding UTF-16 is not supported");
        assert_eq!(refusal(b"<!DOCTYPE x [<!ENTITY a 'b'>]><pnml/>"), "1:1: a DOCTYPE is not allowed");
        assert_eq!(refused("&foo;"), "3:1: entity '&foo;' is not defined");
        assert_eq!(refused("<place id='&foo;'/>"), "3:1: entity '&foo;' is not defined");
        assert_eq!(
            refused("<place id='p'>\n</x>"),
            "4:1: </x> where </place> is expected (opened in line 3)"
        );
        assert_eq!(refusal(b"<pnml>\n<net id='n"), "2:1: the file ends inside this tag");
        assert_eq!(refusal(b"<pnml>\n <a>\n"), "3:1: the file ends before </pnml> (opened in line 1)");
        assert_eq!(refusal(b"<pnml>\n \xff<"), "2:2: this is not UTF-8");
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = format!("{}{}", "<page id='x'>".repeat(200_000), "<a>".repeat(200_000));
        assert!(refused(&deep).contains("where </a> is expected"));
    }
}
