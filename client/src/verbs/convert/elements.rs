//! Splits JSON arrays into their elements, so that arrays of any size are read in bounded memory.

use crate::io::input::{Block, Part, without_mark};

/// An element of an array.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Element {
    /// Line and column where it begins, from 1.
    pub place: (usize, usize),
    pub text: Vec<u8>,
}

/// Splits a text into the elements of its arrays, by the commas in them. What is not JSON becomes an element, too.
#[derive(Debug)]
pub struct Splitter {
    pub ended: Vec<Element>,
    element: Element,
    /// Line and column of the next letter.
    place: (usize, usize),
    /// The number of brackets and braces that are open.
    depth: usize,
    in_string: bool,
    /// A backslash comes before the next letter.
    is_escaped: bool,
}

impl Splitter {
    pub fn new() -> Self {
        let place = (1, 1);
        Self {
            ended: Vec::new(),
            element: Element {
                place,
                text: Vec::new(),
            },
            place,
            depth: 0,
            in_string: false,
            is_escaped: false,
        }
    }

    /// Whether a text begins with an array.
    pub fn is_array(beginning: &[u8]) -> bool {
        let text = without_mark(beginning.trim_ascii_start());
        text.trim_ascii_start().starts_with(b"[")
    }

    /// The bytes of an element that has not ended.
    pub fn open_len(&self) -> usize {
        self.element.text.len()
    }

    /// Where it begins.
    pub fn open_place(&self) -> (usize, usize) {
        self.element.place
    }

    pub fn add(&mut self, block: &Block) {
        let text = &block.text[..];
        let text = match self.place {
            (1, 1) => without_mark(text),
            _ => text,
        };
        let line_end = matches!(block.part, Part::Rest { ends: true });
        for &byte in text.iter().chain(line_end.then_some(&b'\n')) {
            self.add_byte(byte);
            if byte == b'\n' {
                self.place = (self.place.0 + 1, 1);
            } else if byte & 0xC0 != 0x80 {
                self.place.1 += 1;
            }
        }
    }

    fn add_byte(&mut self, byte: u8) {
        if self.in_string {
            self.in_string = byte != b'"' || self.is_escaped;
            self.is_escaped = byte == b'\\' && !self.is_escaped;
            return self.push(byte);
        }
        match byte {
            b'"' => self.in_string = true,
            b'[' | b'{' => {
                self.depth += 1;
                if self.depth == 1 {
                    return self.end_element();
                }
            }
            b']' | b'}' => {
                self.depth = self.depth.saturating_sub(1);
                if self.depth == 0 {
                    return self.end_element();
                }
            }
            b',' if self.depth <= 1 => return self.end_element(),
            _ => {}
        }
        self.push(byte);
    }

    fn push(&mut self, byte: u8) {
        if self.element.text.is_empty() {
            if byte.is_ascii_whitespace() {
                return;
            }
            self.element.place = self.place;
        }
        self.element.text.push(byte);
    }

    fn end_element(&mut self) {
        let text = std::mem::take(&mut self.element.text);
        if !text.is_empty() {
            let place = self.element.place;
            self.ended.push(Element { place, text });
        }
    }

    /// Ends the text. Returns the place where an array should have ended and did not.
    pub fn end(&mut self) -> Option<(usize, usize)> {
        // In an element that has not ended, that is what is wrong.
        let is_torn = self.depth == 1 && !self.in_string;
        self.end_element();
        is_torn.then_some(self.place)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    type Place = (usize, usize);

    fn split(text: &str, size: usize) -> (Vec<(Place, String)>, Option<Place>) {
        let mut splitter = Splitter::new();
        for bytes in text.as_bytes().chunks(size) {
            splitter.add(&Block {
                first_line: 0,
                text: bytes.to_vec(),
                part: Part::Lines,
            });
        }
        let torn = splitter.end();
        let elements = splitter.ended.into_iter();
        let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
        let elements = elements.map(|element| (element.place, text(element.text)));
        (elements.collect(), torn)
    }

    #[test]
    fn arrays_are_split_at_their_commas() {
        let text = "\n[ {\"a\": [1, 2], \"b\": \"\\\"],{\"},\n  {\"é\": {}}, x ,\n{}]\n[3] y";
        for size in [1, 3, 1000] {
            let (elements, torn) = split(text, size);
            let elements: Vec<_> = elements
                .iter()
                .map(|(place, text)| (*place, text.as_str()))
                .collect();
            let expected = [
                ((2, 3), "{\"a\": [1, 2], \"b\": \"\\\"],{\"}"),
                ((3, 3), "{\"é\": {}}"),
                ((3, 14), "x "),
                ((4, 1), "{}"),
                ((5, 2), "3"),
                ((5, 5), "y"),
            ];
            assert_eq!((elements.as_slice(), torn), (&expected[..], None), "{size}");
        }
        assert_eq!(split("[]", 9), (Vec::new(), None));
        for text in ["[{},\n", "[{}\n"] {
            let (elements, torn) = split(text, 9);
            assert_eq!((elements.len(), torn), (1, Some((2, 1))), "{text}");
        }
        let (open, torn) = split("[{\"a\"", 9);
        assert_eq!((open[0].1.as_str(), torn), ("{\"a\"", None));
    }

    #[test]
    fn arrays_are_told_from_lines() {
        for text in ["[", " \n[{", "\u{FEFF}[{}]"] {
            assert!(Splitter::is_array(text.as_bytes()), "{text}");
        }
        for text in ["", "{\"a\": [", "not json"] {
            assert!(!Splitter::is_array(text.as_bytes()), "{text}");
        }
    }
}
