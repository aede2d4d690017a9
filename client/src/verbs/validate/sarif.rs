//! The Static Analysis Results Interchange Format (OASIS, version 2.1.0), written result by result.

use std::io::{self, Write};

use serde_json::json;

use super::located::LocatedDiagnostic;

/// Everything before the first result.
pub fn begin(out: &mut impl Write) -> io::Result<()> {
    let rules: Vec<_> = epd::Diagnostic::names()
        .map(|(name, meaning)| json!({ "id": name, "shortDescription": { "text": meaning } }))
        .collect();
    let tool = json!({
        "driver": {
            "name": "epode",
            "version": env!("CARGO_PKG_VERSION"),
            "rules": rules,
        }
    });
    let schema = "https://json.schemastore.org/sarif-2.1.0.json";
    write!(
        out,
        "{{\"$schema\":\"{schema}\",\"version\":\"2.1.0\",\"runs\":[{{\"tool\":{tool},\
         \"columnKind\":\"unicodeCodePoints\",\"results\":["
    )
}

pub fn result(
    out: &mut impl Write,
    located: &LocatedDiagnostic<'_>,
    is_first: bool,
) -> io::Result<()> {
    let [(line, column), (end_line, end_column)] = located.places();
    let result = json!({
        "ruleId": located.diagnostic.name,
        "level": located.diagnostic.severity.to_string(),
        "message": { "text": located.diagnostic.message },
        "locations": [{
            "physicalLocation": {
                "artifactLocation": { "uri": located.stream.to_string() },
                "region": {
                    "startLine": line,
                    "startColumn": column,
                    "endLine": end_line,
                    "endColumn": end_column,
                },
            }
        }],
    });
    let comma = if is_first { "" } else { "," };
    write!(out, "{comma}\n{result}")
}

pub fn end(out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "\n]}}]}}")
}
