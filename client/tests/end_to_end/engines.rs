//! UCI engines as a user starts them: their options, their output, and their end.
use std::fs;
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Child;

use crate::common::referee::{Player, Server};
use crate::common::{FAILED, Folder, interrupt, stderr, stdout};
use predicates::prelude::*;
use predicates::str::{contains, starts_with};

const RECORD: &str = "8/8/8/8/8/k7/8/K7 w - - id \"x\";";

/// An engine with options, which does this when it is to think.
fn script(on_go: &str) -> String {
    format!(
        "#!/bin/sh\nwhile read -r word rest; do case $word in\n\
         uci) echo id name Script\n\
         echo option name Hash type spin default 16 min 1 max 64\n\
         echo option name Ponder type check default false\n\
         echo option name Clear Hash type button\n\
         echo option name Style type combo default Solid var Solid var Wild\n\
         echo uciok;;\n\
         setoption) echo $rest >> set;;\n\
         isready) echo readyok;;\n\
         go) {on_go};;\n\
         quit) exit;;\n\
         esac; done\n"
    )
}

const ANSWERS: &str = "echo info depth 1 nodes 1 score cp 0 pv a1b1; echo bestmove a1b1";

/// A folder with a record and an engine.
fn folder(engine: &str) -> Folder {
    let folder = Folder::with("in.epd", format!("{RECORD}\n"));
    fs::write(folder.path("engine.sh"), engine).expect("written");
    let mode = fs::Permissions::from_mode(0o755);
    fs::set_permissions(folder.path("engine.sh"), mode).expect("permissions");
    folder
}

/// A command with the engine and more arguments, in which blanks may stand.
fn with_engine(folder: &Folder, verb: &str, more: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = folder.command(&format!("{verb} in.epd out.epd --nodes 1 --engine"));
    crate::common::calm(command.arg("sh engine.sh").args(more).assert())
}

/// Undeclared options and invalid values are errors before anything is searched.
#[test]
fn options_that_cannot_be_set_are_errors() {
    let folder = folder(&script("touch searched; exit"));
    let server = Server::new();
    for (option, why) in [
        ("Hahs=16", "has no option Hahs; did you mean Hash?"),
        ("Hash=0", "takes a whole number from 1 to 64 for Hash"),
        ("Hash=65", "takes a whole number from 1 to 64 for Hash"),
        ("Hash=much", "takes a whole number from 1 to 64 for Hash"),
        ("ponder=1", "takes true or false for Ponder"),
        ("Style=Mild", "takes one of Solid, Wild for Style"),
        ("Clear Hash=now", "takes no value for Clear Hash"),
        (
            "Elo=1500",
            "has no option Elo; it has Hash, Ponder, Clear Hash, Style",
        ),
    ] {
        let told = format!("epode: --option {option}: Script {why}\n");
        for verb in ["pfga", "pfts"] {
            let assert = with_engine(&folder, verb, &["--option", option]);
            assert.code(FAILED).stderr(told.clone());
        }
        let words = format!("--engine 'sh engine.sh' --option '{option}'");
        let (status, messages) = server.player(&folder, &words).ends();
        assert_eq!((status, messages), (FAILED, told));
    }
    // The same holds for --threads and --hash.
    for (name, value, why) in [
        ("--threads", "2", "has no option Threads; it has Hash, "),
        ("--hash", "65", "takes a whole number from 1 to 64 for Hash"),
    ] {
        let told = format!("epode: {name} {value}: Script {why}");
        let assert = with_engine(&folder, "pfga", &[name, value]);
        assert.code(FAILED).stderr(starts_with(told));
    }
    let assert = with_engine(&folder, "pfga", &["--option", "MultiPV=2"]);
    let told = "epode: --option MultiPV: use --multipv instead\n";
    assert.code(FAILED).stderr(told);
    assert!(server.nobody_came());
    assert_eq!(folder.names(), ["engine.sh", "in.epd", "set"]);
    // Only defaults are adjusted to the limits of the engine.
    let set = folder.read("set");
    let set: Vec<_> = set.lines().filter(|line| !line.contains("Hash")).collect();
    assert!(set.is_empty(), "{set:?}");
}

#[test]
fn options_that_can_be_set_are_sent() {
    let folder = folder(&script(ANSWERS));
    let options = ["hash=64", "PONDER=True", "Style=wild", "Clear Hash"];
    let more: Vec<_> = options
        .iter()
        .flat_map(|option| ["--option", option])
        .collect();
    with_engine(&folder, "pfga", &more).code(0);
    assert_eq!(
        folder.read("set"),
        "name Hash value 1\nname Hash value 64\nname Ponder value true\nname Style value Wild\n\
         name Clear Hash\n"
    );
}

#[test]
fn stockfish_options() {
    let Some(stockfish) = crate::common::stockfish() else {
        return;
    };
    let folder = folder("");
    let line = format!("pfts in.epd --nodes 10 --engine {stockfish} --option");
    for (option, why) in [
        ("Hahs=16", "has no option Hahs; did you mean Hash?"),
        ("Threads=0", "takes a whole number from 1 to "),
        (
            "UCI_LimitStrength=1",
            "takes true or false for UCI_LimitStrength",
        ),
    ] {
        let assert = folder.run(&format!("{line} {option}")).code(FAILED);
        assert.stderr(
            starts_with(format!("epode: --option {option}: Stockfish ")).and(contains(why)),
        );
    }
    folder.run(&format!("{line} Hash=1")).code(0);
}

/// A path with blanks, alone or quoted in a command line.
#[test]
fn commands_are_split_as_a_shell_does() {
    let folder = Folder::with("in.epd", format!("{RECORD}\n"));
    fs::create_dir(folder.path("my engines")).expect("made");
    let path = folder.path("my engines/engine no 1");
    fs::write(&path, script(ANSWERS)).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    for command in [
        "my engines/engine no 1",
        "'my engines/engine no 1'",
        "sh 'my engines/engine no 1' \"an argument\"",
        "sh my\\ engines/engine\\ no\\ 1",
    ] {
        let mut run = folder.command("pfga in.epd --nodes 1 --engine");
        let assert = crate::common::calm(run.arg(command).assert()).code(0);
        assert!(stdout(&assert).contains("pm Kb1;"), "{command}");
    }
    let mut run = folder.command("pfga in.epd --nodes 1 --engine");
    let assert = crate::common::calm(run.arg("sh 'x").assert()).code(FAILED);
    let told = stderr(&assert);
    assert!(
        told.starts_with("epode: the command of the engine: sh 'x: "),
        "{told}"
    );
}

/// An engine that prints an endless line is given up, and takes no memory.
#[test]
fn an_engine_that_ends_no_line_is_given_up() {
    let folder = folder(&script("tr '\\0' x < /dev/zero"));
    let assert = with_engine(&folder, "pfga", &[]).code(1);
    let why = "Script prints more than 64 KiB without a line end";
    assert.stderr(starts_with(format!("in.epd:1: given up: {why}\n")));
    let noted = format!("8/8/8/8/8/k7/8/K7 w - - c9 \"not analysed: {why}\"; id \"x\";\n");
    assert_eq!(folder.read("out.epd"), noted);
    // At the start of the engine this ends the run.
    let folder = self::folder("tr '\\0' x < /dev/zero");
    let assert = with_engine(&folder, "pfga", &[]).code(FAILED);
    let why = "epode: sh prints more than 64 KiB without a line end\n";
    assert.stderr(why);
    assert_eq!(folder.names(), ["engine.sh", "in.epd"]);
}

/// An engine that dies is an error, never the quiet end that a closed standard output is. Its exit
/// status and its last messages are shown.
#[test]
fn an_engine_that_dies_is_an_error() {
    for (on_go, why) in [
        (
            "echo loading >&2; echo no network >&2; exit 3",
            "Script has ended (exit status: 3): loading | no network",
        ),
        ("exit 0", "Script has ended (exit status: 0)"),
        ("kill -KILL $$", "Script has ended (signal: 9 (SIGKILL))"),
    ] {
        let folder = folder(&script(on_go));
        let assert = with_engine(&folder, "pfga", &[]).code(1);
        assert.stderr(starts_with(format!("in.epd:1: given up: {why}\n")));
        assert!(
            folder
                .read("out.epd")
                .contains(&format!("c9 \"not analysed: {why}\";"))
        );
    }
    // An engine that ends at its start, with its input open or closed.
    for engine in [
        "echo missing library >&2; exit 127",
        "exec <&-; echo missing library >&2; exit 127",
    ] {
        let folder = folder(engine);
        let assert = with_engine(&folder, "pfga", &[]).code(FAILED);
        assert.stderr("epode: sh has ended (exit status: 127): missing library\n");
        let server = Server::new();
        let (status, messages) = server.player(&folder, "--engine 'sh engine.sh'").ends();
        assert_eq!(status, FAILED);
        assert_eq!(
            messages,
            "epode: sh has ended (exit status: 127): missing library\n"
        );
    }
}

/// An engine is told with `UCI_Chess960` that a position is one of Chess960. An engine without this option
/// is an error.
#[test]
fn engines_are_told_of_chess960() {
    let castle = "echo info depth 1 nodes 1 score cp 0 pv c1a1; echo bestmove c1a1";
    let record = "8/8/8/8/8/6k1/8/R1K5 w A -\n";
    let engine = script(castle);
    let folder = folder(&engine);
    fs::write(folder.path("in.epd"), record).expect("written");
    let assert = with_engine(&folder, "pfga", &[]).code(1);
    let why = "Script has no option UCI_Chess960: it does not play Chess960";
    assert.stderr(starts_with(format!("in.epd:1: given up: {why}\n")));

    let option = "echo option name UCI_Chess960 type check default false\necho uciok";
    let engine = engine.replace("echo uciok", option);
    fs::write(folder.path("engine.sh"), engine).expect("written");
    fs::remove_file(folder.path("out.epd")).expect("removed");
    with_engine(&folder, "pfga", &[]).code(0);
    assert!(folder.read("set").contains("name UCI_Chess960 value true"));
    let output = folder.read("out.epd");
    assert!(
        output.starts_with("8/8/8/8/8/6k1/8/R1K5 w A - "),
        "{output}"
    );
    assert!(output.contains(" pm O-O-O;"), "{output}");
}

/// What an engine writes to standard error takes no memory, does not block it, and is not shown while
/// it works.
#[test]
fn messages_of_a_working_engine_are_not_shown() {
    let folder = folder(&script(&format!(
        "head -c 1000000 /dev/zero | tr '\\0' x >&2; {ANSWERS}"
    )));
    let assert = with_engine(&folder, "pfga", &[]).code(0);
    assert!(
        stderr(&assert).starts_with("1 analysed; "),
        "{}",
        stderr(&assert)
    );
}

/// A named pipe that an engine holds open, with everything that it starts.
fn pipe(folder: &Folder) -> PathBuf {
    let path = folder.path("pipe");
    let made = std::process::Command::new("mkfifo").arg(&path).status();
    assert!(made.expect("mkfifo runs").success());
    path
}

/// Reads a line that must be this.
fn hear(told: &mut impl BufRead, expected: &str) {
    let mut line = String::new();
    told.read_line(&mut line).expect("a line");
    assert_eq!(line.trim_end(), expected);
}

/// What a program still says, and its exit status.
fn rest(mut told: impl Read, child: &mut Child) -> (Option<i32>, String) {
    let mut text = String::new();
    told.read_to_string(&mut text).expect("UTF-8");
    (child.wait().expect("it ends").code(), text)
}

/// An engine that does not start can be interrupted.
#[test]
fn an_engine_that_does_not_start_can_be_interrupted() {
    // The child of the shell holds the pipe too.
    let folder = folder("#!/bin/sh\nexec 3> pipe; echo started >&3; sleep 1000; :\n");
    let pipe = pipe(&folder);
    for verb in ["pfga", "pfts"] {
        let line = format!("{verb} in.epd out.epd --nodes 1 --engine ./engine.sh");
        let mut child = folder.start(&line);
        let mut engine = BufReader::new(fs::File::open(&pipe).expect("it is opened"));
        hear(&mut engine, "started");
        interrupt(&child);
        let mut told = BufReader::new(child.stderr.take().expect("piped"));
        hear(
            &mut told,
            "finishing the positions in progress; press Ctrl-C again to quit",
        );
        let (status, text) = rest(told, &mut child);
        assert_eq!(status, Some(FAILED));
        assert_eq!(
            text,
            "epode: interrupted before ./engine.sh answered uci with uciok\n"
        );
        assert_eq!(io::read_to_string(engine).expect("all have ended"), "");
    }
    assert_eq!(folder.names(), ["engine.sh", "in.epd", "pipe"]);
    // The same in an event.
    let server = Server::new();
    let player: Player = server.player(&folder, "--engine ./engine.sh");
    let mut engine = BufReader::new(fs::File::open(pipe).expect("it is opened"));
    hear(&mut engine, "started");
    player.interrupt();
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert_eq!(
        messages,
        "epode: interrupted before ./engine.sh answered uci with uciok\n"
    );
    assert_eq!(io::read_to_string(engine).expect("all have ended"), "");
    assert!(server.nobody_came());
}

/// The second Ctrl-C kills the engine and all processes that it started.
#[test]
fn the_second_interrupt_ends_the_engines() {
    let folder = folder(&script("exec 3> pipe; echo thinking >&3; sleep 1000"));
    let pipe = pipe(&folder);
    let mut child = folder.start("pfga in.epd out.epd --nodes 1 --engine ./engine.sh");
    let mut engine = BufReader::new(fs::File::open(pipe).expect("it is opened"));
    hear(&mut engine, "thinking");
    interrupt(&child);
    let mut told = BufReader::new(child.stderr.take().expect("piped"));
    hear(
        &mut told,
        "finishing the positions in progress; press Ctrl-C again to quit",
    );
    interrupt(&child);
    assert_eq!(rest(told, &mut child), (Some(130), String::new()));
    assert_eq!(io::read_to_string(engine).expect("all have ended"), "");
}

/// A player with a stuck engine signs off, and a second Ctrl-C ends it.
#[test]
fn a_player_with_a_stuck_engine_can_be_interrupted() {
    let engine = script(ANSWERS).replace(
        "isready) echo readyok",
        "isready) test -e ready && sleep 1000; echo > ready; echo readyok",
    );
    let folder = folder(&engine);
    let server = Server::new();
    let player = server.player(&folder, "--engine ./engine.sh");
    let mut peer = server.accept();
    // A new game starts in the engine.
    peer.say(crate::common::records::START, "refcom reset;");
    peer.say(crate::common::records::START, "refcom bogus;");
    peer.hear_fault();
    player.interrupt();
    let request = peer.hear_request();
    assert!(
        matches!(request, epd::protocol::Request::SignOff(_)),
        "{request:?}"
    );
    player.interrupt();
    let (status, messages) = player.ends();
    assert_eq!(status, 130, "{messages}");
}

/// Illegal moves in the lines of an engine are reported, and no record gets the score of another move.
#[test]
fn lines_that_do_not_fit_are_told() {
    let record = "7k/8/8/8/8/8/8/K7 w - - acd 9; ce 99; id \"x\";\n";
    let line = "echo info depth 2 nodes 7 score cp 5 pv a1b1";
    for verb in ["pfga", "pfts"] {
        for (on_go, told, written) in [
            (
                format!("{line} h8g8 e2e4; {line} h8g8 e2e4; echo bestmove a1b1"),
                "in.epd:1: Script prints a line that ends with an illegal move: a1b1 h8g8 e2e4\n",
                "acd 2; acn 7; ce 5; id \"x\"; pm Kb1; pv Kb1 Kg8;\n",
            ),
            (
                format!("{line}; echo bestmove a1b2"),
                "in.epd:1: Script plays a1b2, but prints no line that begins with it: it has no score\n",
                "acn 7; id \"x\"; pm Kb2; pv Kb2;\n",
            ),
            (
                format!(
                    "{line}; echo info depth 3 score cp 8 lowerbound pv a1b2; echo bestmove a1b2"
                ),
                "1 analysed",
                "acd 3; acn 7; ce 8; id \"x\"; pm Kb2; pv Kb2;\n",
            ),
        ] {
            let folder = folder(&script(&on_go));
            fs::write(folder.path("in.epd"), record).expect("written");
            let assert = with_engine(&folder, verb, &[]).code(0);
            let is_plain = told == "1 analysed";
            let said = stderr(&assert);
            assert!(
                if is_plain {
                    said.lines().count() == 1
                } else {
                    said.starts_with(told)
                },
                "{said}"
            );
            assert_eq!(
                said.matches("Script").count(),
                usize::from(!is_plain),
                "{said}"
            );
            let output = folder.read("out.epd");
            assert_eq!(output, format!("7k/8/8/8/8/8/8/K7 w - - {written}"));
        }
    }
}

/// With several lines, those of the last complete iteration count, and no line is better than the first.
#[test]
fn lines_of_one_iteration_are_written() {
    let lines = [
        "depth 2 multipv 1 score cp 50 pv a1b1",
        "depth 2 multipv 2 score cp 40 pv a1b2",
        "depth 2 multipv 3 score cp 30 pv a1a2",
        "depth 3 nodes 7 multipv 1 score cp 35 pv a1b1",
        "depth 3 multipv 2 score cp 20 upperbound pv a1a2",
        "depth 2 multipv 3 score cp 40 pv a1b2",
    ];
    let lines = lines.map(|line| format!("echo info {line}; ")).concat();
    let engine = script(&format!("{lines} echo bestmove a1b1"));
    let option = "echo option name MultiPV type spin default 1 min 1 max 9\necho uciok";
    let folder = folder(&engine.replace("echo uciok", option));
    fs::write(folder.path("in.epd"), "7k/8/8/8/8/8/8/K7 w - -\n").expect("written");
    with_engine(&folder, "pfga", &["--multipv", "3"]).code(0);
    assert_eq!(
        folder.read("out.epd"),
        "7k/8/8/8/8/8/8/K7 w - - Ce2 40; Ce3 30; Pv2 \"Kb2\"; Pv3 \"Ka2\"; acd 2; acn 7; ce 50; pm Kb1; pv Kb1;\n"
    );
}
