//! CPU time of processes that have nothing to do with packets: a compiler, a backup, a hog.

use std::collections::{BTreeMap, BTreeSet};

use super::{Figures, Of, Quantity};
use crate::kernel::{Context, Pid};
use crate::measure::Sums;
use crate::replay::Basis;
use crate::run::Run;

/// What took less than this part of the CPUs' busy time is not told by its name.
const LEAST: f64 = 0.01;

/// The CPU time for each packet of processes that no packet passed and no socket was used by, of all of them and by the
/// names of those that took a hundredth of the time. Nothing where the run tells of no process.
pub(super) fn add(
    figures: &mut Figures,
    basis: &Basis<'_>,
    counted: &Sums,
    packets: u64,
    users: &BTreeSet<Pid>,
) {
    let mut nanos: BTreeMap<Pid, u64> = BTreeMap::new();
    let mut busy = 0;
    for lane in &basis.lanes.lanes {
        for (doing, spent) in basis.lanes.spans(lane, counted.from, counted.to) {
            if !matches!(doing.context, Context::Idle | Context::Unknown) {
                busy += spent;
            }
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
        if let Some(comm) = basis.run.comm(pid).filter(|_| !users.contains(&pid)) {
            *by_name.entry(comm).or_default() += spent;
        }
    }
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
    matches!(context, Context::User | Context::Kernel) && is_known(pid)
}

fn is_known(pid: Pid) -> bool {
    !matches!(pid, Pid::IDLE | Pid::UNKNOWN)
}

/// Processes that something happened to a packet or a socket in, not in an interrupt or softirq above them. Not every
/// recording says what an event's context was.
pub(super) fn users(run: &Run) -> BTreeSet<Pid> {
    let mut users = BTreeSet::new();
    run.each(|index| {
        let context = run.context[index.at()];
        let is_above = matches!(context, Context::Softirq | Context::Hardirq | Context::Nmi);
        let has_object = run.skb(index).is_some() || run.sk(index).is_some();
        if has_object && !is_above && is_known(run.pid(index)) {
            users.insert(run.pid(index));
        }
    });
    users
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
