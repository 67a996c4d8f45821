//! Tunnels on the receive path: a decapsulated packet is received once more, at the same address and shorter by the
//! tunnel's headers.
//!
//! Most tunnels have their own device, which receives the packet on the same CPU. WireGuard receives it where it was
//! decrypted, possibly on another CPU (`drivers/net/wireguard/receive.c: wg_packet_decrypt_worker`,
//! `wg_packet_rx_poll`, v6.18). ESP in tunnel mode keeps the device: the NAPI of `gro_cells`, which belongs to no
//! NIC, receives the packet again (`net/xfrm/xfrm_input.c: xfrm_input`, v6.18). Only the `napi_poll` event
//! distinguishes that from a new packet at a reused address; without it the two are not joined.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;

use super::stacked::{Passing, Told, nearly_always};
use crate::kernel::{AddrId, CpuId, Event, EventIdx, Field, Probe, Probes};
use crate::run::Run;

/// The probes that reveal tunnels: receiving, freeing, sending, and polls.
pub const TOLD_OF_TUNNELS: Probes = Probes::of(&[
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

/// Probes at which a decapsulated packet is received again: the functions, and the tracepoints in them.
pub const TAKEN_UP: Probes = Probes::of(&[
    Probe::NapiGroReceive,
    Probe::NapiGroReceiveEntry,
    Probe::NetifRxEntry,
    Probe::NetifRx,
]);

/// What is known about tunnels.
#[derive(Debug, Default)]
pub struct Unpacked {
    /// The name ids of receiving tunnel devices.
    pub devices: BTreeSet<u32>,
    /// Devices that receive decrypted packets, on any CPU.
    pub decrypting: BTreeSet<u32>,
    /// Events at which a decapsulated packet is received again although the event alone does not show it: on the
    /// device that received it first, or at a function whose probe reports neither device nor length.
    pub again: BTreeSet<EventIdx>,
}

/// Detects receiving tunnel devices. Nearly every packet that such a device receives was received by another device
/// before, at the same address, and is shorter by a tunnel's headers. What precedes a CPU's first event, or its first
/// after lost events, is unknown.
#[derive(Debug, Default)]
pub struct Tunnels {
    received: BTreeMap<AddrId, Received>,
    /// Packets of the latest `netif_rx_entry` events; `netif_rx` reports each again.
    entered: BTreeSet<AddrId>,
    /// The CPUs with a complete record since they received some packet.
    known: BTreeSet<CpuId>,
    /// By device, whether its packets were decapsulated.
    counts: BTreeMap<u32, Told>,
    /// By device, whether its packets were decrypted, possibly on another CPU.
    decrypted: BTreeMap<u32, Told>,
    /// By CPU, a call of `napi_gro_receive` for a packet; its tracepoint follows and reports the device.
    called: BTreeMap<CpuId, (AddrId, EventIdx)>,
    /// By device, the calls for packets that may have been decapsulated; and for those that may have been decrypted.
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
                // Packets on their way to another CPU are unknown there too.
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
                // For the backlog device, the poll that takes what `netif_rx` queued.
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
                // It was reassembled in between, and one of its fragments had this address.
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
            // A packet decrypted on another CPU is evidence neither for nor against another kind of tunnel.
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
        // A single one may be another packet at a reused address.
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

/// The CPU and device that received a packet, and its length in bytes there.
#[derive(Debug, Clone, Copy)]
struct Received {
    cpu: CpuId,
    dev: u32,
    len: Option<u32>,
}

/// Packets that a second NAPI receives after the first, on the same CPU. The second poll is reported for a device of
/// a name that differs from both: the device of `gro_cells` is a dummy (`net/xfrm/xfrm_input.c: xfrm_input_init`,
/// v6.18). The packet keeps the device that received it, or gets that of a VTI or XFRM interface.
#[derive(Debug, Default)]
struct Again {
    /// The poll that took a packet, once that poll was reported.
    entered: BTreeMap<AddrId, Option<Poll>>,
    /// The packets taken by the current poll of each CPU.
    polled: BTreeMap<CpuId, Vec<AddrId>>,
    /// Those of them that may have been decapsulated, with the poll that took them first.
    doubtful: BTreeMap<CpuId, Vec<(Taken, Poll)>>,
    found: BTreeSet<EventIdx>,
}

/// Where a packet is received again: the event, the call that led to it if recorded, and the device.
#[derive(Debug, Clone, Copy)]
struct Taken {
    index: EventIdx,
    call: Option<EventIdx>,
    dev: u32,
}

/// A NAPI and the name id of the device for which its poll was reported.
#[derive(Debug, Clone, Copy)]
struct Poll {
    napi: AddrId,
    dev: Option<u32>,
}

/// Above the number of packets in one poll, whose budget is 64 (`include/linux/netdevice.h: NAPI_POLL_WEIGHT`,
/// v6.18). It also bounds the list where no polls are recorded.
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

    /// The current poll of a CPU takes a packet. Returns the poll that took it before, if reported.
    fn poll_takes(&mut self, cpu: CpuId, skb: AddrId) -> Option<Poll> {
        let first = self.entered.insert(skb, None).flatten();
        let polled = self.polled.entry(cpu).or_default();
        if polled.len() < MOST_POLLED && polled.last() != Some(&skb) {
            polled.push(skb);
        }
        first
    }

    /// A poll is reported at its end (`net/core/dev.c: __napi_poll`, v6.18).
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

/// Whether a tunnel may have added this number of bytes to a packet.
fn is_of_tunnel(probe: Probe, bytes: u32) -> bool {
    let is_pppoe = probe != Probe::NapiGroReceiveEntry && bytes == PPPOE;
    is_pppoe
        || TUNNEL_HEADERS.contains(&bytes)
        || WIREGUARD.iter().any(|range| range.contains(&bytes))
}

/// Bytes that WireGuard adds to a packet: IPv4 (20) or IPv6 (40), UDP (8), its header (16) and tag (16), and padding
/// to a multiple of 16 (`drivers/net/wireguard/messages.h: message_data`, v6.18).
const WIREGUARD: [RangeInclusive<u32>; 2] = [60..=75, 80..=95];

/// Whether `whole` may be `inner` encapsulated by WireGuard. The padding is to a multiple of 16 bytes, limited by the
/// device's MTU (`drivers/net/wireguard/send.c: calculate_skb_padding`, v6.18), which is no less than IPv6 requires
/// (RFC 8200 section 5).
pub fn is_wireguard(whole: u32, inner: u32) -> bool {
    WIREGUARD.iter().any(|around| {
        let filled = whole.saturating_sub(*around.start());
        filled == inner.next_multiple_of(16)
            || filled >= LEAST_MTU.max(inner) && filled < inner.next_multiple_of(16)
    })
}

/// The minimum MTU of an IPv6 link in bytes (RFC 8200 section 5).
const LEAST_MTU: u32 = 1280;

/// Bytes that a tunnel adds before a packet: IPv4 (20) or IPv6 (40) plus nothing, GRE (4, with key 8), GRE with
/// Ethernet (18, 22), UDP, VXLAN or Geneve and Ethernet (30) (RFC 2003, 2890, 7348, 8926), or UDP, L2TP with Linux's
/// default sublayer, and Ethernet (34) (RFC 3931 sections 4.1.2.1 and 4.6).
const TUNNEL_HEADERS: [u32; 14] = [20, 24, 28, 38, 42, 50, 54, 40, 44, 48, 58, 62, 70, 74];

/// Bytes that PPPoE adds before a packet: its header (6) and the PPP protocol (2) (RFC 2516 section 4).
const PPPOE: u32 = 8;

/// Bytes that ESP in tunnel mode adds to a packet. At least: IPv4 (20), SPI and sequence number (8), initialization
/// vector (8), pad length and next header (2) and integrity check value (16), as with AES-GCM (RFC 4303 section 2,
/// RFC 4106). At most: IPv6 (40), UDP (8), vector (16), 15 bytes of padding, and the check value (32) of the longest
/// HMAC (RFC 4868).
const ESP: RangeInclusive<u32> = 54..=121;

/// Whether `whole` may be `inner` encapsulated by ESP: its length is a multiple of 4 bytes (RFC 4303 section 2.4).
pub fn is_esp(whole: u32, inner: u32) -> bool {
    ESP.contains(&whole.saturating_sub(inner)) && whole.is_multiple_of(4)
}
