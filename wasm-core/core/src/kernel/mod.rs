//! The words of the stack: the one vocabulary that importers and the simulator
//! both speak and that everything behind the run understands.
//!
//! Closed worlds are enums with the kernel's spelling, so that adding a probe or
//! a drop reason breaks the build wherever it must be drawn or explained. This
//! module depends on nothing else in the crate.

#[macro_use]
mod vocabulary;

pub mod context;
pub mod drop_reason;
pub mod event;
pub mod field;
pub mod ids;
pub mod line_state;
pub mod probe;
pub mod probes;
pub mod protocol;
pub mod queue;
pub mod softirq;
pub mod station;
pub mod verdict;

pub use context::Context;
pub use drop_reason::DropReason;
pub use event::{Event, Origin};
pub use field::{Field, FieldKind, MPTCP};
pub use ids::{AddrId, CpuId, EventIdx, NameId, Nanos, PacketId, Pid, sum_of_nanos};
pub use line_state::LineState;
pub use probe::Probe;
pub use probes::Probes;
pub use queue::QueueKind;
pub use station::{Direction, Station};
pub use verdict::{Verdict, VerdictKind};
