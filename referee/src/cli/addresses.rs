//! Who can reach an address.

use std::net::ToSocketAddrs;

/// Whether other machines can reach an address.
pub fn is_reachable(listen: &str) -> anyhow::Result<bool> {
    let addresses = listen.to_socket_addrs();
    let mut addresses = addresses.map_err(|error| anyhow::anyhow!("{listen}: {error}"))?;
    Ok(addresses.any(|address| !address.ip().is_loopback()))
}
