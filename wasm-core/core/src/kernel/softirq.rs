//! The names of softirqs.

/// The name of a softirq (`include/linux/interrupt.h`, v6.12).
pub fn name(vec: u32) -> Option<&'static str> {
    const NAMES: [&str; 10] = [
        "HI", "TIMER", "NET_TX", "NET_RX", "BLOCK", "IRQ_POLL", "TASKLET", "SCHED", "HRTIMER",
        "RCU",
    ];
    NAMES.get(vec as usize).copied()
}
