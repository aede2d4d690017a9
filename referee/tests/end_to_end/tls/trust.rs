//! Which certificates a player accepts, and what it says of those that it refuses.

use std::fs;
use std::net::TcpListener;
use std::process::Command;
use std::sync::Arc;
use std::thread;

use super::{Kind, Player, SOUND, pair, referee};
use rustls::crypto::ring::{self, sign::any_supported_type};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use rustls::sign::{CertifiedKey, SingleCertAndKey};
use rustls::{ServerConfig, ServerConnection};
use tempfile::TempDir;

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
