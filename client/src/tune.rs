//! `epode tune`: adjusts numeric options of a UCI engine by SPSA.
//!
//! | file | contents |
//! |---|---|
//! | `params` | the parameters as text: files and arguments |
//! | `spsa` | the formulas: perturbations and updates, without I/O |
//! | `contestant` | an engine process with the values that it plays with |
//! | `game`, `openings` | a game between two of them, and where it begins |
//! | `suite` | the objective by a test suite |
//! | `trial` | an iteration: pairs of games, or positions of a suite |
//! | `journal`, `state` | finished iterations as lines of a file, and what they add up to |
//! | `run`, `progress` | the threads, and what is shown meanwhile |
//! | `effects` | how much each parameter matters, by linear regression |
//! | `summary`, `chart` | what a run comes to, as text and as SVG |

mod chart;
mod contestant;
mod effects;
mod game;
mod journal;
mod openings;
mod params;
mod progress;
mod run;
mod spsa;
mod state;
mod suite;
mod summary;
mod trial;

use std::io::{Read, Write};
use std::path::Path;

use anyhow::{Context, anyhow, bail};

use crate::cli::{Tune, TuneSettings};
use crate::engines::{NumberOption, Player, UciPlayer};
use crate::exit_status::ExitStatus;
use crate::io::output::StandardOutput;
use crate::io::stream::Stream;
use contestant::Start;
use game::{MoveLimit, Rules};
use journal::{Contents, Head, Journal};
use openings::Openings;
use params::{Kind, Param, ParamError, is_repeated, read_argument, read_file};
use run::Setup;
use state::State;
use suite::Suite;
use trial::Objective;

/// The games of a run, and the iterations of one with a suite.
const GAMES: u64 = 20_000;
const SUITE_ITERATIONS: u64 = 1000;

pub fn run(args: &Tune) -> anyhow::Result<ExitStatus> {
    if args.list {
        return list(&args.settings);
    }
    let state = if let Some(path) = &args.show {
        let contents = Contents::read(path)?;
        report_torn(path, &contents);
        State::of(&contents)?
    } else if let Some(path) = &args.resume {
        resume(args, path)?
    } else {
        begin(args)?
    };
    print(&summary::text(&state, args.print))?;
    if let Some(path) = &args.chart {
        draw(&state, path)?;
    }
    Ok(if state.faults > 0 && args.show.is_none() {
        ExitStatus::Faulty
    } else {
        ExitStatus::Success
    })
}

fn print(text: &str) -> anyhow::Result<()> {
    let written = std::io::stdout().write_all(text.as_bytes());
    written.context(StandardOutput)
}

fn report_torn(path: &Path, contents: &Contents) {
    if let Some(line) = contents.torn {
        let path = path.display();
        eprintln!("{path}:{line}: the line is incomplete and not used");
    }
}

/// Lists the numeric options of the engine.
fn list(settings: &TuneSettings) -> anyhow::Result<ExitStatus> {
    let player = Start::of(settings)?.player()?;
    let mut text = format!(
        "# {}\n# name, type, value, min, max, c_end, r_end\n",
        player.name()
    );
    for option in player.numbers() {
        match listed(&option) {
            Some(param) => text += &param.to_string(),
            None => text += &["# ", option.name, ": it has no range of numbers"].concat(),
        }
        text.push('\n');
    }
    print(&text)?;
    Ok(ExitStatus::Success)
}

/// An option with its whole range. A text has no range: that from 0 to twice the default is a proposal.
fn listed(option: &NumberOption<'_>) -> Option<Param> {
    let NumberOption {
        name,
        range,
        default,
    } = *option;
    let (kind, range) = if let Some(range) = range {
        (Kind::Whole, range.map(|end| end as f64))
    } else {
        let far = 2.0 * default?;
        (Kind::Real, [far.min(0.0), far.max(0.0)])
    };
    let start = default.unwrap_or(range[0]);
    let is_range = range[0] < range[1] && (range[0]..=range[1]).contains(&start);
    // Options without bounds cannot be tuned as they are.
    let is_finite = range.iter().all(|end| end.abs() < 1e15);
    (is_range && is_finite).then(|| Param::new(name, kind, start, range))
}

/// Plays a new run.
fn begin(args: &Tune) -> anyhow::Result<State> {
    let settings = &args.settings;
    let params = read_params(args)?;
    if params.is_empty() {
        bail!(
            "nothing to tune: give --param NAME=VALUE,MIN..MAX or --params FILE; --list shows what the \
             engine has"
        );
    }
    let (objective, positions) = objective(settings)?;
    let start = Start::of(settings)?;
    let first = start.check(&params)?;
    let lines = params.iter().map(Param::to_string).collect();
    let iterations = iterations(settings)?;
    let head = Head::new(first.name(), settings.clone(), lines, iterations, positions);
    let journal = match &args.output {
        None => None,
        Some(path) => Some(Journal::create(path, &head, args.restart)?),
    };
    play(args, &start, first, &objective, State::new(head)?, journal)
}

/// Plays the rest of a run.
fn resume(args: &Tune, path: &Path) -> anyhow::Result<State> {
    if !path.exists() {
        bail!("cannot open {}: there is no such file", path.display());
    }
    let (journal, contents) = Journal::resume(path)?;
    report_torn(path, &contents);
    let state = State::of(&contents)?;
    let settings = &contents.head.settings;
    let mut changes = changes(settings, &args.settings)?;
    let given = read_params(args)?;
    if !given.is_empty() && given != state.spsa.params() {
        changes.push("the parameters".to_owned());
    }
    let (objective, positions) = objective(settings)?;
    if positions != contents.head.positions {
        let file = settings.book.as_ref().or(settings.suite.as_ref());
        changes.push(format!(
            "the positions of {}",
            file.map_or("", String::as_str)
        ));
    }
    let start = Start::of(settings)?;
    let first = start.check(state.spsa.params())?;
    if first.name() != contents.head.engine {
        changes.push(format!(
            "the engine was {}, is {}",
            contents.head.engine,
            first.name()
        ));
    }
    if !changes.is_empty() {
        bail!(
            "{} was started with other settings: {}",
            path.display(),
            changes.join("; ")
        );
    }
    play(args, &start, first, &objective, state, Some(journal))
}

fn play(
    args: &Tune,
    start: &Start,
    first: UciPlayer,
    objective: &Objective,
    state: State,
    journal: Option<Journal>,
) -> anyhow::Result<State> {
    let setup = Setup {
        start,
        first,
        objective,
        seed: state.head.settings.seed.unwrap_or_default(),
        jobs: args.jobs.get(),
    };
    run::run(setup, state, journal)
}

/// The settings given now that differ from those of the journal.
fn changes(before: &TuneSettings, now: &TuneSettings) -> anyhow::Result<Vec<String>> {
    let (before, now) = (serde_json::to_value(before)?, serde_json::to_value(now)?);
    let text = |value: &serde_json::Value| match value {
        serde_json::Value::Null => "not given".to_owned(),
        serde_json::Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let given = now.as_object().into_iter().flatten();
    let changed = given.filter(|(name, value)| before[name.as_str()] != **value);
    Ok(changed
        .map(|(name, value)| {
            format!(
                "{name} was {}, is {}",
                text(&before[name.as_str()]),
                text(value)
            )
        })
        .collect())
}

/// The number of iterations of the whole run.
fn iterations(settings: &TuneSettings) -> anyhow::Result<u64> {
    if let Some(iterations) = settings.iterations {
        return Ok(iterations.get());
    }
    if settings.suite.is_some() {
        return Ok(SUITE_ITERATIONS);
    }
    let games = settings.games.map_or(GAMES, std::num::NonZeroU64::get);
    let each = 2 * settings.pairs.map_or(1, |pairs| u64::from(pairs.get()));
    if games < each {
        bail!("--games {games} is less than the {each} games of an iteration");
    }
    let surplus = games % each;
    if surplus > 0 && settings.games.is_some() {
        let played = games - surplus;
        eprintln!("--games {games}: {played} are played, since an iteration has {each}");
    }
    Ok(games / each)
}

/// The objective, with a checksum of its positions.
fn objective(settings: &TuneSettings) -> anyhow::Result<(Objective, Option<u32>)> {
    let stream = |name: &String| -> Stream { name.parse().unwrap_or_else(|error| match error {}) };
    if let Some(name) = &settings.suite {
        let limit = MoveLimit::of(settings)?;
        let sample = settings.sample.map(std::num::NonZeroUsize::get);
        let suite = Suite::read(&stream(name), sample, settings.castling())?;
        let checksum = suite.checksum();
        return Ok((Objective::Suite { suite, limit }, Some(checksum)));
    }
    let rules = Rules::of(settings)?;
    let openings = match &settings.book {
        Some(name) => Openings::read(&stream(name), settings.castling())?,
        None => Openings::Random,
    };
    let checksum = openings.checksum();
    let pairs = settings.pairs.map_or(1, std::num::NonZeroU32::get);
    let objective = Objective::Games {
        openings,
        rules,
        pairs,
    };
    Ok((objective, checksum))
}

/// The parameters of the command line and of the file.
fn read_params(args: &Tune) -> anyhow::Result<Vec<Param>> {
    let mut params = Vec::new();
    if let Some(stream) = &args.params {
        let text = read_text(stream)?;
        params = read_file(&text).map_err(|error| {
            let ParamError { line, column, .. } = error;
            anyhow!("{stream}:{line}:{column}: {error}")
        })?;
    }
    for text in &args.param {
        let param = read_argument(text)
            .map_err(|error| anyhow!("--param {text:?}: column {}: {error}", error.column))?;
        if is_repeated(&params, &param) {
            bail!("--param {text:?}: {} is there twice", param.name);
        }
        params.push(param);
    }
    Ok(params)
}

fn read_text(stream: &Stream) -> anyhow::Result<String> {
    let mut text = String::new();
    let read = match stream {
        Stream::Standard => std::io::stdin().read_to_string(&mut text).map(|_| ()),
        Stream::File(path) => std::fs::read_to_string(path).map(|read| text = read),
    };
    read.with_context(|| format!("cannot read {stream}"))?;
    Ok(text)
}

/// Writes the chart.
fn draw(state: &State, path: &Path) -> anyhow::Result<()> {
    let svg = chart::render(state);
    let is_png = path
        .extension()
        .is_some_and(|end| end.eq_ignore_ascii_case("png"));
    let bytes = if is_png {
        crate::verbs::diagram::png::render(&svg)?
    } else {
        svg.into_bytes()
    };
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
