//! Who polls a device: the owner of its NAPI instance (`struct napi_struct`). There is one at a time.
//!
//! An interrupt schedules the instance, and the softirq of a CPU owns it until a poll finds no
//! more packets. A busy-polling reader may own it instead, and then releases it or passes it
//! on to the softirq. Each receive queue has an instance, and so has the backlog of each CPU.
//!
//! Source: `include/linux/netdevice.h: NAPI_STATE_SCHED, NAPI_STATE_IN_BUSY_POLL`, `net/core/dev.c:
//! napi_schedule_prep, napi_complete_done, napi_busy_loop, busy_poll_stop` (v6.1); the softirq's
//! part is as in `netif_rx_schedule_prep, netif_rx_complete` of v2.4.20 and v2.6.3.

use crate::engine::ids::TaskId;

/// The NAPI instance of a device.
#[derive(Debug, Clone, Copy, Default)]
pub struct Napi {
    poller: Poller,
}

/// Who owns an instance.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum Poller {
    /// Nobody: the device may interrupt.
    #[default]
    Nobody,
    /// The softirq of a CPU, with the instance on its `poll_list`.
    Softirq,
    /// A busy-polling reader (`NAPI_STATE_IN_BUSY_POLL`), whose current poll may take `budget` more packets.
    Reader { task: TaskId, budget: u32 },
}

impl Napi {
    /// Whether it is owned; the owner's next poll will find what arrives.
    pub fn is_taken(&self) -> bool {
        self.poller != Poller::Nobody
    }

    /// Whether a CPU's softirq owns it.
    pub fn is_scheduled(&self) -> bool {
        self.poller == Poller::Softirq
    }

    /// Whether this reader owns it.
    pub fn is_busy_polled_by(&self, reader: TaskId) -> bool {
        matches!(self.poller, Poller::Reader { task, .. } if task == reader)
    }

    /// `napi_schedule_prep`: the softirq takes the instance; false if it is owned already.
    pub fn schedule_prep(&mut self) -> bool {
        let is_free = !self.is_taken();
        if is_free {
            self.poller = Poller::Softirq;
        }
        is_free
    }

    /// The reader takes the instance for busy polling; false if it is owned already.
    pub fn begin_busy_poll(&mut self, task: TaskId) -> bool {
        let is_free = !self.is_taken();
        if is_free {
            self.poller = Poller::Reader { task, budget: 0 };
        }
        is_free
    }

    /// The reader that owns it begins a poll of at most `packets` packets.
    pub fn begin_poll(&mut self, packets: u32) {
        if let Poller::Reader { budget, .. } = &mut self.poller {
            *budget = packets;
        }
    }

    /// Whether the reader's current poll may take another packet.
    pub fn has_budget(&self) -> bool {
        matches!(self.poller, Poller::Reader { budget, .. } if budget > 0)
    }

    /// The reader's poll has taken a packet.
    pub fn took_packet(&mut self) {
        if let Poller::Reader { budget, .. } = &mut self.poller {
            *budget = budget.saturating_sub(1);
        }
    }

    /// The reader's last poll used up its budget: the softirq polls the rest (`busy_poll_stop`).
    pub fn hand_to_softirq(&mut self) {
        self.poller = Poller::Softirq;
    }

    /// The owner releases the instance (`napi_complete_done`).
    pub fn complete(&mut self) {
        self.poller = Poller::Nobody;
    }
}

#[cfg(test)]
mod tests {
    use crate::engine::ids::Id as _;

    use super::*;

    fn readers() -> [TaskId; 2] {
        [1, 2].map(TaskId::from_index)
    }

    #[test]
    fn one_alone_has_it_until_it_lets_go() {
        let ([one, two], mut napi) = (readers(), Napi::default());
        assert!(napi.schedule_prep());
        assert!(!napi.schedule_prep(), "it is polled already");
        assert!(!napi.begin_busy_poll(one), "the softirq has it");
        napi.complete();
        assert!(napi.begin_busy_poll(one));
        assert!(!napi.begin_busy_poll(two));
        assert!(!napi.schedule_prep(), "the reader will see the frames");
        assert!(napi.is_taken() && !napi.is_scheduled());
        assert!(napi.is_busy_polled_by(one) && !napi.is_busy_polled_by(two));
        napi.complete();
        assert!(napi.schedule_prep() && napi.is_scheduled());
    }

    #[test]
    fn a_reader_has_a_budget_for_each_of_its_polls() {
        let ([one, _], mut napi) = (readers(), Napi::default());
        napi.begin_busy_poll(one);
        assert!(!napi.has_budget(), "no poll has begun");
        napi.begin_poll(2);
        napi.took_packet();
        assert!(napi.has_budget());
        napi.took_packet();
        assert!(!napi.has_budget());
        napi.begin_poll(1);
        assert!(napi.has_budget(), "the next poll has its own");
    }

    #[test]
    fn the_softirqs_share_is_not_the_instances() {
        let mut napi = Napi::default();
        napi.schedule_prep();
        napi.begin_poll(8);
        assert!(!napi.has_budget(), "it counts in softnet_data");
    }
}
