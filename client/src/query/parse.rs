//! Reads a query:
//!
//! ```text
//! query      = all { "or" all }
//! all        = not { "and" not }
//! not        = [ "not" ] ( "(" query ")" | test )
//! test       = flag | "has" opcode | term comparison value | material | piece "@" squares | "pattern" text
//! comparison = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~"
//! ```

use std::ops::Range;

use movegen::{Bitboard, File, Piece, Rank, Square};
use strum::VariantNames;

use super::comparison::Comparison;
use super::condition::{Flag, Test};
use super::error::QueryError;
use super::material::Material;
use super::pattern::Pattern;
use super::term::{Term, Value};
use super::token::{Spanned, Token, tokens};

/// How deep parentheses and `not` may be nested.
const MAX_DEPTH: usize = 100;

pub fn query(text: &str) -> Result<Test, QueryError> {
    let mut parser = Parser {
        text,
        tokens: tokens(text)?,
        next: 0,
        depth: 0,
    };
    let test = parser.any()?;
    match parser.peek() {
        None => Ok(test),
        Some(_) => Err(parser.expected("`and`, `or` or the end")),
    }
}

struct Parser<'t> {
    text: &'t str,
    tokens: Vec<Spanned>,
    next: usize,
    depth: usize,
}

type Parsed<T> = Result<T, QueryError>;

impl Parser<'_> {
    fn peek(&self) -> Option<&Token> {
        self.tokens.get(self.next).map(|spanned| &spanned.token)
    }

    /// The bytes of the next token; an empty range at the end.
    fn span(&self) -> Range<usize> {
        let end = self.text.len();
        self.tokens
            .get(self.next)
            .map_or(end..end, |spanned| spanned.span.clone())
    }

    fn error(&self, span: Range<usize>, message: String) -> QueryError {
        QueryError {
            text: self.text.to_owned(),
            span,
            message,
        }
    }

    /// The error that something else was expected in place of the next token.
    fn expected(&self, what: &str) -> QueryError {
        let span = self.span();
        let found = match &self.text[span.clone()] {
            "" => "the end".to_owned(),
            found => format!("`{found}`"),
        };
        self.error(span, format!("found {found}, expected {what}"))
    }

    /// Takes the next token if it is this word.
    fn takes(&mut self, word: &str) -> bool {
        let is_next =
            matches!(self.peek(), Some(Token::Word(next)) if next.eq_ignore_ascii_case(word));
        self.next += usize::from(is_next);
        is_next
    }

    fn any(&mut self) -> Parsed<Test> {
        let mut tests = vec![self.all()?];
        while self.takes("or") {
            tests.push(self.all()?);
        }
        Ok(one_or(tests, Test::Any))
    }

    fn all(&mut self) -> Parsed<Test> {
        let mut tests = vec![self.not()?];
        while self.takes("and") {
            tests.push(self.not()?);
        }
        Ok(one_or(tests, Test::All))
    }

    fn not(&mut self) -> Parsed<Test> {
        let span = self.span();
        if self.depth == MAX_DEPTH {
            return Err(self.error(span, format!("more than {MAX_DEPTH} levels")));
        }
        self.depth += 1;
        let test = if self.takes("not") {
            Test::Not(Box::new(self.not()?))
        } else if self.peek() == Some(&Token::Open) {
            self.next += 1;
            let test = self.any()?;
            if self.peek() != Some(&Token::Close) {
                return Err(self.expected("`and`, `or` or `)`"));
            }
            self.next += 1;
            test
        } else {
            self.test()?
        };
        self.depth -= 1;
        Ok(test)
    }

    fn test(&mut self) -> Parsed<Test> {
        let span = self.span();
        let Some(Token::Word(word) | Token::Quoted(word)) = self.peek() else {
            return Err(self.expected("a test, such as `ce > 150`, `KRPkr`, `N@f5` or `in-check`"));
        };
        let word = word.clone();
        let is_quoted = matches!(self.peek(), Some(Token::Quoted(_)));
        self.next += 1;
        if matches!(self.peek(), Some(Token::Comparison(_))) {
            return self.comparison(&word, is_quoted, span);
        }
        if is_quoted {
            return Err(self.expected("a comparison after the name of an opcode"));
        }
        match word.as_str() {
            "has" => self.opcode().map(Test::Has),
            "pattern" => self.pattern().map(Test::Pattern),
            _ => self.word(&word, span),
        }
    }

    /// A test of one word.
    fn word(&self, word: &str, span: Range<usize>) -> Parsed<Test> {
        if let Ok(flag) = word.parse::<Flag>() {
            return Ok(Test::Flag(flag));
        }
        if let Some((pieces, squares)) = word.split_once('@') {
            let placed = placed(pieces, squares);
            let message =
                || format!("`{word}`, expected pieces and squares such as N@f5, Rr@7 or P@d");
            return placed.ok_or_else(|| self.error(span, message()));
        }
        if let Some(material) = Material::parse(word) {
            return Ok(Test::Material(material));
        }
        let small = word.to_ascii_lowercase();
        if small.parse::<Flag>().is_ok() {
            return Err(self.error(span, format!("`{word}` is not a test; `{small}`?")));
        }
        if let Some(ending) = ending(word) {
            return Err(self.error(span, format!("`{word}` is not a test; `{ending}`?")));
        }
        if Term::parse(word).is_ok() {
            return Err(self.error(
                span,
                format!("`{word}` is not compared with anything, expected for example `{word} > 0` or `has {word}`"),
            ));
        }
        let flags = Flag::VARIANTS.join(", ");
        Err(self.error(
            span,
            format!("`{word}` is not a test, expected a comparison, {flags}, a material such as KRPkr or a piece on a square such as N@f5"),
        ))
    }

    fn comparison(&mut self, name: &str, is_quoted: bool, span: Range<usize>) -> Parsed<Test> {
        let term = if is_quoted {
            Ok(Term::Opcode(name.to_owned()))
        } else {
            Term::parse(name)
        };
        let term = term.map_err(|message| self.error(span, message))?;
        let Some(Token::Comparison(how)) = self.peek().cloned() else {
            return Err(self.expected("a comparison"));
        };
        self.next += 1;
        let span = self.span();
        let value = match self.peek() {
            Some(Token::Word(word)) if !is_keyword(word) => Value::of(word),
            Some(Token::Quoted(text)) => Value::of(text),
            _ => return Err(self.expected("a number or a text")),
        };
        self.next += 1;
        if term.is_numeric() && !matches!(value, Value::Number(_)) {
            let found = &self.text[span.clone()];
            return Err(self.error(span.clone(), format!("found `{found}`, expected a number")));
        }
        // A part of a text is looked for as it is written.
        let with = if how == Comparison::Contains {
            value
        } else {
            term.canonical(value)
        };
        if let Some(expected) = term.refuse(&with).filter(|_| how != Comparison::Contains) {
            let found = &self.text[span.clone()];
            return Err(self.error(
                span.clone(),
                format!("found `{found}`, expected {expected}"),
            ));
        }
        Ok(Test::Compare { term, how, with })
    }

    fn opcode(&mut self) -> Parsed<String> {
        let Some(Token::Word(word) | Token::Quoted(word)) = self.peek() else {
            return Err(self.expected("an opcode"));
        };
        let word = word.clone();
        self.next += 1;
        Ok(word)
    }

    fn pattern(&mut self) -> Parsed<Pattern> {
        let span = self.span();
        let (text, quote) = match self.peek() {
            Some(Token::Word(text)) => (text.clone(), 0),
            Some(Token::Quoted(text)) => (text.clone(), 1),
            _ => return Err(self.expected("a pattern of eight ranks")),
        };
        let pattern = Pattern::parse(&text).map_err(|(at, message)| {
            let begin = span.start + quote + at;
            let len = text[at..].chars().next().map_or(0, char::len_utf8);
            self.error(begin..begin + len, format!("wrong pattern: {message}"))
        })?;
        self.next += 1;
        Ok(pattern)
    }
}

fn is_keyword(word: &str) -> bool {
    ["and", "or", "not"]
        .iter()
        .any(|keyword| word.eq_ignore_ascii_case(keyword))
}

/// The only test, or several joined.
fn one_or(mut tests: Vec<Test>, join: fn(Vec<Test>) -> Test) -> Test {
    if tests.len() == 1 {
        tests.remove(0)
    } else {
        join(tests)
    }
}

/// Pieces on a square (`N@f5`), a file (`P@d`) or a rank (`Rr@7`).
fn placed(pieces: &str, squares: &str) -> Option<Test> {
    let pieces: Vec<_> = pieces
        .chars()
        .map(Piece::from_char)
        .collect::<Option<_>>()?;
    let mut letters = squares.chars();
    let squares: Bitboard = match (letters.next(), letters.next(), letters.next()) {
        (Some(_), Some(_), None) => Bitboard::from(squares.parse::<Square>().ok()?),
        (Some(one), None, None) => {
            let (file, rank) = (File::from_char(one), Rank::from_char(one));
            let is_in =
                |square: &Square| Some(square.file()) == file || Some(square.rank()) == rank;
            if file.is_none() && rank.is_none() {
                return None;
            }
            Square::all().filter(is_in).collect()
        }
        _ => return None,
    };
    (!pieces.is_empty()).then_some(Test::Placed(pieces, squares))
}
/// The material of an ending that is written without `v`, such as `KQKR`, as a test: `KQkr`.
fn ending(word: &str) -> Option<String> {
    let second = 1 + word.get(1..)?.find('K')?;
    let (white, black) = word.split_at(second);
    let material = format!("{white}{}", black.to_ascii_lowercase());
    Material::parse(&material).map(|_| material)
}
