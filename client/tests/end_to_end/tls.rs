//! `epode client` where one side expects TLS and the other does not. Games over TLS are tested with the
//! referee.

use crate::common::referee::{Player, Server};
use crate::common::{FAILED, Folder};

/// A referee that is not ours answers plain text with an alert of TLS.
#[test]
fn a_referee_with_tls() {
    let folder = Folder::new();
    let server = Server::new();
    let player = server.player(&folder, "--reconnect --depth 1");
    let mut peer = server.accept();
    // Fatal: unexpected message.
    peer.send(&[0x15, 3, 3, 0, 2, 2, 10]);
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert_eq!(
        messages,
        "epode: the referee uses TLS; connect with --tls\n"
    );
    assert!(server.nobody_came());
}

/// An authority of the tests, which has signed nothing.
const AUTHORITY: &str = "-----BEGIN CERTIFICATE-----
MIIBdDCCARugAwIBAgIUMP8I1HzZdYAP+B5HYmsURCBn570wCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEdGVzdDAgFw0yNjExMjMwMzE2MDBaGA8yMTI2MTAzMDAzMTYw
MFowDzENMAsGA1UEAwwEdGVzdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABEW7
GLGCoJJJO8FvwG0BiQfiyl8VHjvrdG1Pd3V0fnyRK1BktozGkaYauyvYM/iVA49H
MS5oYRjYtT/LQnNMAP2jUzBRMB0GA1UdDgQWBBTsvpIe6ATKA7XpY6t6qTjlgXUY
1jAfBgNVHSMEGDAWgBTsvpIe6ATKA7XpY6t6qTjlgXUY1jAPBgNVHRMBAf8EBTAD
AQH/MAoGCCqGSM49BAMCA0cAMEQCIG4+G73MhO8KtbOuNp7Z70OH+HeNcB/drMbK
4iTDaRCOAiACKEP/gFN7n+W5nEfqjgFPe0iQpwyeSGGU1pNJgAoTlw==
-----END CERTIFICATE-----
";

#[test]
fn a_referee_without_tls() {
    let folder = Folder::with("ca.pem", AUTHORITY);
    let server = Server::new();
    let player = server.player(&folder, "--tls --ca ca.pem --reconnect --depth 1");
    let mut peer = server.connection();
    peer.send(b"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - refcom disconnect;\n");
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert!(
        messages.ends_with(
            ": the referee does not use TLS; connect without --tls, or add `tls` to its event file\n"
        ),
        "{messages}"
    );
    assert!(server.nobody_came());
}

/// A connection that ends in the handshake may be better next time.
#[test]
fn a_referee_that_goes_in_the_handshake() {
    let folder = Folder::with("ca.pem", AUTHORITY);
    let server = Server::new();
    let player = server.player(&folder, "--tls --ca ca.pem --depth 1");
    server.connection().close();
    let (status, messages) = player.ends();
    assert_eq!(status, FAILED);
    assert!(
        messages.contains(": the referee closed the connection in the TLS handshake")
            || messages.contains(": TLS handshake: "),
        "{messages}"
    );
    let _player = server.player(&folder, "--tls --ca ca.pem --reconnect --depth 1");
    server.connection().close();
    server.connection();
}

#[test]
fn options_of_tls() {
    let folder = Folder::with("empty", "\n");
    for (options, wanted) in [
        ("host:1 --ca ca.pem", "--tls"),
        ("host:1 --server-name referee.example", "--tls"),
        ("--tls --fifo base", "cannot be used with"),
        (
            "127.0.0.1:1 --password-file empty",
            "empty has no password in its first line",
        ),
    ] {
        let (status, messages) = Player::start(&folder, options).ends();
        assert_eq!(status, FAILED, "{messages}");
        assert!(messages.contains(wanted), "{messages}");
    }
}
