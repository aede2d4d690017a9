//! What the referee makes, accepts and warns of before an event: certificates, keys, passwords and open doors.

use std::fs;
use std::process::Command;

use super::{Player, SOUND, TLS, pair};
use crate::common::player::Link;
use crate::common::{PROGRAM, Referee, event, program};
use tempfile::TempDir;

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

/// The referee warns of who can reach what only if other machines can connect to it.
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
