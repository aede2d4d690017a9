//! Splits PGN into tokens.

use super::error::{PgnError, PgnErrorKind, Place, unexpected};

/// A token of PGN, apart from those that are skipped.
pub(super) enum Token<'a> {
    /// A tag pair; `inside` is where its value begins.
    Tag {
        name: &'a str,
        value: String,
        inside: Place,
    },
    /// A move or a result.
    Word(&'a str),
    Open,
    Close,
}

/// The rest of a text, and its place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cursor<'a> {
    rest: &'a str,
    place: Place,
}

impl<'a> Cursor<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self {
            rest: text.strip_prefix('\u{FEFF}').unwrap_or(text),
            place: Place { line: 1, column: 1 },
        }
    }

    /// Advances by a number of bytes and returns them.
    fn take(&mut self, len: usize) -> &'a str {
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        for letter in taken.chars() {
            if letter == '\n' {
                self.place.line += 1;
                self.place.column = 1;
            } else {
                self.place.column += 1;
            }
        }
        taken
    }

    /// Advances while characters match, and returns them.
    fn take_while(&mut self, matches: impl Fn(char) -> bool) -> &'a str {
        let len = self.rest.find(|letter| !matches(letter));
        self.take(len.unwrap_or(self.rest.len()))
    }

    /// The next token, and its place; `None` at the end of the text.
    pub(super) fn token(&mut self) -> Result<Option<(Place, Token<'a>)>, PgnError> {
        loop {
            // Files that were joined have byte order marks in the middle.
            self.take_while(|letter| letter.is_whitespace() || letter == '\u{FEFF}');
            let place = self.place;
            let Some(letter) = self.rest.chars().next() else {
                return Ok(None);
            };
            match letter {
                '%' if place.column == 1 => self.skip_line(),
                ';' => self.skip_line(),
                '{' => self.skip_comment(place)?,
                '$' => {
                    self.take(1);
                    self.take_while(|letter| letter.is_ascii_digit());
                }
                '(' | ')' => {
                    let token = if letter == '(' {
                        Token::Open
                    } else {
                        Token::Close
                    };
                    self.take(1);
                    return Ok(Some((place, token)));
                }
                '[' => return Ok(Some((place, self.tag()?))),
                ']' | '}' => {
                    let expected = "a tag, a move or a result";
                    return Err(unexpected(place, &self.rest[..1], expected));
                }
                _ => {
                    if let Some((place, word)) = self.word() {
                        return Ok(Some((place, Token::Word(word))));
                    }
                }
            }
        }
    }

    fn skip_line(&mut self) {
        self.take_while(|letter| letter != '\n');
    }

    fn skip_comment(&mut self, place: Place) -> Result<(), PgnError> {
        let len = self.rest.find('}').ok_or_else(|| {
            place.error(PgnErrorKind::Open {
                found: "a comment",
                expected: "}",
            })
        })?;
        self.take(len + 1);
        Ok(())
    }

    /// A move or a result; `None` for move numbers, glyphs and the like.
    fn word(&mut self) -> Option<(Place, &'a str)> {
        let digits = self.rest.trim_start_matches(|c: char| c.is_ascii_digit());
        if digits.starts_with(['.', '\u{2026}']) {
            self.take(self.rest.len() - digits.len());
            self.take_while(|letter| matches!(letter, '.' | '\u{2026}'));
        }
        let place = self.place;
        let word = self.take_while(|letter| {
            !letter.is_whitespace()
                && !matches!(letter, '{' | '}' | '(' | ')' | '[' | ']' | ';' | '$')
        });
        let is_skipped = word.bytes().all(|byte| byte.is_ascii_digit())
            // The last two are those of ChessBase for a novelty and a diagram.
            || matches!(word, "e.p." | "ep" | "N" | "D")
            // `--` is a null move, not a glyph, and illegal.
            || word.is_ascii()
                && !matches!(word, "*" | "--")
                && !word.contains(|letter: char| letter.is_ascii_alphanumeric());
        (!is_skipped).then_some((place, word))
    }

    /// `[Name "value"]`; the quote that ends the value is the one before the bracket.
    fn tag(&mut self) -> Result<Token<'a>, PgnError> {
        self.take(1);
        self.blanks();
        let name = self.take_while(|letter| letter.is_alphanumeric() || letter == '_');
        if name.is_empty() {
            return Err(self.unexpected_here("the name of a tag"));
        }
        self.blanks();
        if !self.rest.starts_with('"') {
            return Err(self.unexpected_here("the value of a tag in quotes"));
        }
        self.take(1);
        let inside = self.place;
        let mut value = String::new();
        loop {
            let Some(letter) = self.rest.chars().next().filter(|&letter| letter != '\n') else {
                return Err(inside.error(PgnErrorKind::Open {
                    found: "the value of a tag",
                    expected: "\"]",
                }));
            };
            self.take(letter.len_utf8());
            if letter == '"' && self.rest.trim_start_matches([' ', '\t']).starts_with(']') {
                break;
            }
            let escaped = letter == '\\' && self.rest.starts_with(['"', '\\']);
            value.push_str(if escaped { self.take(1) } else { "" });
            value.extend((!escaped).then_some(letter));
        }
        self.blanks();
        self.take(1);
        Ok(Token::Tag {
            name,
            value,
            inside,
        })
    }

    fn blanks(&mut self) {
        self.take_while(|letter| matches!(letter, ' ' | '\t'));
    }

    /// The error for unexpected text at the present place.
    fn unexpected_here(&self, expected: &'static str) -> PgnError {
        let found: String = self
            .rest
            .chars()
            .take_while(|&letter| letter != '\n')
            .take(20)
            .collect();
        unexpected(self.place, found.trim_end(), expected)
    }
}
