//! Places at which a test lets the referee panic, as an error in it would. Outside of tests they do nothing.

#[cfg(test)]
use std::cell::RefCell;

#[cfg(test)]
thread_local! {
    static ARMED: RefCell<Vec<&'static str>> = const { RefCell::new(Vec::new()) };
}

/// This thread panics when it comes to each of these places for the first time.
#[cfg(test)]
pub fn arm(places: &[&'static str]) {
    ARMED.with_borrow_mut(|armed| armed.extend(places));
}

/// The places to which it has not come yet.
#[cfg(test)]
pub fn armed() -> Vec<&'static str> {
    ARMED.with_borrow(Clone::clone)
}

/// A place at which a test may let the referee panic.
#[cfg(test)]
pub fn point(place: &str) {
    let place = ARMED.with_borrow_mut(|armed| {
        let found = armed.iter().position(|armed| *armed == place);
        found.map(|found| armed.remove(found))
    });
    if let Some(place) = place {
        panic!("a test lets {place} panic");
    }
}

/// A place at which a test may let the referee panic.
#[cfg(not(test))]
pub const fn point(_: &str) {}
