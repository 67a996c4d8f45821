//! Stacked devices: bridges, bonds, VLANs, tunnels. A packet passes the device layer once for each device when it is
//! sent, and the core once for each bridge or tunnel when it is received, at one address. Received by a bond or a VLAN it
//! has one event: that stands before `another_round` (`net/core/dev.c: __netif_receive_skb_core`, v6.18). Also devices that a task reads
//! (`drivers/net/tun.c`): that task takes what was sent there, without reading a socket.

use std::collections::{BTreeMap, BTreeSet};

use super::pairs::{NEARLY_ALL, Pairs, TOLD_OF_PAIRS};
use super::tunnels::{TOLD_OF_TUNNELS, Tunnels, Unpacked, is_wireguard};
use crate::journey::stitch::packet::headers::LINK_HEADER;
use crate::journey::stitch::packet::location::{freeing_function, is_of_device_reader};
use crate::kernel::{AddrId, CpuId, Event, EventIdx, Field, Probe, Probes};
use crate::run::Run;

/// Devices by what they do with packets, as name ids: those that send through another device, those that a task
/// reads, those that pass sent packets back, and those that pass them to another device of this host.
#[derive(Debug, Default)]
pub struct Stacked {
    pub above: BTreeSet<u32>,
    read: BTreeSet<u32>,
    pub returning: BTreeSet<u32>,
    handing_over: BTreeSet<u32>,
    /// Those of them that pass packets to a device of the same name in another network namespace.
    to_namesake: BTreeSet<u32>,
    /// Names that such a device and a NIC have, each in a network namespace of its own.
    shared: BTreeSet<u32>,
    /// Devices whose drivers copy what they send and free it at once, in the transmit function (`drivers/net/ethernet/
    /// realtek/8139too.c: rtl8139_start_xmit`, v6.18).
    copying: BTreeSet<u32>,
    /// The returns of transmit functions are recorded.
    pub are_returns_told: bool,
    pub unpacked: Unpacked,
    /// No free was recorded, so devices that pass packets on are distinguished from NICs by weaker evidence.
    pub are_pairs_inferred: bool,
}

impl Stacked {
    /// Finds these devices. A device sends through another if a packet given to it and not yet returned is queued at
    /// the other on the same CPU.
    pub fn of(run: &Run, passed: &Probes) -> Self {
        let mut found = Self::default();
        let mut sent: BTreeMap<AddrId, u32> = BTreeMap::new();
        let mut sending: BTreeMap<AddrId, (CpuId, u32)> = BTreeMap::new();
        let mut tunnels = Tunnels::default();
        let mut returns = Returns::default();
        let mut pairs = Pairs::of(passed);
        let mut freed_at_once: BTreeMap<u32, Tally> = BTreeMap::new();
        run.each(|index| {
            let probe = run.probe[index.at()];
            if !TOLD.has(probe) {
                return;
            }
            let passing = Passing::of(run, index);
            if TOLD_OF_TUNNELS.has(probe) {
                tunnels.take(run, &passing);
            }
            if TOLD_OF_RETURNS.has(probe) {
                returns.take(&passing);
            }
            if TOLD_OF_PAIRS.has(probe) {
                pairs.take(run, &passing);
            }
            let Passing { event, dev, .. } = passing;
            match probe {
                Probe::NetDevStartXmit => {
                    if let Some(dev) = dev {
                        sending.insert(event.skb, (event.cpu, dev));
                        sent.insert(event.skb, dev);
                    }
                }
                Probe::NetDevQueue => {
                    let upper = sending.get(&event.skb);
                    if let (Some(&(on, upper)), Some(dev)) = (upper, dev)
                        && on == event.cpu
                        && upper != dev
                    {
                        found.above.insert(upper);
                    }
                }
                Probe::NetDevXmit
                | Probe::NetifRx
                | Probe::NetifRxEntry
                | Probe::ConsumeSkb
                | Probe::KfreeSkb => {
                    if let Some((on, dev)) = sending.remove(&event.skb)
                        && on == event.cpu
                    {
                        let tally = freed_at_once.entry(dev).or_default();
                        tally.yes += u32::from(probe == Probe::KfreeSkb);
                        tally.no += u32::from(probe != Probe::KfreeSkb);
                    }
                    if let Some(&dev) = sent.get(&event.skb)
                        && freeing_function(run, index).is_some_and(is_of_device_reader)
                    {
                        found.read.insert(dev);
                    }
                }
                _ => {}
            }
        });
        found.unpacked = tunnels.found();
        found.above.extend(&found.unpacked.devices);
        found.shared = pairs.shared();
        found.to_namesake = pairs.to_namesake();
        found.handing_over = pairs.found(run);
        found.copying = nearly_always(&freed_at_once);
        found.are_returns_told = passed.has(Probe::NetDevXmit);
        found.are_pairs_inferred = !passed.has(Probe::ConsumeSkb);
        if !found.are_pairs_inferred {
            found.returning = nearly_always(&returns.counts);
        }
        found
    }

    pub fn has(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.above.contains(&dev))
    }

    /// Whether a device passes what it sends to another device of this host.
    pub fn hands_over(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.handing_over.contains(&dev))
    }

    /// Whether a device passes what it sends to another device of this host that has the same name.
    pub fn hands_to_namesake(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.to_namesake.contains(&dev))
    }

    /// Whether a NIC has the same name, so that of each packet only its next event tells which of them sent it.
    pub fn is_shared(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.shared.contains(&dev))
    }

    /// Whether the driver of a device frees what it sends at once, and not when it is on the link.
    pub fn frees_at_once(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.copying.contains(&dev))
    }

    /// Whether a copy of a packet sent by this device is that of the task that reads the device.
    pub fn is_read(&self, dev: Option<u32>, probe: Probe) -> bool {
        probe == Probe::SkbCopyDatagramIovec && dev.is_some_and(|dev| self.read.contains(&dev))
    }
}

/// An event and the device that it names.
#[derive(Debug, Clone, Copy)]
pub struct Passing {
    pub index: EventIdx,
    pub event: Event,
    pub dev: Option<u32>,
}

impl Passing {
    fn of(run: &Run, index: EventIdx) -> Self {
        Self {
            index,
            event: run.event(index),
            dev: run.field(index, Field::Dev),
        }
    }
}

/// The probes that reveal anything about devices.
const TOLD: Probes = TOLD_OF_TUNNELS.with(&TOLD_OF_RETURNS).with(&TOLD_OF_PAIRS);

/// For how many packets of a device a property was seen, and for how many its opposite.
#[derive(Debug, Default, Clone, Copy)]
pub struct Tally {
    pub yes: u32,
    pub no: u32,
}

impl Tally {
    /// A few counterexamples may result from lost events.
    const fn is_nearly_always(self) -> bool {
        self.yes > self.no.saturating_mul(NEARLY_ALL)
    }
}

/// The devices for which the property was seen on nearly all packets.
pub fn nearly_always(counts: &BTreeMap<u32, Tally>) -> BTreeSet<u32> {
    let tally = counts.iter().filter(|(_, tally)| tally.is_nearly_always());
    tally.map(|(&dev, _)| dev).collect()
}

/// The probes that reveal devices which pass packets back: sending, receiving or sending again, freeing.
const TOLD_OF_RETURNS: Probes = Probes::of(&[
    Probe::NetDevStartXmit,
    Probe::NetifRxEntry,
    Probe::NetifRx,
    Probe::NetDevXmit,
    Probe::NetifReceiveSkbEntry,
    Probe::NetDevQueue,
    Probe::ConsumeSkb,
    Probe::KfreeSkb,
]);

/// Devices after which a packet continues. An intermediate device (ifb), to which `mirred` redirects packets, passes
/// each back to the device from which it was redirected (`drivers/net/ifb.c: ifb_ri_tasklet`, v6.18), and WireGuard's
/// worker sends what it has encrypted (`drivers/net/wireguard/send.c: wg_packet_tx_worker`, v6.18). Other devices
/// free what they sent.
#[derive(Debug, Default)]
struct Returns {
    /// For each packet the device, its length there in bytes, and whether the transmit function has returned.
    sent: BTreeMap<AddrId, (u32, u32, bool)>,
    /// By device, whether its packets continue.
    counts: BTreeMap<u32, Tally>,
}

impl Returns {
    fn take(&mut self, passing: &Passing) {
        let Event {
            probe, skb, len, ..
        } = passing.event;
        let dev = passing.dev;
        match (probe, dev) {
            (Probe::NetDevStartXmit, Some(dev)) => {
                self.sent.insert(skb, (dev, len, false));
                return;
            }
            // Passed to the other end of a veth pair.
            (Probe::NetifRxEntry | Probe::NetifRx, _) => {
                self.sent.remove(&skb);
                return;
            }
            (Probe::NetDevXmit, _) => {
                if let Some((.., has_left)) = self.sent.get_mut(&skb) {
                    *has_left = true;
                }
                return;
            }
            _ => {}
        }
        let Some((by, bytes, true)) = self.sent.remove(&skb) else {
            return;
        };
        let is_back = dev.is_some_and(|dev| dev != by) && may_go_on(bytes, len);
        let tally = self.counts.entry(by).or_default();
        tally.yes += u32::from(is_back);
        tally.no += u32::from(!is_back);
    }
}

/// Whether a packet sent with `sent` bytes may have `seen` bytes at its next event: only on sending is the link
/// header counted.
pub const fn is_as_long(sent: u32, seen: u32) -> bool {
    sent == seen || sent == seen.saturating_add(LINK_HEADER)
}

/// Whether it may have `seen` bytes at another device: unchanged, or within WireGuard's headers and a link header.
pub fn may_go_on(sent: u32, seen: u32) -> bool {
    let whole = seen.checked_sub(LINK_HEADER);
    is_as_long(sent, seen) || whole.is_some_and(|whole| is_wireguard(whole, sent))
}
