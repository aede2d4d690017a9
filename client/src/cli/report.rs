//! The words of `epode report`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use clap::{Args as Arguments, ValueEnum};

use super::Stream;

#[derive(Debug, Arguments)]
#[command(after_help = "\
The files are what pfts or pfga wrote, with any engine. A record is solved when its move (pm, or else \
the first of pv) is among those of bm and not among those of am; one without either has no target, \
one with a target and without a move has no answer and counts as not solved. Nodes, time and depth to \
the solution are Scn, Sct and Scd; those in all are acn, cte (or else acs) and acd.

Records of several files are matched by id, or else by position. Every two files are compared by who \
solved what (McNemar's exact test) and who was sooner where both solved (sign test); p is two-sided, \
and not corrected for the number of comparisons. Themes are the words beside the number of an id. \
Suite, limits, engine and date come from FILE.run.json, which pfga and pfts write beside their output.

Lists name 500 records at most, and a page the boards and records that it has room for; CSV and JSON \
have all.

Examples:
  epode report solved.epd
  epode report ours.epd theirs.epd --name Epode --name Stockfish -o report.html
  epode pfts suite.epd --nodes 100000 | epode report - --format markdown
  epode report solved.epd --fail-under 90% > report.txt
  epode report --format json old.epd new.epd | jq '.comparisons[0].p'

Exit status: 0 if all is well, 1 if a record says something wrong (an illegal position, a move that \
cannot be played) or less was solved than --fail-under asks for, 2 if a line is no record.")]
pub struct Report {
    /// Result files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Stream>,
    /// Where the report goes; a file is written whole or not at all
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// The format; without it the name of OUT tells (.txt .md .csv .json .html), or else it is for a
    /// terminal
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: Option<ReportFormat>,
    /// What a file is called in the report, in the order of the files; if not given, several files are
    /// called what their engines are called where these differ, and others by their own names
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Fail when less is solved, in any of the files: a number of positions, or a percentage of those
    /// with a target
    #[arg(long, value_name = "N[%]")]
    pub fail_under: Option<Least>,
    /// The most boards of missed positions that a page has
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub boards: usize,
}

impl Report {
    /// The format that was asked for, or that the name of the file means.
    pub fn format(&self) -> anyhow::Result<ReportFormat> {
        match (self.format, &self.output) {
            (Some(format), _) => Ok(format),
            (None, Stream::Standard) => Ok(ReportFormat::Terminal),
            (None, Stream::File(path)) => ReportFormat::of(path).with_context(|| {
                let path = path.display();
                format!(
                    "{path}: unknown extension, expected .txt, .md, .markdown, .csv, .json, .html \
                     or .htm, or --format"
                )
            }),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Aligned text with bars
    Terminal,
    /// Tables as GitHub reads them
    Markdown,
    /// A line a record and file
    Csv,
    /// Everything, for programs
    Json,
    /// A page with charts and boards that needs nothing else
    Html,
}

impl ReportFormat {
    /// What the extension means; none if it is unknown. A name without one is text.
    fn of(path: &Path) -> Option<Self> {
        let Some(extension) = path.extension() else {
            return Some(Self::Terminal);
        };
        Some(match extension.to_ascii_lowercase().to_str()? {
            "txt" => Self::Terminal,
            "md" | "markdown" => Self::Markdown,
            "csv" => Self::Csv,
            "json" => Self::Json,
            "html" | "htm" => Self::Html,
            _ => return None,
        })
    }
}

/// The least that is to be solved.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Least {
    Count(usize),
    Percent(f64),
}

impl FromStr for Least {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let Some(number) = text.strip_suffix('%') else {
            let count = text.parse().map(Self::Count);
            return count
                .map_err(|_| "expected a count such as 250, or a share such as 90%".to_owned());
        };
        number
            .trim_end()
            .parse()
            .ok()
            .filter(|percent| (0.0..=100.0).contains(percent))
            .map(Self::Percent)
            .ok_or_else(|| "expected a share from 0% to 100%".to_owned())
    }
}

impl fmt::Display for Least {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Count(count) => count.fmt(f),
            Self::Percent(percent) => write!(f, "{percent}%"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_is_a_count_or_a_share() {
        for (text, expected) in [
            ("0", Least::Count(0)),
            ("250", Least::Count(250)),
            ("90%", Least::Percent(90.0)),
            ("99.5 %", Least::Percent(99.5)),
            ("0%", Least::Percent(0.0)),
        ] {
            assert_eq!(text.parse(), Ok(expected), "{text}");
        }
        for text in [
            "", "%", "-1", "0.9", "101%", "-1%", "NaN%", "inf%", "ninety",
        ] {
            assert!(text.parse::<Least>().is_err(), "{text}");
        }
    }

    #[test]
    fn names_tell_formats() {
        for (name, expected) in [
            ("a.md", Some(ReportFormat::Markdown)),
            ("a.b.HTML", Some(ReportFormat::Html)),
            ("a.txt", Some(ReportFormat::Terminal)),
            ("json", Some(ReportFormat::Terminal)),
            ("a.pdf", None),
            ("a.html.gz", None),
        ] {
            assert_eq!(ReportFormat::of(Path::new(name)), expected, "{name}");
        }
    }
}
