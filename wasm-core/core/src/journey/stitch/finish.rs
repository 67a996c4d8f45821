//! From drafts to the table of journeys: final verdicts, stays, flows, order.

use std::collections::BTreeMap;

use super::Stitcher;
use super::flows::{Flows, is_without_ports};
use super::packet::draft::{Draft, Entry};
use super::packet::headers::TCP;
use super::packet::order::Order;
use super::table::merges::{Anomalies, Anomaly};
use crate::journey::{Journeys, Packet, Stay};
use crate::kernel::{DropReason, Nanos, PacketId, Station, Verdict};
use crate::run::Run;
use crate::{blocks, order};

impl Stitcher<'_> {
    /// The finished table, sorted by start.
    pub(super) fn finish(mut self) -> Journeys {
        self.leave_raw();
        self.purge_with_sockets();
        self.leave_repeated();
        self.keep_parts();
        self.confirm_unread();
        self.leave_in_reassembly();
        self.suppose_acknowledgements();
        self.leave_shares();
        self.forget_ports();
        self.share_flows();
        self.share_flows_of_pieces();
        self.share_flows_of_answers();
        let count = self.table.len();
        blocks::each(count, |packet| self.decide(PacketId(packet as u32)));
        let run = self.run;
        let mut order: Vec<PacketId> = self.table.packets().collect();
        order.retain(|&old| !self.table[old].entries.is_empty());
        blocks::each(count, |packet| {
            let draft = &mut self.table[PacketId(packet as u32)];
            order::sort_by_key(&mut draft.entries, |entry| {
                (run.time(entry.event), entry.event)
            });
        });
        order.sort_by_key(|&old| {
            let first = self.table[old].entries[0].event;
            (run.time(first), first, old)
        });
        let mut new_of = vec![PacketId::NONE; count];
        for (new, &old) in order.iter().enumerate() {
            new_of[old.at()] = PacketId(new as u32);
        }
        let renumber =
            |packet: PacketId| new_of.get(packet.at()).copied().unwrap_or(PacketId::NONE);

        let mut flows = Flows::of(run, self.table.drafts());
        let mut journeys = Journeys {
            groups: self.fragments.take_groups(),
            packet_of: self
                .table
                .packet_of()
                .iter()
                .map(|&packet| renumber(packet))
                .collect(),
            ..Journeys::default()
        };
        for group in &mut journeys.groups {
            group.whole = renumber(group.whole);
        }
        let mut anomalies = self.table.take_anomalies();
        blocks::each(order.len(), |new| {
            let old = order[new];
            let draft = &self.table[old];
            let anomalies = &mut anomalies;
            let row = pack(run, draft, &mut journeys, &mut flows, anomalies, &renumber);
            journeys.packets.push(row);
            if self.udp.is_ambiguous(old) && draft.outcome.verdict == Verdict::Open {
                journeys.ambiguous.insert(PacketId(new as u32));
            }
            if draft.outcome.is_call_unknown && draft.outcome.is_delivered() {
                journeys.unknown_calls.insert(PacketId(new as u32));
            }
            if let Some(before) = self.tcp.read_before(old, draft) {
                journeys.read_before.insert(PacketId(new as u32), before);
            }
        });
        journeys.warnings = anomalies.told(run);
        journeys.flows = flows.list;
        journeys
    }

    /// Events may report ports of protocols that have none.
    fn forget_ports(&mut self) {
        let drafts = self.table.drafts_mut().iter_mut();
        for draft in drafts.filter(|draft| is_without_ports(draft)) {
            (draft.flow.source_port, draft.flow.destination_port) = (0, 0);
        }
    }

    /// Sets the verdict of a packet that no event ended.
    fn decide(&mut self, packet: PacketId) {
        let has_streams = self.tcp.has_observed();
        let is_lost = self.table.is_lost(packet);
        let is_sent = self.has_left(&self.table[packet]);
        let draft = &mut self.table[packet];
        if let Verdict::Dropped { reason } = draft.outcome.verdict {
            reach_what_refused(draft, reason);
        }
        if draft.outcome.verdict != Verdict::Open {
            return;
        }
        // A segment with data would have passed `tcp_queue_rcv`, which this recording includes.
        let is_unread = self.tcp.infers_reads() && draft.is_probed && draft.payload > 0;
        let had_no_data = !is_unread
            && (draft.is_acknowledging
                || (draft.flow.protocol == TCP && draft.order >= Order::TRANSPORT && has_streams));
        // TCP has not processed the packet yet.
        let waits_for_tcp = !draft.is_superseded
            && match draft.station() {
                Some(Station::Prequeue) => true,
                Some(Station::SocketBacklog) => draft.queues.backlog.is_some(),
                _ => false,
            };
        // Without that probe: only a segment with data stays in TCP after it was processed.
        let ends_in_tcp =
            self.tcp.infers_reads() && draft.order >= Order::NET_CORE && draft.is_bare_segment();
        // It continued as a clone that no event names.
        let is_in_queue = draft.station().is_some_and(Station::is_queue);
        let is_used_up =
            draft.sharing.clone_since.is_some() && !is_in_queue && !draft.may_have_payload();
        if (ends_in_tcp || is_used_up) && !is_lost {
            draft.outcome.verdict = Verdict::Consumed;
            draft.outcome.is_inferred = true;
        } else if is_sent {
            draft.outcome.verdict = Verdict::Transmitted;
        } else if had_no_data && !waits_for_tcp && (!draft.queues.is_queued() || draft.payload == 0)
        {
            draft.outcome.verdict = Verdict::Consumed;
        } else if !draft.is_superseded && !is_lost && draft.station().is_some_and(Station::is_queue)
        {
            // It is still in the queue when the recording ends.
            draft.outcome.end = Some(self.run.end());
        }
    }
}

/// A packet that a full queue dropped ends at that queue, even if no probe recorded that it entered it.
fn reach_what_refused(draft: &mut Draft, reason: DropReason) {
    let refused_at = reason.refused_at();
    if refused_at.is_some()
        && draft.station() != refused_at
        && let Some(last) = draft.entries.last_mut()
        && last.station.is_none()
    {
        last.station = refused_at;
    }
}

fn pack(
    run: &Run,
    draft: &Draft,
    journeys: &mut Journeys,
    flows: &mut Flows,
    anomalies: &mut Anomalies,
    renumber: &impl Fn(PacketId) -> PacketId,
) -> Packet {
    let events_from = journeys.events.len() as u32;
    for entry in &draft.entries {
        if journeys.events[events_from as usize..].last() != Some(&entry.event) {
            journeys.events.push(entry.event);
        }
    }
    let time = |entry: &Entry| run.time(entry.event);
    let start = draft.entries.first().map(time).unwrap_or_default();
    let last = draft.entries.last().map(time).unwrap_or_default();
    // Later events of a packet that was read or merged into another are not part of its journey.
    let end = match draft.outcome.verdict {
        // Another CPU may free its `sk_buff` before the call that read it returns.
        Verdict::Delivered { read, .. } => draft.outcome.end.unwrap_or(last).max(run.time(read)),
        Verdict::Merged { into } if into.is_some() => draft.outcome.end.unwrap_or(last),
        _ => draft.outcome.end.unwrap_or(last).max(last),
    };
    let end = end.max(draft.frames.grew_at().unwrap_or(end));
    let stays_from = journeys.stays.len() as u32;
    journeys.stays.extend(stays(run, draft, end, anomalies));
    Packet {
        events: events_from..journeys.events.len() as u32,
        stays: stays_from..journeys.stays.len() as u32,
        start,
        end,
        direction: draft.direction,
        is_inferred: draft.outcome.is_inferred && draft.outcome.verdict != Verdict::Open,
        verdict: match draft.outcome.verdict {
            Verdict::Merged { into } => Verdict::Merged {
                into: renumber(into),
            },
            other => other,
        },
        flow: flows.id(run, draft),
        sk: draft.sk,
        skb: draft.skb,
        // Without an event that gives its length with headers, the packet is at least as long as its payload.
        bytes: draft.bytes.max(draft.payload),
        payload: draft.payload,
        read: draft.read(),
        mark: draft.mark,
        seq: draft.seq.filter(|_| draft.flow.protocol == TCP),
        ip_id: draft.headers.ip_id,
        fragment: draft.fragment,
        cut_from: renumber(draft.cut_from),
        parts: draft.frames.count(),
    }
}

/// One stay for each run of events at one station on one CPU, separately for each piece; the last ones end at `end`.
fn stays(run: &Run, draft: &Draft, end: Nanos, anomalies: &mut Anomalies) -> Vec<Stay> {
    let mut stays: Vec<Stay> = Vec::new();
    let mut open: BTreeMap<u32, usize> = BTreeMap::new();
    for entry in &draft.entries {
        let now = run.time(entry.event);
        let Some(station) = entry.station else {
            continue;
        };
        if now > end {
            // A later read of the same `sk_buff` copies bytes that TCP coalesced into it.
            if station != Station::Process {
                anomalies.add(Anomaly::AfterEnd, entry.event);
            }
            continue;
        }
        let cpu = run.cpu[entry.event.at()];
        // A piece without an earlier stay starts here.
        let before = open.get(&entry.piece).copied();
        if let Some(before) = before {
            if stays[before].station == station && stays[before].cpu == cpu {
                continue;
            }
            stays[before].leave = now;
            stays[before].next = (stays.len() - before) as u32;
            // A frame in the receive ring belongs to the CPU that will poll it.
            if !stays[before].cpu.is_known() {
                stays[before].cpu = cpu;
            }
        }
        // All pieces end when the process reads the whole packet.
        if station == Station::Process {
            for &other in open.values() {
                stays[other].leave = now;
            }
            open.clear();
        }
        open.insert(entry.piece, stays.len());
        stays.push(Stay {
            station,
            cpu,
            context: run.context[entry.event.at()],
            piece: entry.piece,
            next: 0,
            event: entry.event,
            enter: now,
            leave: now,
            service: 0,
        });
    }
    for &last in open.values() {
        stays[last].leave = end;
    }
    stays
}
