//! Encrypted connections, between the programs themselves.

use std::fs;
use std::io::Read as _;
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;

use crate::common::player::Link;
use crate::common::{CLOCK, LIMIT, OVERHEAD, PROGRAM, Referee, event, program};
use rcgen::{BasicConstraints, CertificateParams, IsCa, KeyPair, date_time_ymd};
use rustls::crypto::ring::{self, sign::any_supported_type};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ServerConfig, ServerConnection};
use tempfile::TempDir;

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

/// One player comes from outside and knows the certificate; the other is started by the referee, which
/// tells it the certificate, whatever its names and dates are.
#[test]
fn a_game_over_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    for kind in [
        SOUND,
        Kind {
            names: &["referee.example"],
            years: [2020, 2021],
            ..SOUND
        },
    ] {
        let (certificate, key) = pair(kind);
        let command = format!(
            "'{}' client {{address}} --name Bob --depth 1 --overhead {OVERHEAD}",
            epode.display()
        );
        let settings = format!("{TLS}\nformat = \"match\"\ngames_per_pairing = 1\n{CLOCK}");
        let text = event(&settings, "", &["Ann", "Bob"]);
        let text = text.replace("\"Bob\"", &format!("\"Bob\"\ncommand = {command:?}"));
        let text = if kind.years == SOUND.years {
            text
        } else {
            text.replace(
                "\"Ann\"",
                &format!("\"Ann\"\ncommand = {:?}", command.replace("Bob", "Ann")),
            )
        };
        let mut referee =
            Referee::run_with(&text, &[("cup.crt", &certificate), ("cup.key", &key)], &[]);
        let player = (kind.years == SOUND.years).then(|| {
            Player::start(
                &epode,
                &referee,
                "localhost:PORT --name Ann --tls --ca cup.crt --log ann.log",
            )
        });
        referee.wait_for_ply(6);
        assert!(referee.control("games").contains("game 1: Ann ("));
        referee.control("adjudicate 1 1/2");
        assert_eq!(referee.wait(), 0, "{}", referee.output());
        assert!(
            !referee.output().contains("turned away"),
            "{}",
            referee.output()
        );
        assert_eq!(referee.games().len(), 1);
        if let Some(player) = player {
            let (status, said) = player.ends();
            assert_eq!(status, 0, "{said}");
            // Nothing was lost on the way: what one side sent is what the other received.
            let received = fs::read_to_string(referee.path("../ann.log")).expect("a log");
            let received = records(&received, " < ", "");
            assert!(received.len() > 4);
            assert_eq!(
                received,
                records(&referee.read("records.log"), " > \"", "Ann\" ")
            );
        }
    }
}

/// The records of one direction in a log.
fn records(log: &str, direction: &str, name: &str) -> Vec<String> {
    let lines = log.lines().filter_map(|line| line.split_once(direction));
    lines
        .filter_map(|(_, rest)| rest.strip_prefix(name))
        .map(str::to_owned)
        .collect()
}

/// A player that does not trust the referee says why, and does not try again.
#[test]
fn certificates_that_are_refused() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let (other, _) = pair(SOUND);
    let cases = [
        (
            Kind {
                names: &["referee.example", "10.0.0.7", "::1"],
                ..SOUND
            },
            "localhost:PORT --ca cup.crt",
            "the referee's certificate is for referee.example, 10.0.0.7, ::1, not for localhost; connect",
        ),
        (
            SOUND,
            "127.0.0.1:PORT --ca cup.crt --server-name chess.example",
            "certificate is for localhost, 127.0.0.1, not for chess.example; connect by",
        ),
        (
            Kind {
                years: [2020, 2021],
                ..SOUND
            },
            "localhost:PORT --ca cup.crt",
            "certificate expired on 2021-01-01 00:00 UTC (this machine's clock says ",
        ),
        (
            Kind {
                years: [2119, 2120],
                ..SOUND
            },
            "localhost:PORT --ca cup.crt",
            "certificate is not valid before 2119-01-01 00:00 UTC (this machine's clock says ",
        ),
        (
            SOUND,
            "localhost:PORT --ca other.crt",
            "certificate is not in other.crt and not signed by one that is:",
        ),
        (
            SOUND,
            "localhost:PORT",
            "certificate is signed by no authority that this system trusts; if it is the referee's own",
        ),
        (
            Kind {
                is_ca: true,
                ..SOUND
            },
            "127.0.0.1:PORT --ca cup.crt --server-name chess.example",
            "certificate is for localhost, 127.0.0.1, not for chess.example; connect by",
        ),
        (
            SOUND,
            "localhost:PORT --ca cup.toml",
            "cup.toml has no certificate, expected",
        ),
        (
            SOUND,
            "localhost:PORT --ca none.crt",
            "cannot read none.crt: ",
        ),
    ];
    for (kind, words, wanted) in cases {
        let referee = referee(kind, "");
        fs::write(referee.path("../other.crt"), &other).expect("written");
        let words = format!("{words} --tls --name Ann --reconnect");
        let (status, said) = Player::start(&epode, &referee, &words).ends();
        assert_eq!(status, 2, "{said}");
        assert!(said.contains(wanted), "{words}: {said}");
        assert_eq!(said.lines().count(), 1, "{said}");
        if !wanted.contains(".toml") && !wanted.contains("none.crt") {
            referee.wait_for_output(" was turned away: TLS handshake: ");
        }
        let is_dated = kind.years != SOUND.years;
        assert_eq!(
            referee
                .output()
                .contains("warning: players refuse the certificate cup.crt: it "),
            is_dated,
            "{}",
            referee.output()
        );
    }
}

/// A certificate is no secret: whoever shows it must have its key as well.
#[test]
fn a_certificate_without_its_key() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let (certificate, _) = pair(SOUND);
    fs::write(folder.path().join("cup.crt"), &certificate).expect("written");
    let impostor = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let address = impostor.local_addr().expect("an address").to_string();
    let certificate = CertificateDer::from_pem_slice(certificate.as_bytes()).expect("PEM");
    let key = PrivateKeyDer::from_pem_slice(pair(SOUND).1.as_bytes()).expect("PEM");
    let key = any_supported_type(&key).expect("a key");
    let key = CertifiedKey::new(vec![certificate], key);
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_cert_resolver(Arc::new(SingleCertAndKey::from(key)));
    let config = Arc::new(config);
    thread::spawn(move || {
        for mut socket in impostor.incoming().map_while(Result::ok) {
            let mut tls = ServerConnection::new(Arc::clone(&config)).expect("sound");
            let done = tls.complete_io(&mut socket);
            assert!(done.is_err() || tls.is_handshaking(), "believed");
        }
    });
    for words in ["--tls --ca cup.crt", ""] {
        let mut command = Command::new(&epode);
        command
            .args(["client", &address])
            .args(words.split_whitespace());
        command
            .env("EPODE_TLS_CERTIFICATE", "cup.crt")
            .current_dir(folder.path());
        let output = command.output().expect("epode");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            said.contains("certificate, but does not have its key"),
            "{said}"
        );
        assert_eq!(output.status.code(), Some(2));
    }
}

/// `openssl req -x509` makes certificates that say that they are an authority's.
#[test]
fn a_certificate_of_an_authority_in_the_players_file() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let kind = Kind {
        is_ca: true,
        ..SOUND
    };
    let referee = referee(kind, "");
    let _player = Player::start(
        &epode,
        &referee,
        "localhost:PORT --name Ann --tls --ca cup.crt",
    );
    referee.wait_for_output("Ann connected from ");
}

/// Neither side waits for the other: no timeout of this event ends before the test's.
#[test]
fn plain_text_and_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let tables = "[rules]\nsign_on_timeout = \"1h\"\n";
    let secured = referee(SOUND, tables);
    let plain = "127.0.0.1:PORT --name Ann --reconnect";
    let (status, said) = Player::start(&epode, &secured, plain).ends();
    assert_eq!(status, 2, "{said}");
    assert!(
        said.ends_with("plain text, but this event uses TLS: connect with --tls\n"),
        "{said}"
    );
    secured.wait_for_output(" was turned away: plain text, but this event uses TLS");
    let refused = secured.events_of("refused");
    assert_eq!(refused.len(), 1, "{refused:?}");
    let open = Referee::run(&event("", tables, &["Ann", "Bob"]));
    fs::write(open.path("../cup.crt"), pair(SOUND).0).expect("written");
    let words = format!("{plain} --tls --ca cup.crt");
    let (status, said) = Player::start(&epode, &open, &words).ends();
    assert_eq!(status, 2, "{said}");
    assert!(
        said.contains(": the referee does not use TLS; connect without --tls"),
        "{said}"
    );
    open.wait_for_output(" was turned away: TLS, which this event does not use");
    // What it was told is no record that it could read, but no game either.
    assert_eq!(open.events_of("refused").len(), 1);
}

/// A killed referee and its players go on over new connections.
#[test]
fn players_come_back_over_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let mut referee = referee(SOUND, "");
    let players = ["Ann", "Bob"].map(|name| {
        let words = format!("127.0.0.1:PORT --name {name} --tls --ca cup.crt --reconnect");
        Player::start(&epode, &referee, &words)
    });
    referee.wait_for_ply(2);
    let address = referee.address();
    referee.kill();
    let plies = referee.events_of("move").len();
    let mut referee = referee.resume();
    assert_eq!(referee.address(), address);
    referee.wait_for_ply(plies + 2);
    referee.control("adjudicate 1 1-0");
    assert_eq!(referee.wait(), 0, "{}", referee.output());
    for player in players {
        let (status, said) = player.ends();
        assert_eq!(status, 0, "{said}");
        assert!(said.contains("connection lost; reconnecting"), "{said}");
    }
}

/// Peers that begin no handshake are strangers like others: they cannot keep players out.
#[test]
fn silent_peers_are_few() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let referee = referee(SOUND, "[rules]\nsign_on_timeout = \"1h\"\n");
    let mut silent: Vec<_> = (0..140)
        .map(|_| TcpStream::connect(referee.address()).expect("a connection"))
        .collect();
    for stream in &mut silent[..12] {
        stream.set_read_timeout(Some(LIMIT)).expect("set");
        let mut said = Vec::new();
        // The end, or a reset.
        let _ = stream.read_to_end(&mut said);
        assert_eq!(said, b"");
    }
    let _player = Player::start(
        &epode,
        &referee,
        "127.0.0.1:PORT --name Ann --tls --ca cup.crt",
    );
    referee.wait_for_output("Ann connected from ");
}

/// What `init --tls` writes works as it stands, by the command that it prints.
#[test]
fn a_new_event_with_tls() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let folder = TempDir::new().expect("a folder");
    let (said, status) = program(folder.path(), "init --tls");
    assert_eq!(status, 2, "{said}");
    let line = "init --tls cup.toml --host localhost --host 2001:db8::7";
    let (said, status) = program(folder.path(), line);
    assert_eq!(status, 0, "{said}");
    assert!(
        said.contains("cup.crt: the certificate for localhost, 2001:db8::7, "),
        "{said}"
    );
    let command = said.lines().last().expect("a command").to_owned();
    assert_eq!(
        command,
        "epode client localhost:5001 --tls --ca cup.crt --name NAME --password-file FILE"
    );
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect(name);
    let text = read("cup.toml").replace("command = ", "# command = ");
    let files = [
        ("cup.crt", read("cup.crt")),
        ("cup.key", read("cup.key")),
        ("FILE", "x".to_owned()),
    ];
    let files: Vec<_> = files
        .iter()
        .map(|(name, text)| (*name, text.as_str()))
        .collect();
    let arguments = ["--listen", "127.0.0.1:0", "--password-file", "FILE"];
    let referee = Referee::run_with(&text, &files, &arguments);
    let words = command.replace("5001", "PORT").replace("NAME", "One");
    let words = words.strip_prefix("epode client ").expect("a command");
    let _player = Player::start(&epode, &referee, words);
    referee.wait_for_output("One connected from ");
    // What is there is not overwritten.
    fs::remove_file(folder.path().join("cup.toml")).expect("removed");
    let (said, status) = program(folder.path(), "init --tls cup.toml");
    assert!(
        status == 2 && said.contains("cup.crt exists already"),
        "{said}"
    );
    assert!(!folder.path().join("cup.toml").exists());
}

/// The key is for its owner alone, and both ends look at it that files with secrets are.
#[cfg(unix)]
#[test]
fn secrets_that_others_can_read() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = TempDir::new().expect("a folder");
    let (said, status) = program(folder.path(), "init --tls cup.toml");
    assert_eq!(status, 0, "{said}");
    let key = folder.path().join("cup.key");
    let mode = fs::metadata(&key).expect("a key").permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    let check = || program(folder.path(), "check cup.toml").0;
    assert!(!check().contains("can read"), "{}", check());
    fs::set_permissions(&key, fs::Permissions::from_mode(0o644)).expect("set");
    let warning = "warning: every user of this machine can read cup.key: chmod 600 cup.key";
    assert!(check().contains(warning), "{}", check());
    // The referee and the client say the same of a password.
    fs::write(folder.path().join("secret"), "sesame\n").expect("written");
    let warning = warning.replace("cup.key", "secret");
    let (said, status) = program(
        folder.path(),
        "run cup.toml --listen 192.0.2.1:1 --password-file secret",
    );
    assert!(
        status == 2 && said.contains("cannot listen") && said.contains(&warning),
        "{said}"
    );
    let Some(epode) = crate::common::epode() else {
        return;
    };
    let output = Command::new(epode)
        .args(["client", "127.0.0.1:1", "--password-file", "secret"])
        .current_dir(folder.path())
        .output()
        .expect("epode");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&warning), "{said}");
}

/// Files that are no certificate or key are named with what is wrong.
#[test]
fn certificates_that_cannot_be_used() {
    let folder = TempDir::new().expect("a folder");
    let text = event(TLS, "", &["Ann", "Bob"]);
    fs::write(folder.path().join("cup.toml"), text).expect("written");
    let write = |certificate: &str, key: &str| {
        fs::write(folder.path().join("cup.crt"), certificate).expect("written");
        fs::write(folder.path().join("cup.key"), key).expect("written");
    };
    let refuses = |wanted: &str| {
        for verb in ["check", "run"] {
            let (said, status) = program(folder.path(), &format!("{verb} cup.toml"));
            assert!(status == 2 && said.contains(wanted), "{said}");
        }
        assert!(!folder.path().join("cup").exists(), "nothing was begun");
    };
    refuses("cannot read cup.crt: ");
    let (certificate, key) = pair(SOUND);
    write("", &key);
    refuses(
        "cup.crt has no certificate, expected one that begins with -----BEGIN CERTIFICATE-----",
    );
    write(&certificate, &certificate);
    refuses("cup.key has no private key, expected one without a passphrase");
    write(&certificate, &pair(SOUND).1);
    refuses("cup.key does not go with cup.crt");
    write(&certificate.replace('M', "*"), &key);
    refuses("cup.crt is damaged");
}

/// What is open to whom is said where other machines can reach the referee, and nowhere else.
#[test]
fn warnings_of_open_doors() {
    let settings = "listen = \"0.0.0.0:0\"\nopen_entries = 1";
    let text = event(settings, "", &["Ann", "Bob"]);
    let referee = Referee::run_with(&text, &[], &["--insecure"]);
    let said = referee.output();
    for wanted in [
        "warning: connections to 0.0.0.0:0 are not encrypted: whoever can listen on the network",
        "warning: anyone who reaches 0.0.0.0:0 can play as Ann or Bob: no token is set",
        "warning: anyone who reaches 0.0.0.0:0 can take one of 1 places for any name",
    ] {
        assert!(said.contains(wanted), "{said}");
    }
    let (said, _) = referee.program("check cup.toml");
    assert!(
        said.contains("warning: whoever knows the password can play as Ann or Bob"),
        "{said}"
    );
    assert!(
        said.contains("`run` needs --password-file FILE, or --insecure"),
        "{said}"
    );
    // With tokens and TLS there is nothing to warn of, and no password is needed.
    let (certificate, key) = pair(SOUND);
    let hash = referee::secret::Secret::of("sesame").to_string();
    let text = event(
        &format!("listen = \"0.0.0.0:0\"\n{TLS}"),
        "",
        &["Ann", "Bob"],
    );
    let text = text.replace("[[player]]", &format!("[[player]]\ntoken = {hash:?}"));
    let referee = Referee::run_with(&text, &[("cup.crt", &certificate), ("cup.key", &key)], &[]);
    let said = referee
        .output()
        .replace("every user of this machine can read cup.key", "");
    assert!(
        !said.contains("play as") && !said.contains("encrypted"),
        "{said}"
    );
    let local = Referee::run(&event("open_entries = 1", "", &["Ann", "Bob"]));
    assert!(!local.output().contains("warning"), "{}", local.output());
    let mut link = Link::open(local.address());
    assert!(link.sign_on("Ann"));
    // Started in the background, it says the same to whoever starts it.
    let folder = TempDir::new().expect("a folder");
    let text = event(settings, "", &["Ann", "Bob"]);
    fs::write(folder.path().join("cup.toml"), text).expect("written");
    let (said, status) = program(folder.path(), "run cup.toml --insecure --background");
    assert_eq!(status, 0, "{said}");
    assert!(said.contains("warning: anyone who reaches"), "{said}");
    let stopped = Command::new(PROGRAM)
        .args(["stop", "cup"])
        .current_dir(folder.path())
        .status();
    assert!(stopped.expect(PROGRAM).success());
}
