//! Who can reach an address.

use std::net::ToSocketAddrs;

/// Checks that an address to listen on is `HOST:PORT`.
pub fn check(text: &str) -> Result<(), String> {
    let port = text.rsplit_once(':').filter(|(host, _)| !host.is_empty());
    match port.map(|(_, port)| port.parse::<u16>()) {
        Some(Ok(_)) => Ok(()),
        _ => Err(format!(
            "{text:?} is no address to listen on, expected HOST:PORT, for example 127.0.0.1:8080"
        )),
    }
}

/// [`check`] for an option.
pub fn host_port(text: &str) -> Result<String, String> {
    check(text).map(|()| text.to_owned())
}

/// Whether other machines can reach an address.
pub fn is_reachable(listen: &str) -> anyhow::Result<bool> {
    check(listen).map_err(|why| anyhow::anyhow!(why))?;
    let addresses = listen.to_socket_addrs();
    let mut addresses = addresses.map_err(|error| anyhow::anyhow!("{listen}: {error}"))?;
    Ok(addresses.any(|address| !address.ip().is_loopback()))
}
