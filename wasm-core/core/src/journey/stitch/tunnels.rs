//! Tunnels on the way up: what they have unpacked is taken up once more, at the same address, and is shorter by the
//! headers.
//!
//! Most have a device of their own, which takes it up on the CPU that received it. That of WireGuard takes it up where
//! it was decrypted, which may be another CPU (`drivers/net/wireguard/receive.c: wg_packet_decrypt_worker`,
//! `wg_packet_rx_poll`, v6.18). ESP in tunnel mode leaves the device as it is: the NAPI of `gro_cells`, which is no
//! NIC's, takes the packet up again (`net/xfrm/xfrm_input.c: xfrm_input`, v6.18). Only the report of the poll tells
//! that from a packet that the NIC received at an address which was free again: where no poll was recorded, the two
//! stay apart.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::Stitcher;
use super::draft::Draft;
use super::order::{IDLE_GAP, Order};
use super::stacked::{Passing, Told, nearly_always};
use crate::kernel::{AddrId, CpuId, Event, EventIdx, Field, PacketId, Probe, Probes};
use crate::run::Run;

/// What tells them: packets that are received, taken up, freed and sent on, and the reports of polls.
pub(super) const TOLD_OF_TUNNELS: Probes = Probes::of(&[
    Probe::NetifReceiveSkb,
    Probe::NapiGroReceive,
    Probe::NapiGroReceiveEntry,
    Probe::NetifRxEntry,
    Probe::NetifRx,
    Probe::ConsumeSkb,
    Probe::KfreeSkb,
    Probe::NetDevQueue,
    Probe::NapiPoll,
    Probe::LostEvents,
]);

/// Where what was unpacked is taken up: the functions, and the tracepoints behind them.
const TAKEN_UP: Probes = Probes::of(&[
    Probe::NapiGroReceive,
    Probe::NapiGroReceiveEntry,
    Probe::NetifRxEntry,
    Probe::NetifRx,
]);

/// What is told of tunnels.
#[derive(Debug, Default)]
pub(super) struct Unpacked {
    /// The names of the devices of tunnels that only receive.
    pub devices: BTreeSet<u32>,
    /// Those that take up what was decrypted, on whatever CPU.
    decrypting: BTreeSet<u32>,
    /// Where a packet that was unpacked is taken up, though the event itself does not tell it: at the device that
    /// received it, or where a function is called that tells neither device nor length.
    again: BTreeSet<EventIdx>,
}

/// Devices of tunnels that only receive. Nearly each packet that they take up was received by another device before,
/// at the same address, and is shorter by the headers of a tunnel. That before the first of a CPU, or before the first
/// after lines were lost, is not known.
#[derive(Debug, Default)]
pub(super) struct Tunnels {
    received: BTreeMap<AddrId, Received>,
    /// Those that `netif_rx_entry` told of just now: `netif_rx` tells it once more.
    entered: BTreeSet<AddrId>,
    /// The CPUs of which all is known since they received some packet.
    known: BTreeSet<CpuId>,
    /// By the device.
    counts: BTreeMap<u32, Told>,
    /// By the device, what was decrypted, if only on another CPU.
    decrypted: BTreeMap<u32, Told>,
    /// `napi_gro_receive` was called on a CPU for a packet; its tracepoint comes next and tells the device.
    called: BTreeMap<CpuId, (AddrId, EventIdx)>,
    /// The calls for what may have been unpacked, and for what may have been decrypted, by a device.
    unpacking: Vec<(u32, EventIdx)>,
    decrypting: Vec<(u32, EventIdx)>,
    again: Again,
}

impl Tunnels {
    pub fn take(&mut self, run: &Run, passing: &Passing) {
        let Passing { index, event, dev } = *passing;
        let Event {
            probe, skb, cpu, ..
        } = event;
        match (probe, dev) {
            (Probe::LostEvents, _) => {
                // What was on its way to another CPU is not known there either.
                self.known.clear();
                self.received.clear();
                self.entered.clear();
                self.again.forget();
            }
            (Probe::NapiPoll, _) => {
                let napi = run.field(index, Field::Napi).map(AddrId);
                self.again.poll(cpu, napi, dev);
            }
            (Probe::NetifReceiveSkb, Some(dev)) => {
                self.entered.remove(&skb);
                // That of the backlog is the poll that takes what came by `netif_rx`.
                self.again.poll_takes(cpu, skb);
                let len = event.known_len();
                self.received.insert(skb, Received { cpu, dev, len });
                self.known.insert(cpu);
            }
            (Probe::NapiGroReceive, _) => {
                self.called.insert(cpu, (skb, index));
            }
            (Probe::NetifRx, _) if self.entered.remove(&skb) => {}
            (Probe::NapiGroReceiveEntry | Probe::NetifRxEntry | Probe::NetifRx, Some(dev)) => {
                self.take_up(&event, index, dev);
            }
            _ => {
                self.entered.remove(&skb);
                self.received.remove(&skb);
                self.again.entered.remove(&skb);
            }
        }
    }

    fn take_up(&mut self, event: &Event, index: EventIdx, dev: u32) {
        let before = self.received.remove(&event.skb);
        let called = self.called.remove(&event.cpu);
        let call = called.filter(|&(skb, _)| skb == event.skb).map(|it| it.1);
        match event.probe {
            Probe::NapiGroReceiveEntry => {
                let at = Taken { index, call, dev };
                self.again.enter(event, at, before);
            }
            Probe::NetifRxEntry => {
                self.entered.insert(event.skb);
            }
            _ => {}
        }
        let (mut is_unpacked, mut is_decrypted) = (false, false);
        let before = before.filter(|before| before.dev != dev);
        if let Some(before) = before {
            let (Some(whole), Some(inner)) = (before.len, event.known_len()) else {
                return;
            };
            let Some(headers) = whole.checked_sub(inner) else {
                // It was put together of fragments meanwhile, of which one had this address.
                self.unpacking.extend(call.map(|call| (dev, call)));
                return;
            };
            is_unpacked = before.cpu == event.cpu && is_of_tunnel(event.probe, headers);
            is_decrypted = event.probe == Probe::NapiGroReceiveEntry && is_wireguard(whole, inner);
        }
        if let Some(call) = call {
            self.unpacking.extend(is_unpacked.then_some((dev, call)));
            self.decrypting.extend(is_decrypted.then_some((dev, call)));
        }
        let is_known = self.known.contains(&event.cpu);
        for (counts, is_it, is_other) in [
            // What was decrypted elsewhere speaks neither for another tunnel nor against it.
            (&mut self.counts, is_unpacked, !is_unpacked && !is_decrypted),
            (&mut self.decrypted, is_decrypted, !is_decrypted),
        ] {
            let told = counts.entry(dev).or_default();
            told.yes += u32::from(is_it);
            told.no += u32::from(is_other && is_known);
        }
    }

    pub fn found(self) -> Unpacked {
        let mut decrypting = nearly_always(&self.decrypted);
        // One may be another packet at an address that was free again.
        decrypting.retain(|dev| self.decrypted.get(dev).is_some_and(|told| told.yes > 1));
        let devices = nearly_always(&self.counts);
        let mut again = self.again.found;
        for (calls, devices) in [(self.unpacking, &devices), (self.decrypting, &decrypting)] {
            let taken = calls.iter().filter(|(dev, _)| devices.contains(dev));
            again.extend(taken.map(|&(_, call)| call));
        }
        Unpacked {
            devices,
            decrypting,
            again,
        }
    }
}

/// Where a packet was received, and how long it was there.
#[derive(Debug, Clone, Copy)]
struct Received {
    cpu: CpuId,
    dev: u32,
    len: Option<u32>,
}

/// Packets that another NAPI than the one which took them first takes up, on the same CPU. Its poll is reported for a
/// device of another name than both: that of `gro_cells` is a dummy (`net/xfrm/xfrm_input.c: xfrm_input_init`, v6.18).
/// The packet has the device that received it, or that of a VTI or XFRM interface.
#[derive(Debug, Default)]
struct Again {
    /// The NAPI that took a packet, once its poll was reported.
    entered: BTreeMap<AddrId, Option<Poll>>,
    /// What the poll that is under way on a CPU has taken.
    polled: BTreeMap<CpuId, Vec<AddrId>>,
    /// Of that, what may have been unpacked, with the poll that took it first.
    doubtful: BTreeMap<CpuId, Vec<(Taken, Poll)>>,
    found: BTreeSet<EventIdx>,
}

/// Where a packet is taken up: the event, the call that led to it where it was recorded, and the device.
#[derive(Debug, Clone, Copy)]
struct Taken {
    index: EventIdx,
    call: Option<EventIdx>,
    dev: u32,
}

/// A NAPI and the name of the device that its poll was reported for.
#[derive(Debug, Clone, Copy)]
struct Poll {
    napi: AddrId,
    dev: Option<u32>,
}

/// More packets than a poll takes at once: its budget is 64 (`include/linux/netdevice.h: NAPI_POLL_WEIGHT`, v6.18). Where
/// no polls are recorded, no more are remembered.
const MOST_POLLED: usize = 1024;

impl Again {
    fn enter(&mut self, event: &Event, at: Taken, before: Option<Received>) {
        let first = self.poll_takes(event.cpu, event.skb);
        if let (Some(before), Some(first)) = (before, first)
            && before.cpu == event.cpu
            && let (Some(whole), Some(inner)) = (before.len, event.known_len())
            && is_esp(whole, inner)
        {
            let doubtful = self.doubtful.entry(event.cpu).or_default();
            doubtful.push((at, first));
        }
    }

    /// The poll that is under way on a CPU takes a packet. By which it was taken before, if that was reported.
    fn poll_takes(&mut self, cpu: CpuId, skb: AddrId) -> Option<Poll> {
        let first = self.entered.insert(skb, None).flatten();
        let polled = self.polled.entry(cpu).or_default();
        if polled.len() < MOST_POLLED && polled.last() != Some(&skb) {
            polled.push(skb);
        }
        first
    }

    /// A poll is reported when it is over (`net/core/dev.c: __napi_poll`, v6.18).
    fn poll(&mut self, cpu: CpuId, napi: Option<AddrId>, of: Option<u32>) {
        let poll = napi.map(|napi| Poll { napi, dev: of });
        for skb in self.polled.remove(&cpu).unwrap_or_default() {
            if let Some(by) = self.entered.get_mut(&skb) {
                *by = poll;
            }
        }
        for (at, first) in self.doubtful.remove(&cpu).unwrap_or_default() {
            let is_other =
                poll.is_some_and(|poll| poll.napi != first.napi && poll.dev != first.dev);
            if is_other && of != Some(at.dev) {
                self.found.insert(at.index);
                self.found.extend(at.call);
            }
        }
    }

    fn forget(&mut self) {
        self.entered.clear();
        self.polled.clear();
        self.doubtful.clear();
    }
}

/// Whether a tunnel may have put so many bytes before a packet, and behind it.
fn is_of_tunnel(probe: Probe, bytes: u32) -> bool {
    let is_pppoe = probe != Probe::NapiGroReceiveEntry && bytes == PPPOE;
    is_pppoe
        || TUNNEL_HEADERS.contains(&bytes)
        || WIREGUARD.iter().any(|range| range.contains(&bytes))
}

/// What WireGuard puts around a packet: IPv4 (20) or IPv6 (40), UDP (8), its header (16) and tag (16), and what fills
/// the packet up to a multiple of 16 (`drivers/net/wireguard/messages.h: message_data`, v6.18).
const WIREGUARD: [RangeInclusive<u32>; 2] = [60..=75, 80..=95];

/// Whether WireGuard may have put the one packet around the other: it fills it up to a multiple of 16, but no further
/// than to the most that its device takes (`drivers/net/wireguard/send.c: calculate_skb_padding`, v6.18), which is no
/// less than IPv6 demands (RFC 8200 section 5).
pub(super) fn is_wireguard(whole: u32, inner: u32) -> bool {
    WIREGUARD.iter().any(|around| {
        let filled = whole.saturating_sub(*around.start());
        filled == inner.next_multiple_of(16)
            || filled >= LEAST_MTU.max(inner) && filled < inner.next_multiple_of(16)
    })
}

/// The least that a link of IPv6 takes at once (RFC 8200 section 5).
const LEAST_MTU: u32 = 1280;

/// Bytes that a tunnel puts before a packet: IPv4 (20) or IPv6 (40) and nothing, GRE (4, with a key 8), GRE with
/// Ethernet (18, 22), UDP, VXLAN or Geneve and Ethernet (30) (RFC 2003, 2890, 7348, 8926), or UDP, L2TP with the sublayer
/// that Linux has by default, and Ethernet (34) (RFC 3931 sections 4.1.2.1 and 4.6).
const TUNNEL_HEADERS: [u32; 14] = [20, 24, 28, 38, 42, 50, 54, 40, 44, 48, 58, 62, 70, 74];

/// What PPPoE puts before a packet: its header (6) and PPP's protocol (2) (RFC 2516 section 4).
const PPPOE: u32 = 8;

/// What ESP in tunnel mode puts around a packet, least: IPv4 (20), SPI and sequence number (8), an initialization
/// vector (8), the length of what fills up and the next header (2), and a check value (16), as AES-GCM has them (RFC
/// 4303 section 2, RFC 4106). Most: IPv6 (40), UDP (8), the vector (16), 15 to fill up a block, and the check value
/// (32) of the longest HMAC (RFC 4868).
const ESP: RangeInclusive<u32> = 54..=121;

/// Whether ESP may have put the one packet around the other: the whole ends on a word of 4 bytes (RFC 4303 section
/// 2.4).
fn is_esp(whole: u32, inner: u32) -> bool {
    ESP.contains(&whole.saturating_sub(inner)) && whole.is_multiple_of(4)
}

impl Stitcher<'_> {
    /// Whether a packet is where a tunnel takes the outer headers off it: in the core or in IP, or at a UDP socket that is
    /// the tunnel's (`net/ipv4/udp.c: udp_queue_rcv_one_skb` calls its `encap_rcv`, v6.12).
    pub(super) fn may_be_unpacked(&self, draft: &Draft) -> bool {
        let last = draft
            .entries
            .last()
            .map(|last| self.run.probe[last.event.at()]);
        let is_at_socket = matches!(last, Some(Probe::UdpQueueRcvSkb | Probe::UdpQueueRcvOneSkb));
        is_at_socket || Order::NET_CORE <= draft.order && draft.order <= Order::TRANSPORT
    }

    /// Whether the packet was unpacked and is taken up at this event, at the device that received it or on another CPU.
    pub(super) fn is_taken_up_apart(
        &self,
        packet: PacketId,
        index: EventIdx,
        event: &Event,
    ) -> bool {
        if !TAKEN_UP.has(event.probe) {
            return false;
        }
        let draft = &self.drafts[packet.at()];
        let Some(last) = draft.entries.last() else {
            return false;
        };
        let is_in_core = self.may_be_unpacked(draft);
        let is_at_once = event.time.since(self.run.time(last.event)) <= IDLE_GAP;
        if !is_in_core || !is_at_once {
            return false;
        }
        let unpacked = &self.stacked.unpacked;
        let dev = self.run.field(index, Field::Dev);
        let is_decrypted = event.probe == Probe::NapiGroReceiveEntry
            && dev != draft.dev
            && dev.is_some_and(|dev| unpacked.decrypting.contains(&dev))
            && event
                .known_len()
                .is_some_and(|inner| is_wireguard(draft.network_bytes, inner));
        is_decrypted
            || unpacked.again.contains(&index)
            || self.is_unpacked_in_hand(packet, index, event)
    }

    /// Whether the packet, which its CPU has in hand, was one of ESP: where its `sk_buff` is a clone, as that of an
    /// acknowledgement, it goes by `netif_rx` and not by `gro_cells` (`include/net/gro_cells.h: gro_cells_receive`, v6.1).
    /// What this host sends passes a device's queue first.
    fn is_unpacked_in_hand(&self, packet: PacketId, index: EventIdx, event: &Event) -> bool {
        let draft = &self.drafts[packet.at()];
        let dev = self.run.field(index, Field::Dev);
        let receiving = self.cpus.get(&event.cpu).map(|cpu| &cpu.receiving);
        matches!(event.probe, Probe::NetifRxEntry | Probe::NetifRx)
            && dev.is_some()
            && dev == draft.dev
            && receiving.is_some_and(|receiving| receiving.has_in_hand(packet, event))
            && event
                .known_len()
                .is_some_and(|inner| is_esp(draft.network_bytes, inner))
    }

    /// Where no free was recorded, that it is the packet which was unpacked is inferred.
    pub(super) fn note_taken_up(&mut self, packet: PacketId, index: EventIdx, event: &Event) {
        if self.is_taken_up_apart(packet, index, event) {
            let draft = &mut self.drafts[packet.at()];
            draft.is_unpacked = true;
            draft.is_inferred |= self.stacked.are_pairs_inferred;
        }
    }
}
