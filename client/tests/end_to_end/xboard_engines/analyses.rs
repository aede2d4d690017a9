//! Analyses of records, and options.

use std::fs;

use super::{FEATURES, folder};
use crate::common::event::heard;
use crate::common::{FAILED, Folder, stderr};

const RECORD: &str = "8/8/8/8/8/k7/8/K7 w - - id \"x\";";

/// Analyses a record with an engine; returns its output and messages, and what the engine was told.
fn analyse(folder: &Folder, record: &str, options: &str) -> (String, String, Vec<String>) {
    fs::write(folder.path("in.epd"), format!("{record}\n")).expect("written");
    let _ = fs::remove_file(folder.path("heard"));
    let mut command = folder.command("pfga in.epd --protocol xboard --engine");
    command.arg("sh engine.sh").args(options.split(' '));
    let assert = crate::common::calm(command.assert());
    let life = heard(folder).pop().unwrap_or_default();
    (crate::common::stdout(&assert), stderr(&assert), life)
}

#[test]
fn analyses() {
    // By time with `analyze`: the last line counts.
    let lines = "analyze) echo '1 5 0 20 Kb1'; echo '2 -31 1 400 1. Kb1 Kb3';;";
    let folder = self::folder(FEATURES, lines);
    let (output, messages, life) = analyse(&folder, RECORD, "--time 20ms");
    assert!(messages.starts_with("1 analysed; "), "{messages}");
    assert!(
        output.contains(" acd 2; acn 400; acs 0; ce -31; id \"x\"; pm Kb1; pv Kb1 Kb3;"),
        "{output}"
    );
    let at = life
        .iter()
        .position(|line| line == "analyze")
        .expect("analyze");
    assert_eq!(life[at - 1], "setboard 8/8/8/8/8/k7/8/K7 w - - 0 1");
    assert_eq!(life[at + 1], "exit");
    // Scores from White's point of view.
    let black = "8/8/8/8/8/k7/8/K7 b - -";
    let lines = "analyze) echo '1 5 0 20 Kb3';;";
    let folder = self::folder(FEATURES, lines);
    let (output, ..) = analyse(&folder, black, "--time 20ms --option scores=white");
    assert!(output.contains(" ce -5;"), "{output}");
    // By depth with `sd` and `go`; an engine that does not know `sd` is stopped.
    let deep = "go) echo '7 9 1 50 Kb1'; echo '8 99 1 60 Kb1';; \
                sd) echo 'Illegal move: sd 7';; '?') echo move a1b1;;";
    let folder = self::folder(FEATURES, deep);
    let (output, _, life) = analyse(&folder, RECORD, "--depth 7");
    assert!(output.contains(" acd 7; acn 50; ce 9;"), "{output}");
    assert!(life.contains(&"sd 7".to_owned()) && life.contains(&"?".to_owned()));
    // By nodes only with the feature `nps`.
    let go = "go) echo '3 9 1 50 Kb1'; echo move a1b1;;";
    let folder = self::folder(FEATURES, go);
    let (output, messages, _) = analyse(&folder, RECORD, "--nodes 500");
    let why = "Script has no feature nps: it cannot limit a search to a number of nodes";
    assert!(output.contains(why), "{output}");
    assert!(messages.contains(why), "{messages}");
    let folder = self::folder(&FEATURES.replace("done=1", "nps=1 done=1"), go);
    let (output, _, life) = analyse(&folder, RECORD, "--nodes 500");
    assert!(output.contains(" pm Kb1;"), "{output}");
    assert!(
        life.windows(2).any(|pair| pair == ["st 1", "nps 500"]),
        "{life:?}"
    );
    // An engine that wants to end the game instead.
    let folder = self::folder(FEATURES, "go) echo resign;;");
    let (output, ..) = analyse(&folder, RECORD, "--depth 3");
    assert!(
        output.contains("not analysed: Script ends the game instead of moving"),
        "{output}"
    );
}

/// After Ctrl-C the position in progress is still finished.
#[test]
fn an_analysis_that_is_interrupted() {
    let lines = "analyze) exec 3> pipe; echo thinking >&3; exec 3>&-; echo '1 5 0 20 Kb1';;";
    let folder = folder(FEATURES, lines);
    let pipe = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status();
    assert!(made.expect("mkfifo runs").success());
    fs::write(folder.path("in.epd"), format!("{RECORD}\n{RECORD}\n")).expect("written");
    fs::write(folder.path("engine"), "#!/bin/sh\nexec sh engine.sh\n").expect("written");
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    fs::set_permissions(folder.path("engine"), mode).expect("permissions");
    let line = "pfga in.epd - --time 700ms --protocol xboard --engine ./engine";
    let child = folder.start(line);
    let told = fs::read_to_string(pipe).expect("text");
    assert_eq!(told, "thinking\n");
    crate::common::interrupt(&child);
    let output = child.wait_with_output().expect("it ends");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    let records = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(FAILED), "{messages}");
    assert!(
        records.contains(" pm Kb1;") && !records.contains("c9"),
        "{records}"
    );
}

#[test]
fn chess960() {
    let record = "8/8/8/8/8/6k1/8/R1K5 w A -";
    let castles = "go) echo move O-O-O;;";
    let folder = self::folder(FEATURES, castles);
    let (_, messages, _) = analyse(&folder, record, "--depth 1");
    let why = "Script has no variant fischerandom: it does not play Chess960";
    assert!(messages.contains(why), "{messages}");
    let features = FEATURES.replace("done=1", "variants=\"normal,fischerandom\" done=1");
    let folder = self::folder(&features, castles);
    let (output, _, life) = analyse(&folder, record, "--depth 1");
    assert!(output.contains(" pm O-O-O;"), "{output}");
    assert!(life.contains(&"variant fischerandom".to_owned()));
}

/// Options that an engine does not declare, or values that it does not accept, are errors.
#[test]
fn options_that_cannot_be_set() {
    let features = FEATURES.replace(
        "done=1",
        "memory=1 egt=\"syzygy,nalimov\" option=\"Level -spin 3 1 9\" option=\"Book -check 1\" done=1",
    );
    let folder = folder(&features, "");
    for (option, why) in [
        ("Levle=3", "has no option Levle; did you mean Level?"),
        ("Level=10", "takes a whole number from 1 to 9 for Level"),
        ("memory=0", "takes a whole number from 1 for memory"),
        ("cores=2", "has no feature smp"),
        (
            "egtpath=gaviota /x",
            "has no feature egt for \"gaviota\" (egtpath=KIND PATH)",
        ),
    ] {
        fs::write(folder.path("in.epd"), format!("{RECORD}\n")).expect("written");
        let mut command = folder.command("pfga in.epd --depth 1 --protocol xboard --engine");
        command.args(["sh engine.sh", "--option", option]);
        let assert = crate::common::calm(command.assert()).code(FAILED);
        let told = format!("epode: --option {option}: Script {why}\n");
        assert_eq!(stderr(&assert), told);
    }
    fs::write(folder.path("in.epd"), format!("{RECORD}\n")).expect("written");
    let mut command = folder.command("pfga in.epd --depth 1 --protocol xboard --engine");
    command.arg("sh engine.sh");
    command.args(["--syzygy", "/tb"]);
    for option in ["book=false", "egtpath=nalimov /x y", "memory=7"] {
        command.args(["--option", option]);
    }
    fs::remove_file(folder.path("heard")).expect("removed");
    crate::common::calm(command.assert());
    let life = heard(&folder).remove(0);
    let set = [
        "egtpath syzygy /tb",
        "option Book=0",
        "egtpath nalimov /x y",
        "memory 7",
    ];
    assert!(life.windows(4).any(|lines| lines == set), "{life:?}");
}
