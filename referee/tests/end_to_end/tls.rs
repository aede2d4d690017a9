//! Encrypted connections, between the programs themselves.

mod connections;
mod setup;
mod trust;

use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::{CLOCK, OVERHEAD, Referee, event};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, date_time_ymd};

const TLS: &str = "tls = { certificate = \"cup.crt\", key = \"cup.key\" }";

/// What a certificate of a test is like.
#[derive(Clone, Copy)]
struct Kind {
    names: &'static [&'static str],
    /// The first and the last year.
    years: [i32; 2],
    is_ca: bool,
}

const SOUND: Kind = Kind {
    names: &["localhost", "127.0.0.1"],
    years: [2020, 2120],
    is_ca: false,
};

/// A certificate that signs itself, and its key.
fn pair(kind: Kind) -> (String, String) {
    let key = KeyPair::generate().expect("a key");
    let names: Vec<_> = kind.names.iter().map(ToString::to_string).collect();
    let mut params = CertificateParams::new(names).expect("names");
    [params.not_before, params.not_after] = kind.years.map(|year| date_time_ymd(year, 1, 1));
    if kind.is_ca {
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
    }
    let certificate = params.self_signed(&key).expect("a certificate");
    (certificate.pem(), key.serialize_pem())
}

/// A referee of a match by TLS, whose certificate is `cup.crt`.
fn referee(kind: Kind, tables: &str) -> Referee {
    let (certificate, key) = pair(kind);
    let settings = format!("{TLS}\nformat = \"match\"\ngames_per_pairing = 1\n{CLOCK}");
    Referee::run_with(
        &event(&settings, tables, &["Ann", "Bob"]),
        &[("cup.crt", &certificate), ("cup.key", &key)],
        &[],
    )
}

/// Ends a program when the test does.
struct Player(Child);

impl Drop for Player {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Player {
    fn start(epode: &Path, referee: &Referee, words: &str) -> Self {
        let port = referee.address().port().to_string();
        let mut command = Command::new(epode);
        command
            .arg("client")
            .args(words.replace("PORT", &port).split(' '));
        command.args(["--overhead", OVERHEAD]);
        command.current_dir(referee.path(".."));
        // The authorities of the system, whatever they are on this machine.
        command.env("SSL_CERT_FILE", referee.path("../other.crt"));
        command.stdin(Stdio::null()).stdout(Stdio::null());
        Self(command.stderr(Stdio::piped()).spawn().expect("epode"))
    }

    /// The exit status, and what it has said.
    fn ends(mut self) -> (i32, String) {
        let mut said = String::new();
        let mut stderr = self.0.stderr.take().expect("piped");
        stderr.read_to_string(&mut said).expect("UTF-8");
        let status = self.0.wait().expect("it ends");
        (status.code().unwrap_or(-1), said)
    }
}
