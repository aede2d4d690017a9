//! Splits a query into tokens.

use std::ops::Range;

use super::comparison::Comparison;
use super::error::QueryError;

/// A part of a query.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Open,
    Close,
    Comparison(Comparison),
    /// A word without quotes.
    Word(String),
    /// A text in quotes.
    Quoted(String),
}

/// A token with its bytes in the query.
#[derive(Clone, Debug, PartialEq)]
pub struct Spanned {
    pub token: Token,
    pub span: Range<usize>,
}

/// The comparisons; those that begin another one come after it.
const COMPARISONS: [(&str, Comparison); 9] = [
    ("<=", Comparison::LessOrEqual),
    (">=", Comparison::GreaterOrEqual),
    ("!=", Comparison::Unequal),
    ("<>", Comparison::Unequal),
    ("==", Comparison::Equal),
    ("=", Comparison::Equal),
    ("<", Comparison::Less),
    (">", Comparison::Greater),
    ("~", Comparison::Contains),
];

pub fn tokens(text: &str) -> Result<Vec<Spanned>, QueryError> {
    let mut tokens = Vec::new();
    let mut begin = 0;
    while let Some(first) = text[begin..].chars().next() {
        let rest = &text[begin..];
        let comparison = COMPARISONS
            .into_iter()
            .find(|(sign, _)| rest.starts_with(sign));
        let (token, len) = match first {
            _ if first.is_whitespace() => {
                begin += first.len_utf8();
                continue;
            }
            '(' => (Token::Open, 1),
            ')' => (Token::Close, 1),
            '"' | '\'' => quoted(text, begin, first)?,
            _ if let Some((sign, comparison)) = comparison => {
                (Token::Comparison(comparison), sign.len())
            }
            _ => {
                let end = rest.find(|c: char| c.is_whitespace() || "()<>=!~\"'".contains(c));
                let end = end.unwrap_or(rest.len()).max(first.len_utf8());
                (Token::Word(rest[..end].to_owned()), end)
            }
        };
        let span = begin..begin + len;
        begin = span.end;
        tokens.push(Spanned { token, span });
    }
    Ok(tokens)
}

/// A text in quotes, and its length with them.
fn quoted(text: &str, begin: usize, quote: char) -> Result<(Token, usize), QueryError> {
    let inner = &text[begin + 1..];
    let Some(end) = inner.find(quote) else {
        return Err(QueryError {
            text: text.to_owned(),
            span: begin..text.len(),
            message: format!("a text that is not closed, expected {quote}"),
        });
    };
    Ok((Token::Quoted(inner[..end].to_owned()), end + 2))
}
