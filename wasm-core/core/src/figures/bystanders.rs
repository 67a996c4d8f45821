//! CPU time of processes that have nothing to do with packets: a compiler, a backup, a hog.

use std::collections::BTreeMap;

use super::{Figures, Of, Quantity};
use crate::kernel::{Context, Pid};
use crate::measure::Sums;
use crate::replay::Basis;

/// What took less than this part of the CPUs' busy time is not told by its name.
const LEAST: f64 = 0.01;

/// The CPU time for each packet of processes that no packet passed and no socket was used by, of all of them and by the
/// names of those that took a hundredth of the time. Nothing where the run tells of no process.
pub(super) fn add(figures: &mut Figures, basis: &Basis<'_>, counted: &Sums, packets: u64) {
    let mut nanos: BTreeMap<Pid, u64> = BTreeMap::new();
    for lane in &basis.lanes.lanes {
        for (doing, spent) in basis.lanes.spans(lane, counted.from, counted.to) {
            if is_process(doing.context, doing.pid) {
                *nanos.entry(doing.pid).or_default() += spent;
            }
        }
    }
    if nanos.is_empty() {
        return;
    }
    let mut by_name: BTreeMap<&str, u64> = BTreeMap::new();
    for (pid, spent) in nanos {
        if let Some(comm) = basis
            .run
            .comm(pid)
            .filter(|_| !basis.lanes.users.contains(&pid))
        {
            *by_name.entry(comm).or_default() += spent;
        }
    }
    let busy = counted.busy();
    let each = |spent: u64| spent as f64 / packets as f64;
    figures.tell(Quantity::BystandersEach);
    figures.push(
        Quantity::BystandersEach,
        Of::Run,
        each(by_name.values().sum()),
    );
    for (comm, spent) in by_name {
        if spent as f64 >= LEAST * busy as f64 {
            figures.push(
                Quantity::BystandersEach,
                Of::Task(comm.to_owned()),
                each(spent),
            );
        }
    }
}

fn is_process(context: Context, pid: Pid) -> bool {
    let is_known = !matches!(pid, Pid::IDLE | Pid::UNKNOWN);
    matches!(context, Context::User | Context::Kernel) && is_known
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::opened::Opened;
    use crate::replay::tests::run_of;

    /// A packet is copied to pid 7 within 100 us; for 300 us a compiler runs, and for 2 us of 402 something else.
    #[test]
    fn who_has_nothing_to_do_with_packets_is_told_by_name() {
        let run = run_of(
            "
            # comm 7 reader
            # comm 8 cc1
            # comm 9 short
            1 ev sched_switch ts 0.000000 cpu 0 pid 0 prev_pid 0 prev_state R next_pid 7
            2 ev skb_copy_datagram_iovec ts 0.000040 cpu 0 pid 7 skb a1 len 100
            3 ev sched_switch ts 0.000100 cpu 0 pid 7 prev_pid 7 prev_state S next_pid 8
            4 ev sched_switch ts 0.000400 cpu 0 pid 8 prev_pid 8 prev_state R next_pid 9
            5 ev sched_switch ts 0.000402 cpu 0 pid 9 prev_pid 9 prev_state S next_pid 0
            ",
        );
        let figures = Figures::of(&Opened::from(run), None);
        let each = |of: &Of| figures.value(Quantity::BystandersEach, of);
        let of = |comm: &str| Of::Task(comm.to_owned());
        assert_eq!(each(&Of::Run), Some(302_000.0), "of one packet");
        assert_eq!(each(&of("cc1")), Some(300_000.0));
        assert_eq!(each(&of("short")), Some(0.0), "less than a hundredth");
        assert_eq!(each(&of("reader")), Some(0.0), "it reads");
    }
}
