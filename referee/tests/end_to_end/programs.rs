//! Programs that the referee started, and what these started: nothing outlives them.

use std::fs;
use std::process::Command;
use std::thread;
use std::time::Instant;

use crate::common::{LIMIT, Referee, event};

/// A UCI engine that hangs at a command and does not notice that its input is closed. It says which processes it
/// and its client are.
fn engine(hangs_at: &str) -> String {
    format!(
        "while read -r word rest; do\n\
         case $word in\n\
         {hangs_at}) echo $$ $PPID > processes.new; mv processes.new processes; exec sleep 1000;;\n\
         uci) echo uciok;;\n\
         isready) echo readyok;;\n\
         quit) exit;;\n\
         esac\n\
         done\n"
    )
}

/// A referee whose player Ann has that engine, and the processes of the engine and of its client, once it hangs.
fn with_hung_engine(hangs_at: &str, options: &str) -> Option<(Referee, [u32; 2])> {
    let epode = crate::common::epode()?;
    let client = format!("'{}' client {{address}} --name {{name}}", epode.display());
    let text = event("format = \"match\"\ntime_control = \"600\"", "", &[])
        + &format!(
            "[[player]]\nname = \"Ann\"\ncommand = \"\"\"{client} --engine 'sh engine.sh' {options}\"\"\"\n\
             [[player]]\nname = \"Bob\"\ncommand = \"\"\"{client}\"\"\"\n"
        );
    let referee = Referee::run_with(&text, &[("engine.sh", &engine(hangs_at))], &[]);
    let path = referee.path("../processes");
    wait_until(|| path.exists());
    let text = fs::read_to_string(path).expect("two numbers");
    let mut numbers = text
        .split_whitespace()
        .map(|number| number.parse().expect("a number"));
    let both = [(); 2].map(|()| numbers.next().expect("two"));
    Some((referee, both))
}

#[track_caller]
fn wait_until(is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < LIMIT, "it takes too long");
        thread::yield_now();
    }
}

/// Whether a process is at work. One that has ended may still wait for its parent to notice.
fn runs(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/stat"));
    status.is_ok_and(|status| !status.contains(") Z "))
}

/// Engines that hang in a game, or before their client signs on, end with the referee.
#[test]
fn hung_engines_end_with_the_referee() {
    for hangs_at in ["go", "isready"] {
        let Some((mut referee, processes)) = with_hung_engine(hangs_at, "") else {
            return;
        };
        assert_eq!(referee.program("stop cup"), ("stopped\n".to_owned(), 0));
        assert_eq!(referee.wait(), 3, "{}", referee.output());
        for process in processes {
            wait_until(|| !runs(process));
        }
    }
}

/// An engine ends with its client, however that ends.
#[test]
fn a_hung_engine_ends_with_its_client() {
    let Some((_referee, [engine, client])) = with_hung_engine("go", "") else {
        return;
    };
    let killed = Command::new("kill")
        .args(["-9", &client.to_string()])
        .status();
    assert!(killed.expect("kill").success());
    wait_until(|| !runs(engine));
}

/// Players that the referee started do not wait for it when it was killed: the next referee starts others.
#[test]
fn players_end_with_a_killed_referee() {
    let Some((mut referee, processes)) = with_hung_engine("go", "--reconnect") else {
        return;
    };
    referee.kill();
    for process in processes {
        wait_until(|| !runs(process));
    }
}
