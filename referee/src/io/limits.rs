//! How many files and sockets this process may open.

/// Raises the limit on open files as far as it goes, and returns it; `None` where there is none or it
/// is not known.
#[cfg(unix)]
#[must_use]
pub fn descriptors() -> Option<usize> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
    let limit = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: limit.maximum,
        maximum: limit.maximum,
    };
    let current = match setrlimit(Resource::Nofile, raised) {
        Ok(()) => limit.maximum,
        Err(_) => limit.current,
    };
    current.and_then(|current| usize::try_from(current).ok())
}

/// How many files may be open is not known here.
#[cfg(not(unix))]
#[must_use]
pub const fn descriptors() -> Option<usize> {
    None
}
