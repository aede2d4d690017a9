//! `observe`: a second referee that follows a running one, and takes over.

use std::net::{SocketAddr, ToSocketAddrs as _};
use std::path::Path;

use anyhow::Context as _;
use referee::config::{Config, TlsFiles};
use referee::connector::Connector;
use referee::message::Incoming;
use referee::observer::{End, Observer, Target, herald};
use referee::replica::Replica;
use referee::secret_file;
use referee::server::Server;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::mpsc::{Receiver, channel};
use trust::Trust;

use super::args::{ListenConfig, Observe};
use super::control::Control;
use super::event_file::read_saved_event;
use super::print::{print, warn};
use super::run;
use crate::exit_status::ExitStatus;

/// Number of orders that may wait.
const QUEUE_LENGTH: usize = 64;
/// Number of connections that may wait until they are accepted.
const BACKLOG: u32 = 1024;

/// Follows a referee, and goes on with its event when it fails.
pub fn observe(args: &Observe) -> anyhow::Result<ExitStatus> {
    let (token, warning) = secret_file::read(&args.token_file)?;
    warn(&warning.into_iter().collect::<Vec<_>>());
    let target = target(args)?;
    let replica = Replica::open(&args.directory)?;
    run::runtime()?.block_on(async {
        let (sender, mut orders) = channel(QUEUE_LENGTH);
        let control = Control::open(&args.directory, &sender);
        run::send_signals(sender);
        let mut place = None;
        let prepare = |directory: &Path| prepare(args, directory, &mut place);
        let mut observer = Observer::new(target.clone(), token, replica, args.takeover, prepare);
        let end = observer.run(&mut orders).await;
        let replica = observer.into_replica();
        let place = place.context("the event has no address to listen on");
        match end? {
            End::TakeOver(why) => {
                take_over(args, target, replica, place?, &why, control, orders).await
            }
            end => {
                if end == End::Over {
                    print("the event is over");
                }
                control.remove_socket();
                drop(orders);
                control.close().await;
                Ok(ExitStatus::Finished)
            }
        }
    })
}

fn target(args: &Observe) -> anyhow::Result<Target> {
    let trust = args.ca.clone().map_or(Trust::System, Trust::File);
    let name = args.server_name.as_deref();
    let connector = args
        .tls
        .then(|| Connector::new(&trust, &args.address, name));
    Ok(Target {
        address: args.address.clone(),
        connector: connector.transpose()?,
    })
}

/// Where this referee will listen: the address is its own already, but nobody can connect yet.
struct Place {
    socket: TcpSocket,
    listen: ListenConfig,
}

/// Looks whether the event can be taken over from this folder, when its files have come for the first time.
fn prepare(args: &Observe, directory: &Path, place: &mut Option<Place>) -> anyhow::Result<()> {
    if place.is_some() {
        return Ok(());
    }
    let config = event_of(args, directory)?;
    let mut listen = args.network.listen_config(&config, directory, None)?;
    // A page must not keep the event from going on: if its address is taken, it gets another one.
    let host = listen.http.first().and_then(|http| http.rsplit_once(':'));
    let any_port = host.map(|(host, _)| format!("{host}:0"));
    listen.http.extend(any_port);
    let socket = reserve(&listen.addresses)?;
    warn(&listen.warnings);
    print(&format!(
        "observing {}; after a take-over: {}",
        args.address,
        socket.local_addr()?
    ));
    *place = Some(Place { socket, listen });
    Ok(())
}

/// The event file, with the certificate of this machine.
fn event_of(args: &Observe, directory: &Path) -> anyhow::Result<Config> {
    let mut config = read_saved_event(&directory.join("event.toml"))?;
    args.network.set(&mut config);
    if let (Some(certificate), Some(key), Some(_)) = (&args.certificate, &args.key, &config.tls) {
        config.tls = Some(TlsFiles {
            certificate: std::path::absolute(certificate)?,
            key: std::path::absolute(key)?,
        });
    }
    Ok(config)
}

/// Takes the first address that is available. Whoever connects before the take-over is refused by the system,
/// and tries the other referee.
fn reserve(addresses: &[String]) -> anyhow::Result<TcpSocket> {
    let mut why = anyhow::anyhow!("no address to listen on");
    for address in addresses {
        let found = address.to_socket_addrs();
        let found = found.with_context(|| format!("cannot listen on {address}"))?;
        for resolved in found {
            match bind(resolved).with_context(|| format!("cannot listen on {address}")) {
                Ok(socket) => return Ok(socket),
                Err(error) => why = error,
            }
        }
    }
    Err(why)
}

fn bind(address: SocketAddr) -> std::io::Result<TcpSocket> {
    let socket = match address {
        SocketAddr::V4(_) => TcpSocket::new_v4(),
        SocketAddr::V6(_) => TcpSocket::new_v6(),
    }?;
    // As a listener does: connections of an earlier program may not be forgotten yet.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(address)?;
    Ok(socket)
}

/// Goes on with the event.
async fn take_over(
    args: &Observe,
    target: Target,
    replica: Replica,
    place: Place,
    why: &str,
    control: Control,
    orders: Receiver<Incoming>,
) -> anyhow::Result<ExitStatus> {
    let (term, lock) = replica.take_over()?;
    print(&format!("taking over the event (term {term}): {why}"));
    let config = event_of(args, &args.directory)?;
    let (ledger, storage) = run::load(config, &args.directory, lock)?;
    let prints = run::Prints {
        moves: args.moves,
        games: false,
    };
    let mut started = run::Started::new(ledger, storage, &place.listen, prints)?;
    let server = &mut started.server;
    server.go_alone();
    if let Some(term) = server.term() {
        tokio::spawn(herald(target, term, server.sender()));
    }
    forward(orders, server);
    let listener: TcpListener = place.socket.listen(BACKLOG)?;
    started.conduct(listener, control).await
}

/// Lets orders and signals go to the server from now on.
fn forward(mut orders: Receiver<Incoming>, server: &Server) {
    let sender = server.sender();
    tokio::spawn(async move {
        while let Some(order) = orders.recv().await {
            if sender.send(order).await.is_err() {
                return;
            }
        }
    });
}
