use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::Path;
use std::thread;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::crypto::ring;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject as _};
use rustls::{ServerConfig, ServerConnection, StreamOwned};

use super::*;
use trust::Trust;

const LINES: usize = 20_000;

/// Writes the certificate of a server to `path`, and starts the server: it sends back each line, and asks
/// for new keys now and then.
fn echo(path: &Path) -> String {
    let names = vec!["localhost".to_owned()];
    let CertifiedKey { cert, signing_key } = generate_simple_self_signed(names).expect("made");
    std::fs::write(path, cert.pem()).expect("written");
    let key = PrivateKeyDer::from_pem_slice(signing_key.serialize_pem().as_bytes());
    let config = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
        .with_protocol_versions(&[&rustls::version::TLS13])
        .expect("TLS 1.3")
        .with_no_client_auth()
        .with_single_cert(
            vec![CertificateDer::from(cert.der().to_vec())],
            key.expect("a key"),
        );
    let config = Arc::new(config.expect("sound"));
    let listener = TcpListener::bind(("127.0.0.1", 0)).expect("a port");
    let port = listener.local_addr().expect("an address").port();
    thread::spawn(move || {
        let (socket, _) = listener.accept().expect("a client");
        let connection = ServerConnection::new(config).expect("sound");
        let mut stream = BufReader::new(StreamOwned::new(connection, socket));
        let mut line = Vec::new();
        for i in 0..LINES {
            line.clear();
            stream.read_until(b'\n', &mut line).expect("a line");
            let stream = stream.get_mut();
            if i % 100 == 0 {
                stream.conn.refresh_traffic_keys().expect("new keys");
            }
            stream.write_all(&line).expect("written");
        }
    });
    format!("localhost:{port}")
}

/// Two threads read and write at full speed, with records of all sizes and changes of keys, and no byte is
/// lost or changed.
#[test]
fn both_ways_at_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("server.crt");
    let address = echo(&path);
    let tls = Tls {
        trust: Trust::File(path),
        server_name: None,
    };
    let port = address.rsplit_once(':').expect("a port").1;
    let socket = TcpStream::connect(format!("127.0.0.1:{port}")).expect("the server listens");
    let (reader, mut writer) = open(socket, &address, &tls).expect("a handshake");
    let line = |i: usize| format!("{i} {}\n", "x".repeat(i * 7919 % 4000));
    let writing = thread::spawn(move || {
        for i in 0..LINES {
            writer.write_all(line(i).as_bytes()).expect("written");
            writer.flush().expect("written");
        }
        writer
    });
    let mut lines = BufReader::new(reader).lines();
    for i in 0..LINES {
        let found = lines.next().expect("a line").expect("text");
        assert_eq!(found + "\n", line(i), "line {i}");
    }
    drop(writing.join().expect("no panic"));
}
