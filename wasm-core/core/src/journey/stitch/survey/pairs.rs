//! Devices that pass what they send to another device of this host: one end of a veth pair to the other, one macvlan to
//! another, loopback to itself. The packet is received there at the same address, without its link header, on the CPU
//! that sent it (`drivers/net/veth.c: veth_xmit`, `veth_forward_skb`, v6.18) or that RPS chose. It has not left by a
//! NIC.
//!
//! With `net_dev_start_xmit` and `netif_rx` recorded, their order shows this (`packet::order::can_follow`). Without one
//! of them the device must be recognised as such, because a NIC driver frees addresses that arriving packets then
//! reuse. Without those frees recorded, the NICs of a router look like a pair. A device then counts as one only if
//! packets that a task sends by it are received by the other device in the softirq on top of that task; if it is the
//! peer of such a device; or if no driver can have freed anything in between: no poll, no other packet given to this
//! driver, and no softirq but `NET_RX`. Packets followed across such a device are marked as inferred.
//!
//! Both ends may have one name, each in a network namespace of its own, and then look like one NIC that gives back
//! addresses. Only recorded frees tell those apart.

use std::collections::{BTreeMap, BTreeSet};

use super::stacked::Passing;
use crate::journey::stitch::packet::headers::LINK_HEADER;
use crate::kernel::field::NET_RX;
use crate::kernel::{AddrId, Context, CpuId, Event, EventIdx, Field, NameId, Pid, Probe, Probes};
use crate::run::Run;

/// The probes used to recognise them: sending, receiving, freeing.
pub const TOLD_OF_PAIRS: Probes = Probes::of(&[
    Probe::NetDevQueue,
    Probe::NetDevStartXmit,
    Probe::NetDevXmit,
    Probe::NetifRxEntry,
    Probe::NetifRx,
    Probe::NapiGroReceiveEntry,
    Probe::NetifReceiveSkb,
    Probe::ConsumeSkb,
    Probe::KfreeSkb,
    Probe::NapiPoll,
    Probe::SoftirqEntry,
    Probe::LostEvents,
]);

/// Required ratio of a device's packets that are received by another device to those with another next event. The
/// latter may result from lost events.
pub const NEARLY_ALL: u32 = 8;

/// Counts about the devices while the events of a run are read.
#[derive(Debug, Default)]
pub struct Pairs {
    sent: BTreeMap<AddrId, Sent>,
    counts: BTreeMap<u32, Count>,
    /// `consume_skb` is not recorded, so the frees of NIC drivers are invisible.
    are_frees_unseen: bool,
    /// Polls and softirqs, in which drivers free what they sent, are recorded.
    are_polls_told: bool,
    /// The last event after which any driver may have freed what it sent; and for each device the last event that
    /// gave its own driver a packet.
    freeing: Option<EventIdx>,
    given: BTreeMap<u32, EventIdx>,
    /// By what devices the packets were sent that each CPU freed in a softirq, since its last poll ended.
    freed: BTreeMap<CpuId, Vec<u32>>,
}

/// A packet that is being sent.
#[derive(Debug, Clone, Copy)]
struct Sent {
    dev: u32,
    bytes: u32,
    cpu: CpuId,
    /// The sending task; `None` for a softirq, which replies or forwards.
    by: Option<Pid>,
    /// The driver's transmit function has returned (`net_dev_xmit`).
    is_out: bool,
    /// It has been received on another device.
    has_come: bool,
    /// Its last event.
    told: EventIdx,
}

/// How many packets of a device were received on another, and how many had another next event.
#[derive(Debug, Default)]
struct Count {
    coming: u32,
    others: u32,
    /// Those of `coming` that were received on a device of the same name.
    by_namesake: u32,
    /// Packets received on another device that no task sent, where frees are invisible.
    untold: u32,
    /// Packets received on another device that the driver cannot have freed before, and those that it can.
    kept: u32,
    doubtful: u32,
    /// The device on which the last of them was received.
    by: Option<u32>,
    /// Packets that were not received and that a poll of a device of this name freed.
    polled: u32,
}

impl Count {
    /// Whether the other end has the same name. A NIC may give single addresses back without an event.
    const fn is_of_namesake(&self) -> bool {
        self.are_nearly_all(self.by_namesake)
    }

    /// Whether these are nearly all packets of the name, but those that a NIC of that name sent: its polls freed them. Of
    /// a NIC's a few may come in again by chance, where lines were lost.
    const fn are_nearly_all(&self, coming: u32) -> bool {
        let others = self.others.saturating_sub(self.polled);
        let are_enough = self.polled == 0 || coming >= NEARLY_ALL;
        are_enough && coming > others.saturating_mul(NEARLY_ALL)
    }
}

impl Pairs {
    pub fn of(passed: &Probes) -> Self {
        Self {
            are_frees_unseen: !passed.has(Probe::ConsumeSkb),
            are_polls_told: passed.has(Probe::NapiPoll) && passed.has(Probe::SoftirqEntry),
            ..Self::default()
        }
    }

    pub fn take(&mut self, run: &Run, passing: &Passing) {
        let Passing { index, event, dev } = *passing;
        let skb = event.skb;
        if event.probe == Probe::NapiPoll {
            let freed = self.freed.remove(&event.cpu).unwrap_or_default();
            for by in freed.into_iter().filter(|&by| Some(by) == dev) {
                self.counts.entry(by).or_default().polled += 1;
            }
        }
        match (event.probe, dev) {
            (Probe::NapiPoll | Probe::LostEvents, _) => self.freeing = Some(index),
            (Probe::SoftirqEntry, _) => {
                if run.field(index, Field::Vec) != Some(NET_RX) {
                    self.freeing = Some(index);
                }
            }
            (Probe::NetDevQueue | Probe::NetDevStartXmit | Probe::NetDevXmit, Some(dev)) => {
                self.send(index, &event, dev);
            }
            (
                Probe::NetifRxEntry
                | Probe::NetifRx
                | Probe::NapiGroReceiveEntry
                | Probe::NetifReceiveSkb,
                Some(dev),
            ) => {
                if let Some(sent) = self.sent.remove(&skb) {
                    self.come(sent, &event, dev);
                    let has_come = true;
                    self.sent.insert(skb, Sent { has_come, ..sent });
                }
            }
            _ => {
                if let Some(sent) = self.sent.remove(&skb) {
                    let is_by_driver = event.probe == Probe::ConsumeSkb && sent.is_out;
                    if is_by_driver && !sent.has_come && event.context == Context::Softirq {
                        self.freed.entry(event.cpu).or_default().push(sent.dev);
                    }
                    self.miss(sent);
                }
            }
        }
    }

    fn send(&mut self, index: EventIdx, event: &Event, dev: u32) {
        let (skb, is_out) = (event.skb, event.probe == Probe::NetDevXmit);
        let sent = Sent {
            dev,
            bytes: event.len,
            cpu: event.cpu,
            by: (event.context == Context::Kernel).then_some(event.pid),
            is_out,
            has_come: false,
            told: index,
        };
        if event.probe != Probe::NetDevQueue {
            self.given.insert(dev, index);
        }
        match self.sent.remove(&skb) {
            // The packet was received before the transmit function of the pair returns.
            Some(before) if is_out && before.has_come && before.dev == dev => {}
            // A device stacked on the sending one returns last.
            Some(before) if is_out && before.dev != dev && !before.has_come => {
                self.miss(sent);
                self.sent.insert(skb, before);
            }
            before => {
                if let Some(before) = before.filter(|_| !is_out) {
                    self.miss(before);
                }
                self.counts.entry(dev).or_default();
                self.sent.insert(skb, sent);
            }
        }
    }

    fn come(&mut self, sent: Sent, event: &Event, dev: u32) {
        if sent.has_come {
            return;
        }
        let is_namesake = dev == sent.dev;
        let is_it = !(is_namesake && self.are_frees_unseen) && is_shorter(sent.bytes, event.len);
        let is_entry = matches!(event.probe, Probe::NetifRxEntry | Probe::NetifRx);
        // Drivers free sent packets in their polls, in softirqs other than `NET_RX` (`net/core/dev.c: net_tx_action`,
        // v6.18), and when they are given the next packet.
        let given = self.given.get(&sent.dev);
        let may_be_freed =
            self.freeing > Some(sent.told) || given.is_some_and(|&given| given > sent.told);
        let count = self.counts.entry(sent.dev).or_default();
        if is_it && self.are_frees_unseen && !is_entry {
            count.by = Some(dev);
            // RPS has another CPU receive the packet (`net/core/dev.c: netif_rx_internal`, v6.18); without frees that
            // proves nothing. The softirq that `local_bh_enable` of the sending task runs is on its own CPU
            // (`net/core/dev.c: __dev_queue_xmit`, v6.18).
            if event.cpu != sent.cpu {
                return;
            }
            if event.context == Context::Softirq && sent.by == Some(event.pid) {
                count.coming += 1;
            } else if sent.by.is_none() {
                count.untold += 1;
            }
            if event.probe == Probe::NapiGroReceiveEntry && self.are_polls_told {
                count.kept += u32::from(!may_be_freed);
                count.doubtful += u32::from(may_be_freed);
            }
        } else if is_it {
            count.coming += 1;
            count.by_namesake += u32::from(is_namesake);
        } else {
            count.others += 1;
        }
    }

    /// Another event follows at the address of a packet that was sent.
    fn miss(&mut self, sent: Sent) {
        if sent.is_out && !sent.has_come {
            self.counts.entry(sent.dev).or_default().others += 1;
        }
    }

    /// The names that a NIC and a device that passes packets on have, in two network namespaces: `eth0` of a host and of
    /// its containers. The NIC's poll frees what it sent.
    pub fn shared(&self) -> BTreeSet<u32> {
        let passes_on = |count: &Count| count.coming > count.by_namesake || count.is_of_namesake();
        let is_shared = |&(_, count): &(&u32, &Count)| passes_on(count) && count.polled > 0;
        let shared = self.counts.iter().filter(is_shared);
        shared.map(|(&dev, _)| dev).collect()
    }

    /// The names of devices that pass packets to a device of the same name, in another network namespace.
    pub fn to_namesake(&self) -> BTreeSet<u32> {
        let found = self.counts.iter().filter(|(_, it)| it.is_of_namesake());
        found.map(|(&dev, _)| dev).collect()
    }

    /// The devices that pass packets to another device of this host, as name ids.
    pub fn found(self, run: &Run) -> BTreeSet<u32> {
        let is_it = |&(&dev, count): &(&u32, &Count)| {
            let is_kept = count.kept > count.doubtful && count.are_nearly_all(count.kept);
            count.are_nearly_all(count.coming) || is_kept || run.names.text(NameId(dev)) == LOOPBACK
        };
        let counts = self.counts.iter().filter(is_it);
        let mut found: BTreeSet<u32> = counts.map(|(&dev, _)| dev).collect();
        // The other end of a pair, by which tasks may have sent nothing.
        let is_other_end = |&(dev, count): &(&u32, &Count)| {
            let hands_to = count.by.filter(|by| found.contains(by));
            let back = hands_to.and_then(|by| self.counts.get(&by)?.by);
            back == Some(*dev) && count.are_nearly_all(count.untold)
        };
        let others = self.counts.iter().filter(is_other_end);
        let others: Vec<u32> = others.map(|(&dev, _)| dev).collect();
        found.extend(others);
        found
    }
}

/// The name of the loopback device.
pub const LOOPBACK: &str = "lo";

/// Whether `seen` is `sent` without the link header, in bytes.
pub fn is_shorter(sent: u32, seen: u32) -> bool {
    seen.checked_add(LINK_HEADER) == Some(sent)
}
