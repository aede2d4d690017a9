//! Clients that find the next referee, and the certificates of the referee and its observer.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use super::{duel, plies};
use crate::common::nodes::{Node, home, observer_table, wait_until};
use crate::common::{CLOCK, Killed, OVERHEAD, event};
use rcgen::{CertificateParams, KeyPair};

/// A certificate for this machine, in the files `cup.crt` and `cup.key`.
fn certificate(home: &Path) {
    let key = KeyPair::generate().expect("a key");
    let names = ["localhost", "127.0.0.1"].map(str::to_owned).to_vec();
    let params = CertificateParams::new(names).expect("names");
    let certificate = params.self_signed(&key).expect("a certificate");
    fs::write(home.join("cup.crt"), certificate.pem()).expect("written");
    fs::write(home.join("cup.key"), key.serialize_pem()).expect("written");
}

/// Runs `epode client` until the test ends.
fn client(epode: &Path, home: &Path, addresses: &str, name: &str, options: &str) -> Killed {
    let mut command = Command::new(epode);
    command.args(["client", addresses, "--name", name, "--reconnect"]);
    command.args(options.split_whitespace());
    command.args(["--overhead", OVERHEAD]).current_dir(home);
    command.stdin(Stdio::null()).stdout(Stdio::null());
    Killed(command.stderr(Stdio::null()).spawn().expect("epode"))
}

/// Clients that know both addresses come back by themselves, by TLS too, and the programs that the referee has
/// started are started by the next one.
#[test]
fn clients_find_the_next_referee() {
    let Some(epode) = crate::common::epode() else {
        return;
    };
    for is_tls in [false, true] {
        let tls = if is_tls {
            "tls = { certificate = \"cup.crt\", key = \"cup.key\" }"
        } else {
            ""
        };
        let head = format!("{tls}\nformat = \"match\"\ngames_per_pairing = 1\n{CLOCK}");
        let table = observer_table("replicas = 1\ntakeover = \"500ms\"");
        let text = event(&head, &table, &["Ann", "Bob"]);
        let command = format!(
            "'{}' client {{address}} --name Bob --depth 1 --overhead {OVERHEAD}",
            epode.display()
        );
        let home = home(&text.replace("\"Bob\"", &format!("\"Bob\"\ncommand = {command:?}")));
        certificate(home.path());
        let options = if is_tls { "--tls --ca cup.crt" } else { "" };
        let mut referee = Node::run(home.path());
        let observer = Node::observe(home.path(), referee.address(), "copy", options);
        let addresses = format!("{},{}", referee.address(), observer.place());
        observer.follows();
        let _ann = client(&epode, home.path(), &addresses, "Ann", options);
        wait_until("some moves", || plies(&referee) > 6);
        referee.kill();
        observer.hear("listening on ");
        let before = plies(&observer);
        assert!(before > 5);
        wait_until("more moves", || plies(&observer) > before + 6);
        assert_eq!(observer.control("adjudicate 1 1/2").1, 0);
        let mut observer = observer;
        assert_eq!(observer.wait(), 0, "{}", observer.said());
        let games = String::from_utf8(observer.read("games.pgn")).expect("ASCII");
        let games = crate::common::games::read(&games);
        assert_eq!(games.len(), 1);
        games[0].check();
    }
}

/// The certificate of the referee must be one that the observer trusts; after a take-over it may have its own.
#[test]
fn certificates() {
    let settings = "takeover = \"300ms\"";
    let tls = "tls = { certificate = \"cup.crt\", key = \"cup.key\" }";
    let home = home(&format!("{tls}\n{}", duel(settings)));
    certificate(home.path());
    let mut referee = Node::run(home.path());
    let address = referee.address();
    for name in ["crt", "key"] {
        let from = home.path().join(format!("cup.{name}"));
        fs::rename(from, home.path().join(format!("one.{name}"))).expect("renamed");
    }
    certificate(home.path());
    let mut stranger = Node::observe(home.path(), address, "copy", "--tls --ca cup.crt");
    assert_eq!(stranger.wait(), 2);
    stranger.hear("cannot connect to ");
    let mut plain = Node::observe(home.path(), address, "copy", "");
    assert_eq!(plain.wait(), 2);
    plain.hear("plain text, but this event uses TLS");
    for name in ["crt", "key"] {
        fs::rename(
            home.path().join(format!("cup.{name}")),
            home.path().join(format!("two.{name}")),
        )
        .expect("renamed");
    }
    let options = "--tls --ca one.crt --certificate two.crt --key two.key";
    let observer = Node::observe(home.path(), address, "copy", options);
    observer.follows();
    referee.kill();
    observer.hear("listening on ");
}
