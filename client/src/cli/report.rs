//! Arguments of `epode report`.

use std::fmt;
use std::path::Path;
use std::str::FromStr;

use anyhow::Context;
use clap::{Args as Arguments, ValueEnum};

use super::common::Castling;
use crate::io::stream::Stream;

#[derive(Debug, Arguments)]
#[command(after_help = "\
The files are output of pfts or pfga, with any engine. A record is solved if its move (pm, or else the \
first move of pv) is among those of bm and not among those of am. A record with neither has no target; \
one with a target but no move counts as not solved. Scn, Sct and Scd are the nodes, time and depth to \
the solution; acn, cte (or else acs) and acd are those of the whole search.

Records of several files are matched by id, or else by position. Each pair of files is compared by \
which records were solved (McNemar's exact test) and by which was faster where both solved (sign \
test). p-values are two-sided and not corrected for multiple comparisons. The theme of a record is its \
id without the number. Suite, limits, engine and date come from FILE.run.json, which pfga and pfts \
write beside their output.

Lists are cut after 500 records, and an HTML page limits its boards and records; CSV and JSON are \
always complete.

Examples:
  epode report solved.epd
  epode report ours.epd theirs.epd --name Epode --name Stockfish -o report.html
  epode report ours.epd theirs.epd -o chart.svg
  epode pfts suite.epd --nodes 100000 | epode report - --format markdown
  epode report solved.epd --fail-under 90% > report.txt
  epode report --format json old.epd new.epd | jq '.comparisons[0].p'

Exit status: 0 on success, 1 if a record has wrong content (an illegal position, an illegal move) or \
fewer positions were solved than --fail-under requires, 2 if a line is not a record.")]
pub struct Report {
    /// Result files; `-` for standard input
    #[arg(value_name = "FILE", required = true)]
    pub inputs: Vec<Stream>,
    /// Output file, replaced only when it is complete
    #[arg(short, long, value_name = "OUT", default_value = "-")]
    pub output: Stream,
    /// Format of the report (default: by the extension of OUT, .txt .md .csv .json .html .svg, or
    /// else terminal)
    #[arg(long, value_name = "FORMAT", value_enum)]
    pub format: Option<ReportFormat>,
    /// Name of a file in the report; repeat it in the order of the files (default: the engine names if
    /// they differ, or else the file names)
    #[arg(long = "name", value_name = "NAME")]
    pub names: Vec<String>,
    /// Fail if any file has fewer solved positions than this: a number, or a percentage of the
    /// positions with a target
    #[arg(long, value_name = "N[%]")]
    pub fail_under: Option<Least>,
    /// Maximum number of boards of missed positions on an HTML page
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub boards: usize,
    #[command(flatten)]
    pub castling: Castling,
}

impl Report {
    /// The given format, or that of the file extension.
    pub fn format(&self) -> anyhow::Result<ReportFormat> {
        match (self.format, &self.output) {
            (Some(format), _) => Ok(format),
            (None, Stream::Standard) => Ok(ReportFormat::Terminal),
            (None, Stream::File(path)) => ReportFormat::of(path).with_context(|| {
                let path = path.display();
                format!(
                    "{path}: unknown extension, expected .txt, .md, .markdown, .csv, .json, .html, \
                     .htm or .svg, or --format"
                )
            }),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum ReportFormat {
    /// Aligned text with bars
    Terminal,
    /// Tables in GitHub Flavored Markdown
    Markdown,
    /// One line per record and file
    Csv,
    /// The complete data
    Json,
    /// A self-contained page with charts and boards
    Html,
    /// The chart of solved positions as an image
    Svg,
}

impl ReportFormat {
    /// The format of a file extension; none if it is unknown. A name without one is text.
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
            "svg" => Self::Svg,
            _ => return None,
        })
    }
}

/// The minimum that must be solved.
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
            ("a.svg", Some(ReportFormat::Svg)),
            ("a.pdf", None),
            ("a.html.gz", None),
        ] {
            assert_eq!(ReportFormat::of(Path::new(name)), expected, "{name}");
        }
    }
}
