//! `epode book`: opening repositories and Polyglot books. The library `book` has their formats; here is what reads and
//! writes streams.

mod build;
mod classify;
mod dump;
mod entries;
mod labels;
mod lookup;
mod merge;
mod polyglot;
mod stats;

use crate::cli::Book;
use crate::exit_status::ExitStatus;

pub fn run(args: &Book) -> anyhow::Result<ExitStatus> {
    match args {
        Book::Build(args) => build::run(args),
        Book::Merge(args) => merge::run(args),
        Book::Dump(args) => dump::run(args),
        Book::Stats(args) => stats::run(args),
        Book::Lookup(args) => lookup::run(args),
        Book::Classify(args) => classify::run(args),
        Book::Export(args) => polyglot::export(args),
        Book::Import(args) => polyglot::import(args),
    }
}
