//! Players on real connections: who comes, who goes and comes back, and what they may send.

mod absences;
mod admission;
mod peers;
