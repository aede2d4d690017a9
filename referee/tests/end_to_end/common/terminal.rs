//! A program on a terminal of its own, and what the terminal shows.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, Command};
use std::sync::{Arc, Condvar, Mutex};
use std::thread;
use std::time::Instant;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};

use super::{LIMIT, PROGRAM};

pub const COLUMNS: u16 = 80;
pub const LINES: u16 = 24;

/// What has been written to a terminal.
struct Shown {
    parser: vt100::Parser,
    /// The program and all that it has started have closed the terminal.
    has_ended: bool,
}

pub struct Terminal {
    child: Child,
    keyboard: File,
    /// Keeps the device open, so that its settings can be looked at after the program's end.
    device: Option<File>,
    shown: Arc<(Mutex<Shown>, Condvar)>,
}

impl Terminal {
    /// Runs the program on a terminal of 80 columns and 24 lines. None, and a word about it, where that is
    /// impossible.
    pub fn run(folder: &Path, arguments: &[&str]) -> Option<Self> {
        // `setsid` of util-linux makes the terminal that which /dev/tty means to the program.
        if Command::new("setsid").arg("--version").output().is_err() {
            println!("not tested: there is no setsid");
            return None;
        }
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("granted");
        unlockpt(&master).expect("unlocked");
        let name = ptsname(&master, Vec::new()).expect("a name");
        let size = Winsize {
            ws_row: LINES,
            ws_col: COLUMNS,
            ws_xpixel: 0,
            ws_ypixel: 0,
        };
        tcsetwinsize(&master, size).expect("a size");
        let mut options = File::options();
        let device = options.read(true).write(true);
        let device = device.open(name.to_str().expect("UTF-8"));
        let device = device.expect("a terminal");
        let copy = || device.try_clone().expect("a copy");
        let child = Command::new("setsid")
            .args(["--ctty", "--wait", PROGRAM])
            .args(arguments)
            .current_dir(folder)
            .envs([("TERM", "xterm-256color"), ("TZ", "UTC")])
            .env_remove("NO_COLOR")
            .stdin(copy())
            .stdout(copy())
            .stderr(copy())
            .spawn()
            .expect(PROGRAM);
        let keyboard = File::from(master);
        let screen = keyboard.try_clone().expect("a copy");
        let shown = Arc::new((
            Mutex::new(Shown {
                parser: vt100::Parser::new(LINES, COLUMNS, 0),
                has_ended: false,
            }),
            Condvar::new(),
        ));
        let reader = Arc::clone(&shown);
        thread::spawn(move || read(screen, &reader));
        Some(Self {
            child,
            keyboard,
            device: Some(device),
            shown,
        })
    }

    /// The process.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Types a text.
    pub fn type_in(&mut self, text: &str) {
        self.keyboard.write_all(text.as_bytes()).expect("typed");
    }

    /// What the screen shows.
    pub fn contents(&self) -> String {
        let shown = self.shown.0.lock().expect("sound");
        shown.parser.screen().contents()
    }

    /// Whether the screen is one that goes with the program.
    pub fn is_full_screen(&self) -> bool {
        let shown = self.shown.0.lock().expect("sound");
        shown.parser.screen().alternate_screen()
    }

    /// Whether the cursor is seen.
    pub fn has_cursor(&self) -> bool {
        let shown = self.shown.0.lock().expect("sound");
        !shown.parser.screen().hide_cursor()
    }

    /// The settings of the terminal: whether it echoes, and so on.
    pub fn settings(&self) -> Termios {
        tcgetattr(&self.keyboard).expect("settings")
    }

    /// Waits until the screen shows all of these texts at once.
    #[track_caller]
    pub fn wait_for(&self, wanted: &[&str]) -> String {
        self.wait(|shown| {
            let contents = shown.parser.screen().contents();
            let has_all = wanted.iter().all(|text| contents.contains(text));
            has_all.then_some(contents)
        })
        .unwrap_or_else(|contents| panic!("no {wanted:?} on the screen:\n{contents}"))
    }

    /// Waits for the end of the program and of what it writes; returns the exit status.
    #[track_caller]
    pub fn wait_for_end(&mut self) -> Option<i32> {
        let status = self.child.wait().expect("waited for");
        self.device = None;
        self.wait(|shown| shown.has_ended.then_some(()))
            .unwrap_or_else(|contents| panic!("the terminal stays open:\n{contents}"));
        status.code()
    }

    /// Waits for something; otherwise returns the screen.
    fn wait<T>(&self, test: impl Fn(&Shown) -> Option<T>) -> Result<T, String> {
        let started = Instant::now();
        let (shown, changed) = &*self.shown;
        let mut shown = shown.lock().expect("sound");
        loop {
            if let Some(found) = test(&shown) {
                return Ok(found);
            }
            let left = LIMIT.saturating_sub(started.elapsed());
            if left.is_zero() {
                return Err(shown.parser.screen().contents());
            }
            shown = changed.wait_timeout(shown, left).expect("sound").0;
        }
    }
}

fn read(mut screen: File, shown: &(Mutex<Shown>, Condvar)) {
    let mut bytes = [0; 4096];
    loop {
        // The end is an error here.
        let count = screen.read(&mut bytes).unwrap_or(0);
        let mut now = shown.0.lock().expect("sound");
        now.parser.process(&bytes[..count]);
        now.has_ended = count == 0;
        shown.1.notify_all();
        if count == 0 {
            return;
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
