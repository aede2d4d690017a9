//! The update formula of all history tables, "history gravity".

/// Adds a bonus to an entry and pulls the entry toward zero in proportion to its size, so that it
/// never exceeds `LIMIT`
/// (<https://www.chessprogramming.org/History_Heuristic#History_Bonuses>).
pub(crate) fn apply_gravity<const LIMIT: i32>(entry: &mut i16, bonus: i32) {
    let value = i32::from(*entry);
    *entry = (value + bonus - value * bonus.abs() / LIMIT) as i16;
}
