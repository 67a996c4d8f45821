//! When each task was given a CPU: what waits in a socket can be taken by its reader only from
//! then on.

use std::collections::BTreeMap;

use crate::journey::Stay;
use crate::kernel::{Context, Direction, Field, Nanos, Pid, Probe};
use crate::run::Run;

use super::places::is_of_socket;

/// The switches to each task, by time.
#[derive(Debug, Clone, Default)]
pub struct Given {
    by_task: BTreeMap<Pid, Vec<Nanos>>,
}

impl Given {
    /// Reads them off the events of the scheduler.
    pub fn of(run: &Run) -> Self {
        let mut by_task: BTreeMap<Pid, Vec<Nanos>> = BTreeMap::new();
        let switches = run
            .indices()
            .filter(|at| run.probe[at.at()] == Probe::SchedSwitch);
        for event in switches {
            let next = run.field(event, Field::NextPid).map(Pid);
            if let Some(pid) = next.filter(|&pid| pid != Pid::IDLE) {
                by_task.entry(pid).or_default().push(run.time(event));
            }
        }
        Self { by_task }
    }

    /// The earliest time at which a packet could leave a stay: when it came, or, in a
    /// queue of a socket that a task takes it from, when that task last got the CPU.
    pub fn ready(&self, run: &Run, stay: &Stay, next: Option<&Stay>) -> Nanos {
        let waits = is_of_socket(stay.station) && stay.station.direction() == Direction::Receive;
        let taken = next.filter(|next| waits && next.context == Context::Kernel);
        let given = taken.and_then(|next| self.last(run.pid(next.event), next.enter));
        given.map_or(stay.enter, |given| given.max(stay.enter))
    }

    fn last(&self, task: Pid, until: Nanos) -> Option<Nanos> {
        let times = self.by_task.get(&task)?;
        let after = times.partition_point(|&time| time <= until);
        Some(times[after.checked_sub(1)?])
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::replay_of;
    use crate::kernel::Nanos;

    /// Two datagrams come on CPU 0 while their reader is off the CPU; it comes back and takes them.
    const READER: &str = "
        1 ev __udp_enqueue_schedule_skb ts 1.000002 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000100 len 64
        2 ev sched_switch ts 1.000010 cpu 1 ctx kernel pid 534 prev_pid 534 prev_state R next_pid 9
        3 ev __udp_enqueue_schedule_skb ts 1.000020 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000200 len 64
        4 ev sched_switch ts 1.000500 cpu 1 ctx kernel pid 9 prev_pid 9 prev_state R next_pid 534
        5 ev __udp_enqueue_schedule_skb ts 1.000510 cpu 0 ctx softirq pid 0 sk ffff888007000000 skb ffff888005000300 len 64
        6 ev skb_consume_udp ts 1.000550 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000100 len 64 count 64
        7 ev skb_consume_udp ts 1.000560 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000200 len 64 count 64
        8 ev skb_consume_udp ts 1.000570 cpu 1 ctx kernel pid 534 sk ffff888007000000 skb ffff888005000300 len 64 count 64
    ";

    #[test]
    fn what_waits_for_a_reader_can_go_on_when_the_reader_has_the_cpu() {
        let replay = replay_of(READER);
        let frame = replay.at(Nanos(1_000_530_000), 0);
        let micros: Vec<f64> = frame.packets.ready.iter().map(|ns| ns / 1000.0).collect();
        // The first event is the start of the run: the reader is back 498 µs after it.
        assert_eq!(micros, [498.0, 498.0, 508.0]);
    }
}
