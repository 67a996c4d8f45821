//! When something is reported: every threshold with its source.
//!
//! What a kernel sets depends on its version and on the number of CPUs, so these limits are asked for. A recording
//! seldom says of which kernel it is, and never how often that one's timer ticks: then 6.1 with the usual 250 Hz is meant,
//! which most recordings come from. So they are guidance for a reader, not a verdict about that host.

use super::version::Version;

/// A limit from which on something is reported.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// The limit, in the unit that the name says.
    pub value: f64,
    /// Where it comes from.
    pub source: &'static str,
}

impl Threshold {
    /// Whether an amount reaches it.
    pub fn is_reached(self, amount: f64) -> bool {
        amount >= self.value
    }
}

/// Declares the table: a constant for each row, and the list of them.
macro_rules! table {
    ($($(#[$meta:meta])* $NAME:ident = $value:literal, $source:literal;)+) => {
        $($(#[$meta])* pub const $NAME: Threshold = Threshold { value: $value, source: $source };)+

        /// Every threshold by name.
        pub const ALL: &[(&str, Threshold)] = &[$((stringify!($NAME), $NAME)),+];
    };
}

table! {
    /// Packets from which on a share or a median says something.
    FEW_PACKETS = 8.0, "ours: below this each packet is better looked at alone";
    /// Part of the packets' way that is spent in one queue.
    MOST_OF_THE_WAY = 0.5, "ours: more than half";
    /// Nanoseconds in which no packet goes from one place to another.
    STILL_NANOS = 1_000_000.0, "one tick of a kernel with HZ=1000, kernel/Kconfig.hz (v6.1)";
    /// Part of the time in which nothing moves.
    STILL_SHARE = 0.5, "ours: more than half";
    /// Part of all interrupt and softirq time that one CPU has.
    IMBALANCE_SHARE = 0.8, "ours: four fifths; with two CPUs that is four to one";
    /// Part of its time that this CPU is busy so.
    IMBALANCE_BUSY = 0.5, "ours: the other half must do for all processes on it";
    /// Nanoseconds that a request or its answer waits in one queue.
    HELD_NANOS = 5_000_000.0, "TARGET of CoDel: a queue that stands for longer is a bad one, RFC 8289";
    /// How near to its limit a queue is called full.
    NEARLY_FULL = 0.9, "ours: less than a tenth is left";
    /// How far below its limit a queue is called nearly empty.
    NEARLY_EMPTY = 0.1, "ours: nine tenths are left";
    /// Part of the packets that are on more than one CPU.
    HAND_OVER_SHARE = 0.05, "ours: a twentieth";
    /// Cache lines that cross for each packet that arrives.
    LINES_A_PACKET = 1.0, "ours: an sk_buff alone is four lines, include/linux/skbuff.h (v6.1)";
    /// Part of all CPUs' time that is spent waiting for locks.
    LOCK_SHARE = 0.01, "ours: a hundredth";
    /// Part of all CPUs' time that probes take.
    PROBE_SHARE = 0.01, "ours: a hundredth";
    /// Part of the journeys that have no end.
    OPEN_SHARE = 0.05, "ours: a twentieth";
    /// Part of a recording's journeys without an end from which it is a problem: the rest of the findings are about the others.
    MOSTLY_OPEN_SHARE = 0.5, "ours: half";
}

/// Nanoseconds for which a CPU's task may go on although another could run: a reader that waits for longer, woken or
/// put aside, waits longer than the scheduler means it to.
pub fn turn_nanos(kernel: Option<Version>, cpus: usize) -> Threshold {
    /// The completely fair scheduler, the first that counts in nanoseconds.
    const FAIR: Version = Version(2, 6, 23);
    /// The base slice became shorter. Stable releases of older kernels may have it too; their numbers do not say.
    const SHORTER: Version = Version(6, 15, 0);
    if kernel.is_some_and(|kernel| kernel < FAIR) {
        return Threshold {
            value: 10_000_000.0,
            source: "a tick with HZ=100, include/asm-i386/param.h (v2.4.20), which goodness() counts in; from v2.5.2 on \
                     TIMESLICE_GRANULARITY of the most interactive task, kernel/sched.c (v2.6.3)",
        };
    }
    // `get_update_sysctl_factor`, with SCHED_TUNABLESCALING_LOG.
    let factor = 1 + cpus.clamp(1, 8).ilog2();
    let (slice, source) = if kernel.is_some_and(|kernel| SHORTER <= kernel) {
        (
            700_000.0,
            "sysctl_sched_base_slice, kernel/sched/fair.c (v6.15), times 1 + log2(CPUs)",
        )
    } else {
        (
            750_000.0,
            "sysctl_sched_min_granularity, kernel/sched/fair.c (v6.1), times 1 + log2(CPUs)",
        )
    };
    Threshold {
        value: slice * f64::from(factor),
        source,
    }
}

/// Nanoseconds after which one NET_RX softirq leaves the rest to another one, in a kernel that has the events of softirqs
/// (since 2.6.31).
///
/// It is bounded by two ticks, but for some years in which that was a fixed time. The bound of all softirqs in a row
/// (`MAX_SOFTIRQ_TIME`) is not asked for until this one returns.
pub fn receiving_nanos(kernel: Option<Version>) -> Threshold {
    /// The time became a setting of its own.
    const FIXED: Version = Version(4, 12, 0);
    /// That setting is two ticks, unless somebody changes it.
    const TICKS_AGAIN: Version = Version(5, 7, 0);
    let is_fixed = kernel.is_some_and(|kernel| FIXED <= kernel && kernel < TICKS_AGAIN);
    if is_fixed {
        return Threshold {
            value: 2_000_000.0,
            source: "netdev_budget_usecs, net/core/dev.c (v4.12)",
        };
    }
    Threshold {
        value: 8_000_000.0,
        source: "netdev_budget_usecs, two ticks, net/core/dev.c (v6.1); HZ=250, kernel/Kconfig.hz",
    }
}
