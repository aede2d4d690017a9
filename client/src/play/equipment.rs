//! The hardware that the client reports to the referee when it signs on (decision 145).

use anyhow::bail;
use engine::Signals;

use crate::cli::{Client, Engine, EngineOption, Protocol, Speed};
use crate::verbs::bench::{self, BenchSettings};

/// What the player runs on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Equipment {
    /// In words.
    pub machine: Option<String>,
    /// Nodes a second.
    pub speed: Option<u64>,
}

impl Equipment {
    /// What the options say. The signals end a benchmark, which is an error then.
    pub fn of(args: &Client, signals: &Signals) -> anyhow::Result<Self> {
        let machine = match &args.machine {
            Some(text) => text.clone(),
            None => describe(&args.engine),
        };
        Ok(Self {
            machine: (!machine.trim().is_empty()).then_some(machine),
            speed: match args.speed {
                Some(Speed::Stated(speed)) => Some(speed),
                Some(Speed::Measure) => Some(measure(&args.engine, signals)?),
                None => None,
            },
        })
    }
}

/// Runs the benchmark with the threads and the hash table that the player has.
fn measure(engine: &Engine, signals: &Signals) -> anyhow::Result<u64> {
    if engine.command.is_some() {
        bail!(
            "--speed measure runs the benchmark of the built-in engine; with --engine, state the speed: \
             --speed NPS"
        );
    }
    let settings = BenchSettings {
        hash: engine.hash(None),
        threads: engine.threads.get().try_into().unwrap_or(u16::MAX),
        ..BenchSettings::default()
    };
    let result = bench::measure(settings, engine.net.load()?, signals)?;
    let speed = (result.speed().round() as u64).max(1);
    eprintln!("epode: the speed is {speed} nodes a second");
    Ok(speed)
}

/// The processor, and the threads and the hash table of the engine: `AMD EPYC 7B13, 1 thread, 16 MiB`.
fn describe(engine: &Engine) -> String {
    let threads = option(engine, ["Threads", "cores"]);
    let threads = threads.unwrap_or_else(|| engine.threads.get().to_string());
    let thread_word = if threads == "1" { "thread" } else { "threads" };
    // Without --hash, an engine of the xboard protocol chooses.
    let chooses = engine.command.is_some() && engine.protocol == Protocol::Xboard;
    let given = engine.hash.or((!chooses).then(|| engine.hash(None)));
    let hash = option(engine, ["Hash", "memory"]).or(given.map(|hash| hash.to_string()));
    let hash = hash.map_or_else(String::new, |hash| format!(", {hash} MiB"));
    format!("{}, {threads} {thread_word}{hash}", processor())
}

/// What the last --option of one of these names says.
fn option(engine: &Engine, names: [&str; 2]) -> Option<String> {
    let mut options = engine.options.iter().rev();
    let found = options
        .find(|EngineOption(name, _)| names.iter().any(|other| other.eq_ignore_ascii_case(name)));
    found.map(|EngineOption(_, value)| value.clone())
}

/// The name of the processor where Linux tells it; elsewhere its architecture.
fn processor() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    model(&text).unwrap_or_else(|| {
        let (architecture, system) = (std::env::consts::ARCH, std::env::consts::OS);
        format!("{architecture} ({system})")
    })
}

/// The model in the text of `/proc/cpuinfo`. The names of its lines differ between architectures.
fn model(text: &str) -> Option<String> {
    let value = |wanted: &str| {
        let mut lines = text.lines().filter_map(|line| line.split_once(':'));
        let (_, value) = lines.find(|(name, _)| name.trim() == wanted)?;
        let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
        (!value.is_empty()).then_some(value)
    };
    ["model name", "Model", "Hardware", "cpu model", "cpu"]
        .into_iter()
        .find_map(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::Args;
    use crate::cli::Command;
    use clap::Parser as _;

    fn client(options: &str) -> Box<Client> {
        let words = format!("epode client localhost:1 {options}");
        let words = shell_words::split(&words).expect("words");
        match Args::try_parse_from(words).expect("options").command {
            Command::Client(client) => client,
            other => panic!("{other:?}"),
        }
    }

    fn said(options: &str) -> (String, Option<u64>) {
        let equipment = Equipment::of(&client(options), &Signals::default()).expect("said");
        let machine = equipment.machine.unwrap_or_default();
        // This machine has some processor.
        (machine.replacen(&processor(), "CPU", 1), equipment.speed)
    }

    #[test]
    fn a_player_says_what_it_runs_on() {
        for (options, machine, speed) in [
            ("", "CPU, 1 thread, 16 MiB", None),
            ("--threads 4 --hash 256", "CPU, 4 threads, 256 MiB", None),
            ("--machine ''", "", None),
            ("--machine ' '", "", None),
            ("--machine abacus --speed 12", "abacus", Some(12)),
            (
                "--engine x --option Threads=8 --option hash=64 --option Hash=128",
                "CPU, 8 threads, 128 MiB",
                None,
            ),
            ("--engine x --protocol xboard", "CPU, 1 thread", None),
            (
                "--engine x --protocol xboard --option memory=32 --option cores=2",
                "CPU, 2 threads, 32 MiB",
                None,
            ),
        ] {
            assert_eq!(said(options), (machine.to_owned(), speed), "{options}");
        }
    }

    #[test]
    fn speeds_are_numbers_or_measured() {
        let error = Equipment::of(&client("--engine x --speed measure"), &Signals::default());
        let error = error.expect_err("not ours").to_string();
        assert!(error.contains("state the speed"), "{error}");
        for text in ["0", "fast", "1.5", "18446744073709551616"] {
            let words = ["epode", "client", "h:1", "--speed", text];
            let error = Args::try_parse_from(words).expect_err(text).to_string();
            assert!(error.contains("nodes a second"), "{error}");
        }
    }

    #[test]
    fn processors_have_many_names() {
        for (text, expected) in [
            (
                "processor\t: 0\nmodel\t\t: 1\nmodel name\t: Intel(R) Xeon(R)  CPU @ 2.20GHz\n",
                Some("Intel(R) Xeon(R) CPU @ 2.20GHz"),
            ),
            (
                "processor : 0\nHardware : BCM2835\nModel : Raspberry Pi 4 Model B\n",
                Some("Raspberry Pi 4 Model B"),
            ),
            (
                "cpu\t\t: POWER9, altivec supported\n",
                Some("POWER9, altivec supported"),
            ),
            ("model name :\n", None),
            ("", None),
        ] {
            assert_eq!(model(text).as_deref(), expected);
        }
    }
}
