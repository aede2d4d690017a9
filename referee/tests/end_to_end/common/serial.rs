//! A serial cable of 9600 baud between two terminals, which drops and doubles characters.

use std::fs::File;
use std::io::{Read, Write};
use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

use rand::{RngExt, SeedableRng, rngs::StdRng};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, tcgetattr, tcsetattr};

/// How long a character with its start and stop bits takes.
const CHARACTER: Duration = Duration::from_nanos(1_000_000_000 * 10 / 9600);
/// One character of so many is dropped, another one doubled.
const RATE: u32 = 1000;

/// What a cable did.
#[derive(Clone, Copy, Debug, Default)]
pub struct Noise {
    pub carried: usize,
    pub dropped: usize,
    pub doubled: usize,
    /// Faults that it carried.
    pub faults: usize,
}

pub struct Cable {
    /// The devices.
    pub ends: [PathBuf; 2],
    noise: Arc<Mutex<Noise>>,
    /// Keeps the devices as they are until somebody opens them.
    _devices: [File; 2],
}

impl Cable {
    /// Lays a cable whose faults follow from a seed.
    pub fn lay(folder: &Path, seed: u64) -> Self {
        let noise = Arc::default();
        let [one, other] = [(); 2].map(|()| terminal());
        let ends = [one.1, other.1];
        let devices = ends.each_ref().map(|end| {
            let file = File::options().read(true).write(true).open(end);
            file.expect("a terminal")
        });
        let masters = [one.0, other.0].map(Arc::new);
        for (from, to) in [(0, 1), (1, 0)] {
            let (read, write) = (Arc::clone(&masters[from]), Arc::clone(&masters[to]));
            let noise = Arc::clone(&noise);
            let rng = StdRng::seed_from_u64(seed * 2 + from as u64);
            thread::spawn(move || carry(&read, &write, rng, &noise));
        }
        let ends = ends.each_ref().map(|end| {
            let name = end.display().to_string().replace('/', "-");
            let link = folder.join(format!("tty{name}"));
            std::os::unix::fs::symlink(end, &link).expect("a link");
            link
        });
        Self {
            ends,
            noise,
            _devices: devices,
        }
    }

    pub fn noise(&self) -> Noise {
        *self.noise.lock().expect("sound")
    }
}

/// A terminal without echo and other processing: its master, and the path of its device.
fn terminal() -> (File, PathBuf) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
    grantpt(&master).expect("granted");
    unlockpt(&master).expect("unlocked");
    make_raw(&master);
    let name = ptsname(&master, Vec::new()).expect("a name");
    let path = PathBuf::from(name.into_string().expect("UTF-8"));
    (File::from(master), path)
}

fn make_raw(terminal: impl AsFd) {
    let mut settings = tcgetattr(&terminal).expect("settings");
    settings.make_raw();
    tcsetattr(&terminal, OptionalActions::Now, &settings).expect("set");
}

/// Carries characters one by one, at their pace.
fn carry(mut from: &File, mut to: &File, mut rng: StdRng, noise: &Mutex<Noise>) {
    let mut bytes = [0; 64];
    let mut line = Vec::new();
    let mut free = Instant::now();
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        for &byte in &bytes[..count] {
            free = free.max(Instant::now()) + CHARACTER;
            let copies = match rng.random_range(0..RATE) {
                0 => 0,
                1 => 2,
                _ => 1,
            };
            line.push(byte);
            let mut noise = noise.lock().expect("sound");
            noise.carried += 1;
            noise.dropped += usize::from(copies == 0);
            noise.doubled += usize::from(copies == 2);
            if byte == b'\n' {
                let text = String::from_utf8_lossy(&line);
                noise.faults += usize::from(text.contains(" fault; Chk "));
                line.clear();
            }
            drop(noise);
            // The receiver gets it when it has been carried.
            thread::sleep(free.saturating_duration_since(Instant::now()));
            if to.write_all(&[byte, byte][..copies]).is_err() {
                return;
            }
        }
    }
}
