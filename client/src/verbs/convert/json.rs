//! Rows as JSON lines: an object a line. Every column is in every object, so that programs that look at the first
//! lines see them all.

use std::io::Write;

use epd::{Reader, Record};
use serde_json::Value as Json;

use super::columns::{self, COLUMNS, Cell, Found, Meaning, Row, RowError, Value};

/// Appends a row.
pub fn write(row: &Row<'_>, out: &mut Vec<u8>) {
    let mut separator = '{';
    for ((name, _), value) in COLUMNS.iter().zip(row) {
        // Writing to a vector cannot fail.
        let _ = write!(out, "{separator}\"{name}\":");
        let _ = match value {
            Value::Null => out.write_all(b"null"),
            Value::Text(text) => serde_json::to_writer(&mut *out, text).map_err(Into::into),
            Value::Integer(number) => write!(out, "{number}"),
            Value::Moves(moves) => {
                let mut separator = '[';
                for mv in moves {
                    // SAN has no letters to escape.
                    let _ = write!(out, "{separator}\"{mv}\"");
                    separator = ',';
                }
                out.write_all(b"]")
            }
        };
        separator = ',';
    }
    out.extend_from_slice(b"}\n");
}

/// The record of a line, and the names of keys that mean nothing.
pub fn read(line: &[u8], reader: &Reader<'_>) -> (Result<Record, RowError>, Vec<String>) {
    let object = match serde_json::from_slice(line) {
        Ok(Json::Object(object)) => object,
        Ok(_) => {
            let error = RowError::of_row("expected a JSON object in each line");
            return (Err(error), Vec::new());
        }
        Err(error) => {
            let found = Found::Column(error.column());
            let message = error.to_string();
            // What follows is the line number within the line.
            let message = message.split(" at line ").next().unwrap_or_default();
            let message = message.to_owned();
            return (Err(RowError { found, message }), Vec::new());
        }
    };
    let has_counters = object.contains_key("hmvc") || object.contains_key("fmvn");
    let mut unknown = Vec::new();
    let mut cells = Vec::new();
    for (name, value) in object {
        match (Meaning::of(&name), cell(value)) {
            (_, None) => {}
            (Meaning::None, _) => unknown.push(name),
            (meaning, Some(cell)) => cells.push((meaning, cell)),
        }
    }
    (columns::record(&cells, has_counters, reader), unknown)
}

/// A value; none for null, an empty text and an empty list.
fn cell(value: Json) -> Option<Cell<'static>> {
    match value {
        Json::Null => None,
        Json::String(text) if text.is_empty() => None,
        Json::Array(values) if values.is_empty() => None,
        Json::Array(values) => Some(Cell::List(values.into_iter().map(text).collect())),
        value => Some(Cell::Text(text(value).into())),
    }
}

fn text(value: Json) -> String {
    match value {
        Json::String(text) => text,
        other => other.to_string(),
    }
}
