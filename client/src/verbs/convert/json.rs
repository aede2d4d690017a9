//! Rows as JSON: an object a line. Every column is in every object, so that programs that look at the first
//! lines see them all.

use std::borrow::Cow;
use std::fmt;
use std::io::Write;
use std::sync::LazyLock;

use epd::Reader;
use serde::Deserialize;
use serde::de::{Deserializer as _, MapAccess, Visitor};
use serde_json::Value as Json;

use super::columns::{COLUMNS, Row, Value};
use super::rows::{self, Cell, Found, LeftOut, Meaning, RowError, RowResult};

/// What precedes a value, and the same with null.
static KEYS: LazyLock<Vec<[String; 2]>> = LazyLock::new(|| {
    let names = COLUMNS.iter().enumerate();
    let keys = names.map(|(n, (name, _))| {
        let separator = if n == 0 { '{' } else { ',' };
        let key = format!("{separator}\"{name}\":");
        let null = format!("{key}null");
        [key, null]
    });
    keys.collect()
});

/// Appends a row and what separates it from the next.
pub fn write(row: &Row<'_>, separator: &[u8], out: &mut Vec<u8>) {
    for ([key, null], value) in KEYS.iter().zip(row) {
        if *value == Value::Null {
            out.extend_from_slice(null.as_bytes());
            continue;
        }
        out.extend_from_slice(key.as_bytes());
        // Writing to a vector cannot fail.
        let _ = match value {
            Value::Null => Ok(()),
            Value::Text(text) => serde_json::to_writer(&mut *out, text).map_err(Into::into),
            Value::Integer(number) => write!(out, "{number}"),
            Value::Moves(moves) => {
                for (n, mv) in moves.iter().enumerate() {
                    // SAN has no letters to escape.
                    out.extend_from_slice(if n == 0 { b"[\"" } else { b",\"" });
                    out.extend_from_slice(mv.as_str().as_bytes());
                    out.push(b'"');
                }
                out.write_all(b"]")
            }
        };
    }
    out.push(b'}');
    out.extend_from_slice(separator);
}

/// Reads objects. Most have the same keys in the same order as the one before.
#[derive(Default)]
pub struct Objects {
    keys: Vec<(String, Meaning)>,
}

impl Objects {
    /// The record of an object, and the keys that are left out.
    pub fn read(&mut self, text: &[u8], reader: &Reader<'_>) -> (RowResult, Vec<LeftOut>) {
        if !text.starts_with(b"{") {
            return (Err(RowError::of_row("expected a JSON object")), Vec::new());
        }
        let mut deserializer = serde_json::Deserializer::from_slice(text);
        let object = deserializer.deserialize_map(ObjectVisitor(self));
        let object = object.and_then(|object| deserializer.end().map(|()| object));
        match object {
            Ok(object) => {
                let record = rows::record(&object.cells, object.has_counters, reader);
                (record, object.left_out)
            }
            Err(error) => {
                let message = error.to_string();
                // What follows is the place within the object.
                let message = match message.split(" at line ").next().unwrap_or_default() {
                    "expected ident" => "expected null, true or false",
                    message => message,
                };
                let error = RowError {
                    found: Found::Place(error.line(), error.column()),
                    message: message.to_owned(),
                };
                (Err(error), Vec::new())
            }
        }
    }

    /// The meaning of the n-th key.
    fn meaning(&mut self, n: usize, key: &str) -> Meaning {
        match self.keys.get(n) {
            Some((known, meaning)) if known == key => meaning.clone(),
            _ => {
                self.keys.truncate(n);
                let before = self.keys.iter().map(|(_, meaning)| meaning.clone());
                let before: Vec<_> = before.collect();
                let meaning = Meaning::after(&before, key);
                self.keys.push((key.to_owned(), meaning.clone()));
                meaning
            }
        }
    }
}

/// What was read of an object.
#[derive(Default)]
struct Object {
    cells: Vec<(Meaning, Cell<'static>)>,
    has_counters: bool,
    left_out: Vec<LeftOut>,
}

struct ObjectVisitor<'a>(&'a mut Objects);

#[derive(Deserialize)]
struct Key<'a>(#[serde(borrow)] Cow<'a, str>);

impl<'de> Visitor<'de> for ObjectVisitor<'_> {
    type Value = Object;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a JSON object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
        let mut object = Object::default();
        let mut n = 0;
        while let Some(Key(key)) = map.next_key()? {
            object.has_counters |= matches!(&*key, "hmvc" | "fmvn");
            let meaning = self.0.meaning(n, &key);
            n += 1;
            let Some(cell) = cell(map.next_value()?) else {
                continue;
            };
            match meaning.left_out(&key) {
                Some(left_out) => object.left_out.push(left_out),
                None => object.cells.push((meaning, cell)),
            }
        }
        Ok(object)
    }
}

/// A value; none for null, an empty text and an empty list.
fn cell(value: Json) -> Option<Cell<'static>> {
    match value {
        Json::Null => None,
        Json::String(text) if text.is_empty() => None,
        Json::Array(mut values) => {
            values.retain(|value| !value.is_null());
            let texts: Vec<_> = values.into_iter().map(text).collect();
            (!texts.is_empty()).then_some(Cell::List(texts))
        }
        value => Some(Cell::Text(text(value).into())),
    }
}

fn text(value: Json) -> String {
    match value {
        Json::String(text) => text,
        other => other.to_string(),
    }
}
