//! `epode pfdn`: data normalisation (EPD 7.1).

use anyhow::{Context, bail};
use epd::check;

use crate::Verdict;
use crate::args::Pfdn;
use crate::input::{Message, Records};
use crate::output::Output;

pub fn run(args: &Pfdn) -> anyhow::Result<Verdict> {
    let mut verdict = Verdict::Good;
    let mut output = Output::create(&args.output)?;
    let (mut records, mut mended, mut faulty, mut unreadable) = (0, 0, 0, 0);
    for item in Records::open(&args.input)? {
        let numbered = item.with_context(|| format!("cannot read {}", args.input))?;
        let line = numbered.line;
        let tell = |column, text: &dyn std::fmt::Display| {
            eprintln!(
                "{}",
                Message {
                    stream: &args.input,
                    line,
                    column,
                    text
                }
            );
        };
        let stop = || bail!("stopped at line {line} of {}", args.input);
        let mut read = match numbered.record {
            Ok(read) => read,
            Err(error) => {
                tell(Some(error.column), &error.kind);
                if args.strict {
                    return stop();
                }
                unreadable += 1;
                verdict = Verdict::Failed;
                continue;
            }
        };
        if let (true, Some(deviation)) = (args.strict, read.deviations.first()) {
            tell(Some(deviation.column), &deviation.kind);
            return stop();
        }
        // What is said wrongly is told and written all the same (decision 112).
        let findings = check(&read.record);
        for finding in &findings {
            tell(None, &format_args!("warning[{}]: {finding}", finding.rule));
            verdict = verdict.max(Verdict::Faulty);
        }
        read.record.normalise();
        output.line(&read.record)?;
        records += 1;
        mended += usize::from(!read.deviations.is_empty());
        faulty += usize::from(!findings.is_empty());
    }
    output.finish()?;
    eprintln!(
        "{records} records, {mended} of them mended, {faulty} with warnings; {unreadable} lines not understood"
    );
    Ok(verdict)
}
