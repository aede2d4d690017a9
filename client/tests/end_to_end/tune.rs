//! `epode tune`: parameters of UCI engines, tuned by games and by suites.
use std::fs;
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;

use crate::common::records::SUITE;
use crate::common::{ALL_WELL, FAILED, FAULTY, Folder, interrupt, stderr, stdout};
use assert_cmd::assert::Assert;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;
use predicates::str::{contains, ends_with, starts_with};

/// An engine with an option `Nodes`, how many it searches, whatever it is told, and one for each other kind.
/// `on_go` is done before each search.
fn engine(on_go: &str) -> String {
    let epode = cargo_bin!("epode").display().to_string();
    format!(
        "#!/bin/sh\nnodes=1\nbad=0\nwhile read -r line; do case $line in\n\
         'setoption name Nodes value '*) nodes=${{line##* }};;\n\
         'setoption name Bad value '*) bad=${{line##* }};;\n\
         'setoption name Factor value '*) echo \"$line\" >> factors;;\n\
         quit) echo quit; exit;;\n\
         go*) {on_go}\necho \"go nodes $nodes\";;\n\
         *) echo \"$line\";;\n\
         esac; done | '{epode}' uci | sed -u '/^uciok/i \\\n\
         option name Nodes type spin default 40 min 1 max 400\\\n\
         option name Bad type spin default 0 min 0 max 9\\\n\
         option name Factor type string default 0.5'\n"
    )
}

fn folder_with(engine: &str) -> Folder {
    let folder = Folder::with("engine.sh", engine);
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("engine.sh"), mode).expect("permissions");
    folder
}

fn folder() -> Folder {
    folder_with(&engine(""))
}

/// Short games: the side that is behind resigns.
const RULES: &str = "--nodes 20 --max-plies 60 --resign movecount=1,score=400";

fn tune(folder: &Folder, line: &str) -> Assert {
    folder.run(&format!("tune --engine ./engine.sh {line}"))
}

/// The value of a parameter in lines for `--params`.
fn value(lines: &str, name: &str) -> f64 {
    let line = lines
        .lines()
        .find(|line| line.starts_with(&format!("{name}, ")));
    let line = line.expect("a line of the parameter");
    line.split(", ")
        .nth(2)
        .expect("a value")
        .parse()
        .expect("a number")
}

/// The iterations of a journal, without its first line.
fn iterations(folder: &Folder) -> Vec<String> {
    let text = folder.read("run.tune");
    text.lines().skip(1).map(str::to_owned).collect()
}

/// A better value is found: more nodes win, and most moves of the parameter go there.
#[test]
fn games_move_a_parameter_to_better_values() {
    let folder = folder();
    let done = tune(
        &folder,
        &format!(
            "{RULES} --param Nodes=30,1..200,step=25,r_end=0.1 --games 100 --jobs 2 --seed 3 -o run.tune \
             --print params"
        ),
    );
    let done = done.code(ALL_WELL).stderr(contains("50 iterations in "));
    let now = value(&stdout(&done), "Nodes");
    assert!(now > 60.0, "{now}");
    assert_eq!(iterations(&folder).len(), 50);
}

/// A step of 25 nodes is worth more than the error of its estimate. With one job and a seed, the games are always the same.
#[test]
fn the_worth_of_a_step_is_printed() {
    let folder = folder();
    let line = "--param Nodes=40,1..200,step=25,r_end=1e-6 --games 80 --seed 3 -o run.tune";
    let done = tune(&folder, &format!("{RULES} {line} --print effects"));
    let effects = stdout(&done.code(ALL_WELL));
    let rows: Vec<Vec<_>> = effects
        .lines()
        .skip(2)
        .map(|line| line.split_whitespace().collect())
        .collect();
    assert_eq!(rows[0], ["parameter", "step", "Elo", "error"]);
    let [elo, error] = [2, 3].map(|column| rows[1][column].parse::<f64>().expect("a number"));
    assert!(
        rows[1][..2] == ["Nodes", "25"] && elo > error && error > 0.0,
        "{effects}"
    );
    let shown = folder.run("tune --show run.tune --print effects");
    assert_eq!(stdout(&shown.code(ALL_WELL)), effects);
}

/// With one job, fixed nodes and a seed, runs are the same; and so is one that was killed at any line, even
/// within it.
#[test]
fn a_resumed_run_is_the_same() {
    let folder = folder();
    let line = format!(
        "{RULES} --param Nodes=10,1..100 --param Bad=5,0..9 --games 16 --seed 7 -o run.tune"
    );
    let first = stdout(&tune(&folder, &line).code(ALL_WELL));
    let whole = iterations(&folder);
    assert_eq!(whole.len(), 8);
    let exists =
        contains("run.tune exists: --resume run.tune continues its run, --restart starts over");
    tune(&folder, &line).code(FAILED).stderr(exists);
    let again = tune(&folder, &format!("{line} --restart")).code(ALL_WELL);
    assert_eq!(
        (stdout(&again), iterations(&folder)),
        (first.clone(), whole.clone())
    );

    let text = folder.read("run.tune");
    let third = text.match_indices('\n').nth(3).expect("four lines").0;
    for (cut, torn) in [(third + 1, false), (third + 30, true), (third, true)] {
        fs::write(folder.path("run.tune"), &text[..cut]).expect("written");
        let done = folder.run("tune --resume run.tune").code(ALL_WELL);
        let note = contains("the line is incomplete and not used");
        let done = if torn {
            done.stderr(note)
        } else {
            done.stderr(note.not())
        };
        assert_eq!(
            (stdout(&done), iterations(&folder)),
            (first.clone(), whole.clone())
        );
    }
    // A finished run has nothing left to do.
    let done = folder.run("tune --resume run.tune").code(ALL_WELL);
    assert_eq!((stdout(&done), iterations(&folder)), (first.clone(), whole));
    let shown = folder.run("tune --show run.tune").code(ALL_WELL);
    assert_eq!(stdout(&shown), first);
}

/// A run that is killed keeps all iterations that it finished.
#[test]
fn a_killed_run_loses_nothing() {
    let folder = folder();
    let line = format!(
        "tune --engine ./engine.sh {RULES} --param Nodes=10,1..100 --games 2000 --jobs 2 -o run.tune"
    );
    let mut child = folder.start(&line);
    while !folder.path("run.tune").exists() || iterations(&folder).len() < 3 {
        assert!(child.try_wait().expect("a child").is_none(), "it runs");
        std::thread::yield_now();
    }
    child.kill().expect("killed");
    child.wait().expect("dead");
    let text = folder.read("run.tune");
    let lines = text.matches('\n').count();
    // The same with Ctrl-C.
    let mut child = folder.start("tune --resume run.tune");
    while iterations(&folder).len() < lines + 2 {
        assert!(child.try_wait().expect("a child").is_none(), "it runs");
        std::thread::yield_now();
    }
    interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(FAILED));
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(
        told.contains("finishing the iterations in progress"),
        "{told}"
    );
    assert!(
        told.contains("continue with: epode tune --resume run.tune"),
        "{told}"
    );
    let whole = &text[..=text.rfind('\n').expect("lines")];
    assert!(folder.read("run.tune").starts_with(whole));
    // No iteration is played twice.
    let mut numbers: Vec<_> = iterations(&folder)
        .iter()
        .map(|line| line.split(',').next().expect("a number").to_owned())
        .collect();
    let count = numbers.len();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), count);
}

#[test]
fn changed_settings_are_refused() {
    let folder = folder();
    fs::write(folder.path("book.epd"), SUITE).expect("written");
    let line = format!("{RULES} --book book.epd --param Nodes=10,1..100 --games 2 -o run.tune");
    tune(&folder, &line).code(ALL_WELL);
    let refused = |line: &str, why: &str| {
        folder
            .run(&format!("tune --resume run.tune {line}"))
            .code(FAILED)
            .stderr(contains(format!(
                "run.tune was started with other settings: {why}"
            )));
    };
    refused(
        "--nodes 21 --seed 5",
        "--nodes was 20, is 21; --seed was not given, is 5",
    );
    refused("--param Nodes=10,1..99", "the parameters");
    folder
        .run("tune --resume run.tune --nodes 20 --param Nodes=10,1..100")
        .code(ALL_WELL);
    let text = folder.read("book.epd") + "4k3/8/8/8/8/8/8/4K2R w K - id \"more\";\n";
    fs::write(folder.path("book.epd"), text).expect("written");
    refused("--nodes 20", "the positions of book.epd");
    fs::write(
        folder.path("run.tune"),
        "{\"format\":\"epode-tune\",\"version\":2}\n",
    )
    .expect("written");
    let version = contains("run.tune:1: found version 2 of the journal, expected version 1");
    folder
        .run("tune --show run.tune")
        .code(FAILED)
        .stderr(version);
    fs::write(folder.path("run.tune"), "x\n").expect("written");
    let other = contains("run.tune:1: not the first line of a journal of epode tune");
    folder
        .run("tune --resume run.tune")
        .code(FAILED)
        .stderr(other);
    let none = contains("cannot open none: there is no such file");
    folder.run("tune --resume none").code(FAILED).stderr(none);
}

#[test]
fn faults_in_parameters_are_told() {
    let folder = folder();
    fs::write(
        folder.path("params.txt"),
        "Nodes, int, 40, 1, 400\nBad, int, x, 0, 9\n",
    )
    .expect("written");
    for (line, why) in [
        (
            "--params params.txt",
            "params.txt:2:11: found \"x\", expected a value",
        ),
        (
            "--param Nodes=5,1-9",
            "--param \"Nodes=5,1-9\": column 9: found \"1-9\", expected a range MIN..MAX",
        ),
        (
            "--param Node=5,1..9",
            "has no option Node; did you mean Nodes?",
        ),
        (
            "--param Nodes=5,0..9",
            "the range of Nodes is 0 to 9, but Epode",
        ),
        (
            "--param Nodes=5,0.5..9",
            "takes whole numbers for Nodes, which is a float here",
        ),
        ("--param Ponder=5,0..9", "takes true or false for Ponder"),
        (
            "--param SyzygyPath=5,0..9",
            "the value of SyzygyPath of Epode",
        ),
        (
            "--param Bad=5,0..9 --option Bad=1",
            "Bad is both a parameter and an --option",
        ),
        (
            "--param Hash=16,1..64 --hash 4",
            "Hash is both a parameter and set by --hash",
        ),
        (
            "--param threads=1,1..2 --threads 1",
            "threads is both a parameter and set by --threads",
        ),
        (
            "--param Bad=5,..9",
            "column 7: found nothing, expected a minimum",
        ),
        (
            "--param Bad=5,7..6",
            "column 10: found \"6\", expected a maximum above 7",
        ),
        (
            "--param Bad=5,0..9 --param bad=5,0..9",
            "bad is there twice",
        ),
        ("--params none.txt", "cannot read none.txt"),
        ("", "nothing to tune: give --param"),
    ] {
        tune(
            &folder,
            &format!("{RULES} {line} -o run.tune").replace("  ", " "),
        )
        .code(FAILED)
        .stderr(contains(why));
    }
    assert!(!folder.path("run.tune").exists());
    tune(&folder, "--param Bad=5,0..9")
        .code(FAILED)
        .stderr(contains("Give --nodes N"));
    let missing = folder.run(&format!("tune --engine ./none {RULES} --param Bad=5,0..9"));
    missing
        .code(FAILED)
        .stderr(contains("cannot start the engine ./none"));
}

/// Only whole iterations are played, which is told.
#[test]
fn games_beyond_the_last_iteration_are_told() {
    let folder = folder();
    let told = "--games 3: 2 are played, since an iteration has 2\n";
    for (games, begin) in [("3", told), ("2", "1 iteration in ")] {
        let line = format!("{RULES} --param Bad=5,0..9 --games {games}");
        tune(&folder, &line)
            .code(ALL_WELL)
            .stderr(starts_with(begin));
    }
}

/// What `--list` prints can be used as `--params`.
#[test]
fn numeric_options_are_listed() {
    let folder = folder();
    let listed = stdout(&tune(&folder, "--list").code(ALL_WELL));
    for line in [
        "Nodes, int, 40, 1, 400, 19.95, 0.002",
        "Bad, int, 0, 0, 9, 0.5, 0.002",
        "Factor, float, 0.5, 0, 1, 0.05, 0.002",
    ] {
        assert!(listed.lines().any(|other| other == line), "{listed}");
    }
    assert!(listed.starts_with("# Epode"), "{listed}");
    let chosen: Vec<_> = listed
        .lines()
        .filter(|line| line.starts_with(['N', 'F']))
        .collect();
    fs::write(folder.path("params.txt"), chosen.join("\n")).expect("written");
    let line = format!("{RULES} --params params.txt --games 2 --print setoption");
    let done = tune(&folder, &line).code(ALL_WELL);
    let printed = stdout(&done);
    assert!(
        printed.starts_with("setoption name Nodes value "),
        "{printed}"
    );
    // The engine gets a number of type string as it is: both sides of each game.
    let factors = folder.read("factors");
    let values: Vec<f64> = factors
        .lines()
        .map(|line| {
            line.rsplit(' ')
                .next()
                .expect("a word")
                .parse()
                .expect("a number")
        })
        .filter(|value: &f64| (value - 0.5).abs() > 1e-9)
        .collect();
    assert_eq!(values.len(), 4, "{factors}");
    assert!(
        values
            .iter()
            .all(|value| ((value - 0.5).abs() - 0.05).abs() < 1e-6),
        "{factors}"
    );
    // The built-in engine.
    let built_in = folder.run("tune --list").code(ALL_WELL);
    built_in.stdout(contains("Hash, int, 16, 1, 1048576, "));
}

/// An engine with a bad value dies: it loses, and the parameter moves away from there.
#[test]
fn an_engine_that_crashes_loses() {
    let folder = folder_with(&engine("[ $bad -gt 4 ] && exit 1"));
    let line =
        format!("{RULES} --param Bad=4,0..9,step=1,r_end=0.5 --games 8 -o run.tune --print params");
    let done = tune(&folder, &line).code(FAULTY);
    let told = stderr(&done);
    assert!(told.contains(" loses (failure): Epode"), "{told}");
    assert!(value(&stdout(&done), "Bad") < 4.0, "{told}");
    let shown = folder.run("tune --show run.tune").code(ALL_WELL);
    shown.stdout(contains(" faults\n").or(contains(" fault\n")));
    // If it always does, something is wrong.
    let folder = folder_with(&engine("exit 1"));
    let line = format!("{RULES} --param Bad=4,0..9 --games 200");
    let ended = tune(&folder, &line).code(FAILED);
    ended.stderr(contains(
        "10 iterations in a row had crashes, illegal moves or losses on time",
    ));
}

#[test]
fn an_illegal_move_and_too_much_time_lose() {
    // All engines see the same file, so that only the first search fails.
    let once = "if [ ! -e done ]; then touch done; echo 'bestmove a1a1' >&3; continue; fi";
    let script = engine(once).replacen("while read", "exec 3>&1\nwhile read", 1);
    let folder = folder_with(&script);
    let line = format!("{RULES} --param Bad=4,0..9 --games 2");
    let done = tune(&folder, &line).code(FAULTY);
    done.stderr(contains(" loses (illegal move): Epode").and(contains("\"a1a1\"")));

    let folder = folder_with(&engine("if [ ! -e done ]; then touch done; sleep 0.2; fi"));
    let line = "--tc 0.1+5 --time-margin 1ms --max-plies 4 --param Bad=4,0..9 --games 2";
    tune(&folder, line)
        .code(FAULTY)
        .stderr(contains(" loses (time): a move took "));
}

/// The objective of a suite: here more nodes solve more.
#[test]
fn a_suite_moves_a_parameter_to_better_values() {
    let folder = folder();
    let suite = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../suites/bratko-kopec.epd");
    fs::copy(suite, folder.path("suite.epd")).expect("copied");
    let line = "--suite suite.epd --nodes 400 --param Nodes=150,1..400,step=140,r_end=0.5 \
                --iterations 20 -o run.tune --print params";
    let done = tune(&folder, line).code(ALL_WELL);
    assert!(value(&stdout(&done), "Nodes") > 160.0, "{}", stdout(&done));
    let shown = folder
        .run("tune --show run.tune --print table")
        .code(ALL_WELL);
    shown.stdout(contains("20 of 20 iterations; plus solved "));
    folder
        .run("tune --show run.tune --print effects")
        .code(ALL_WELL)
        .stdout(contains(
            "\nparameter  step  % score  error\nNodes       140  ",
        ));
    fs::write(
        folder.path("empty.epd"),
        "4k3/8/8/8/8/8/8/4K2R w K - id \"x\";\n",
    )
    .expect("written");
    let none = contains("empty.epd has no position with bm or am");
    tune(&folder, "--suite empty.epd --nodes 9 --param Bad=1,0..9")
        .code(FAILED)
        .stderr(none);
    fs::write(
        folder.path("bad.epd"),
        "4k3/8/8/8/8/8/8/4K2R w K - bm Qh9;\n",
    )
    .expect("written");
    let bad = contains("bad.epd:1: bm: Qh9");
    tune(&folder, "--suite bad.epd --nodes 9 --param Bad=1,0..9")
        .code(FAILED)
        .stderr(bad);
}

#[test]
fn charts_have_a_panel_for_each_parameter() {
    let folder = folder();
    let line =
        format!("{RULES} --param Nodes=10,1..100 --param Factor=0.5,0..1 --games 8 -o run.tune");
    tune(&folder, &format!("{line} --chart run.svg")).code(ALL_WELL);
    // Two iterations are too few for two parameters.
    let journal = folder.read("run.tune");
    let short: String = journal.split_inclusive('\n').take(3).collect();
    fs::write(folder.path("short.tune"), short).expect("written");
    folder
        .run("tune --show short.tune --print effects")
        .code(ALL_WELL)
        .stdout(contains(
            "Factor     0.05    -      -\n\nthe iterations are too few",
        ));
    let svg = folder.read("run.svg");
    assert_eq!(svg.matches("class=\"course\"").count(), 2, "{svg}");
    assert!(svg.contains(">Nodes<") && svg.contains(">Factor<"), "{svg}");
    assert!(
        svg.contains("prefers-color-scheme: dark") && !svg.contains("var("),
        "{svg}"
    );
    folder
        .run("tune --show run.tune --chart again.svg")
        .code(ALL_WELL);
    assert_eq!(folder.read("again.svg"), svg);
    folder
        .run("tune --show run.tune --chart run.png")
        .code(ALL_WELL);
    let png = fs::read(folder.path("run.png")).expect("a picture");
    assert!(png.starts_with(b"\x89PNG"));
}

/// Openings come from EPD, FEN and PGN.
#[test]
fn books() {
    let folder = folder();
    fs::write(folder.path("book.pgn"), "1. e4 e5 2. Nf3 *\n\n1. d4 d5 *\n").expect("written");
    let line = format!("{RULES} --book book.pgn --param Bad=5,0..9 --games 4 -o run.tune");
    tune(&folder, &line).code(ALL_WELL);
    assert!(
        iterations(&folder)
            .iter()
            .all(|line| line.contains("\"opening\":"))
    );
    fs::write(folder.path("book.epd"), "\n4k3/8/8/8/8/8/8/4K2x w - -\n").expect("written");
    let line = format!("{RULES} --book book.epd --param Bad=5,0..9 --games 4");
    tune(&folder, &line)
        .code(FAILED)
        .stderr(starts_with("epode: book.epd:2:"));
    // Lines of a pipe.
    let mut command = folder.command(&format!(
        "tune --engine ./engine.sh {RULES} --params - --games 2 --print params"
    ));
    let done = crate::common::calm(command.write_stdin("Bad,5,0,9\n").assert()).code(ALL_WELL);
    done.stdout(starts_with("Bad, int, ").and(ends_with(", 0, 9, 0.5, 0.002\n")));
}

/// The output of a run under way can be shown.
#[test]
fn a_run_under_way_is_shown() {
    let folder = folder();
    let line = format!(
        "tune --engine ./engine.sh {RULES} --param Nodes=10,1..100 --games 2000 -o run.tune"
    );
    let mut child = folder.start(&line);
    while !folder.path("run.tune").exists() || folder.read("run.tune").matches('\n').count() < 2 {
        assert!(child.try_wait().expect("a child").is_none(), "it runs");
        std::thread::yield_now();
    }
    folder
        .run("tune --show run.tune")
        .code(ALL_WELL)
        .stdout(contains(" of 1,000 iterations; "));
    let writes = contains("another run writes run.tune");
    folder
        .run("tune --resume run.tune")
        .code(FAILED)
        .stderr(writes);
    interrupt(&child);
    let told = child.stderr.take().expect("a pipe");
    let lines: Vec<_> = BufReader::new(told).lines().map_while(Result::ok).collect();
    assert_eq!(
        child.wait().expect("it ends").code(),
        Some(FAILED),
        "{lines:?}"
    );
}
