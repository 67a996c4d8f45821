//! When something is reported: every threshold with its source.
//!
//! Kernel values were read in v6.1, the version of most recordings. Other versions have others, so they are guidance
//! for a reader, not a verdict about that host.

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
    /// Nanoseconds from the waking of a reader to its running.
    WOKEN_LATE_NANOS = 750_000.0, "sysctl_sched_min_granularity, kernel/sched/fair.c (v6.1): a running task is left this long";
    /// Nanoseconds in which a reader that could run does not.
    PUT_ASIDE_NANOS = 750_000.0, "sysctl_sched_min_granularity, kernel/sched/fair.c (v6.1)";
    /// Nanoseconds that one softirq runs.
    SOFTIRQ_LONG_NANOS = 2_000_000.0, "MAX_SOFTIRQ_TIME, kernel/softirq.c: __do_softirq (v6.1)";
    /// Part of all interrupt and softirq time that one CPU has.
    IMBALANCE_SHARE = 0.8, "ours: four fifths; with two CPUs that is four to one";
    /// Part of its time that this CPU is busy so.
    IMBALANCE_BUSY = 0.5, "ours: the other half must do for all processes on it";
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
}

#[cfg(test)]
mod tests {
    use super::ALL;

    #[test]
    fn every_threshold_says_where_it_comes_from() {
        for (name, threshold) in ALL {
            let source = threshold.source;
            let is_ours = source.starts_with("ours: ");
            let is_kernel =
                source.contains("(v6.") && (source.contains('/') || source.contains(".c"));
            assert!(is_ours || is_kernel, "{name}: {source}");
            assert!(threshold.value > 0.0, "{name}");
        }
    }
}
