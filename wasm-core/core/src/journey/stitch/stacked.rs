//! Stacked devices: bridges, bonds, VLANs, tunnels. A packet passes the device layer once for each device when it is
//! sent and the core once for each when it is received, at one address. Also devices that a task reads
//! (`drivers/net/tun.c`): that task takes what was sent there, without reading a socket.

use std::collections::{BTreeMap, BTreeSet};

use super::Stitcher;
use super::packet::headers::LINK_HEADER;
use super::packet::order::Order;
use super::pairs::{NEARLY_ALL, Pairs, TOLD_OF_PAIRS};
use super::table::merges::Odd;
use super::tunnels::{TOLD_OF_TUNNELS, Tunnels, Unpacked, is_wireguard};
use crate::kernel::{AddrId, CpuId, Event, EventIdx, Field, PacketId, Probe, Probes};
use crate::run::Run;

/// Devices by what they do with packets, as name ids: those that send through another device, those that a task
/// reads, those that pass sent packets back, and those that pass them to another device of this host.
#[derive(Debug, Default)]
pub(super) struct Stacked {
    above: BTreeSet<u32>,
    read: BTreeSet<u32>,
    returning: BTreeSet<u32>,
    handing_over: BTreeSet<u32>,
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
                    sending.remove(&event.skb);
                    let function = run.field_name(index, Field::Location).unwrap_or("");
                    if let Some(&dev) = sent.get(&event.skb)
                        && READERS.iter().any(|reader| function.starts_with(reader))
                    {
                        found.read.insert(dev);
                    }
                }
                _ => {}
            }
        });
        found.unpacked = tunnels.found();
        found.above.extend(&found.unpacked.devices);
        found.handing_over = pairs.found(run);
        found.are_pairs_inferred = !passed.has(Probe::ConsumeSkb);
        if !found.are_pairs_inferred {
            found.returning = nearly_always(&returns.counts);
        }
        found
    }

    fn has(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.above.contains(&dev))
    }

    /// Whether a device passes what it sends to another device of this host.
    pub fn hands_over(&self, dev: Option<u32>) -> bool {
        dev.is_some_and(|dev| self.handing_over.contains(&dev))
    }

    /// Whether a copy of a packet sent by this device is that of the task that reads the device.
    pub fn is_read(&self, dev: Option<u32>, probe: Probe) -> bool {
        probe == Probe::SkbCopyDatagramIovec && dev.is_some_and(|dev| self.read.contains(&dev))
    }
}

/// An event and the device that it names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Passing {
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

/// Functions in which the readers of tun and tap devices free what they have copied (v6.12).
const READERS: [&str; 2] = ["tun_do_read", "tap_do_read"];

/// For how many packets of a device a property was seen, and for how many its opposite.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Told {
    pub yes: u32,
    pub no: u32,
}

impl Told {
    /// A few counterexamples may result from lost events.
    const fn is_nearly_always(self) -> bool {
        self.yes > self.no.saturating_mul(NEARLY_ALL)
    }
}

/// The devices for which the property was seen on nearly all packets.
pub(super) fn nearly_always(counts: &BTreeMap<u32, Told>) -> BTreeSet<u32> {
    let told = counts.iter().filter(|(_, told)| told.is_nearly_always());
    told.map(|(&dev, _)| dev).collect()
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
    counts: BTreeMap<u32, Told>,
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
        let told = self.counts.entry(by).or_default();
        told.yes += u32::from(is_back);
        told.no += u32::from(!is_back);
    }
}

/// Whether a packet sent with `sent` bytes may have `seen` bytes at its next event: only on sending is the link
/// header counted.
const fn is_as_long(sent: u32, seen: u32) -> bool {
    sent == seen || sent == seen.saturating_add(LINK_HEADER)
}

/// Whether it may have `seen` bytes at another device: unchanged, or within WireGuard's headers and a link header.
fn may_go_on(sent: u32, seen: u32) -> bool {
    let whole = seen.checked_sub(LINK_HEADER);
    is_as_long(sent, seen) || whole.is_some_and(|whole| is_wireguard(whole, sent))
}

/// Probes within `ndo_start_xmit` of a device that sends through another; they name no device. A tunnel sends by IP
/// (`net/ipv4/ip_tunnel_core.c: iptunnel_xmit`, v6.12), a VLAN passes the packet to the device layer.
const fn is_call_below(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::IpLocalOut | Probe::IpOutput | Probe::IpFinishOutput2 | Probe::DevQueueXmit
    )
}

/// Probes at which a packet may enter a device while it is in another.
const MAY_ENTER: Probes = Probes::of(&[
    Probe::NetDevQueue,
    Probe::QdiscEnqueue,
    Probe::NetDevStartXmit,
    Probe::NapiGroReceiveEntry,
    Probe::NetifRxEntry,
    Probe::NetifRx,
    Probe::NetifReceiveSkbEntry,
]);

impl Stitcher<'_> {
    /// Whether the packet continues at this event after a device that passes it back, or that encrypts it and sends
    /// it by IP, whose probe names no device.
    pub(super) fn comes_back(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.drafts[packet.at()];
        let is_back = Order::of(Probe::NetDevXmit) == Some(draft.order)
            && draft
                .dev
                .is_some_and(|by| self.stacked.returning.contains(&by));
        let len = event.known_len();
        match event.probe {
            _ if !is_back => false,
            // Before v6.6 a kprobe reports no length. Packets of other senders have passed `ip_send_skb` or
            // `__ip_queue_xmit` before.
            Probe::IpLocalOut => len.is_none_or(|len| is_wireguard(len, draft.bytes)),
            Probe::NetifReceiveSkbEntry | Probe::NetDevQueue => {
                let dev = self.run.field(index, Field::Dev);
                let is_other = dev.is_some() && dev != draft.dev;
                is_other && len.is_some_and(|len| may_go_on(draft.bytes, len))
            }
            _ => false,
        }
    }

    /// Counts a packet that is received on a device with the name of the one that sent it just before; legitimate for
    /// loopback only.
    pub(super) fn note_return(&mut self, packet: PacketId, index: EventIdx, order: Order) {
        let draft = &self.drafts[packet.at()];
        if draft.order != Order::DRIVER_SEND || order <= Order::ARRIVE {
            return;
        }
        let dev = self.run.field(index, Field::Dev);
        let is_one_name = dev.is_some() && dev == draft.dev;
        if is_one_name && self.run.field_name(index, Field::Dev) != Some("lo") {
            self.oddities.add(Odd::OneName, index);
        }
    }

    /// Whether the packet enters another device at this event without having left the previous one. The order of the
    /// probes cannot distinguish that from another packet at the same address.
    pub(super) fn enters_another_device(
        &self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
        order: Order,
    ) -> bool {
        if self.is_taken_up_apart(packet, index, event) {
            return true;
        }
        let draft = &self.drafts[packet.at()];
        let Some(last) = draft.entries.last().map(|entry| entry.event) else {
            return false;
        };
        let is_here =
            self.run.cpu[last.at()] == event.cpu && self.run.context[last.at()] == event.context;
        if is_here && is_call_below(event.probe) {
            return draft.order == Order::DRIVER_SEND && self.stacked.has(draft.dev);
        }
        if !is_here || !MAY_ENTER.has(event.probe) || draft.dev.is_none() {
            return false;
        }
        let dev = self.run.field(index, Field::Dev);
        if dev.is_none() || dev == draft.dev {
            return false;
        }
        let is_in_core = Order::NET_CORE <= draft.order && draft.order <= Order::TRANSPORT;
        match event.probe {
            // Called within `ndo_start_xmit` of the device above.
            Probe::NetDevQueue | Probe::QdiscEnqueue | Probe::NetDevStartXmit => {
                draft.order == Order::DRIVER_SEND
                    && Order::DEV_QUEUE <= order
                    && self.stacked.has(draft.dev)
            }
            // A tunnel device receives what it has decapsulated (`include/net/gro_cells.h: gro_cells_receive`,
            // v6.12). PPP puts it on its CPU's backlog (`drivers/net/ppp/ppp_generic.c: ppp_receive_nonmp_frame`,
            // v6.12).
            Probe::NapiGroReceiveEntry | Probe::NetifRxEntry | Probe::NetifRx => {
                self.may_be_unpacked(draft) && self.stacked.has(dev)
            }
            // A bridge receives frames for its host, or broadcast ones, while the core processes the port's frame
            // (`net/bridge/br_input.c: br_pass_frame_up`, v6.12).
            Probe::NetifReceiveSkbEntry => {
                let cpu = self.cpus.get(&event.cpu);
                is_in_core && cpu.is_none_or(|cpu| cpu.receiving.may_hold(packet, event))
            }
            _ => false,
        }
    }
}
