//! What comes of games and suites: better values, the worth of a step, charts, and losses of faulty engines.

use std::fs;

use super::{RULES, engine, folder, folder_with, iterations, tune, value};
use crate::common::{ALL_WELL, FAILED, FAULTY, stderr, stdout};
use predicates::prelude::*;
use predicates::str::contains;

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
