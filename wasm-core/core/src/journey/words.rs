//! What is said of a journey itself: how it ended, and what tells its packet from others.

use super::Journeys;
use crate::kernel::{PacketId, Pid, Verdict};
use crate::run::Run;
use crate::saying::Saying;

sayings! {
    delivered = "ending.delivered"();
    delivered_to = "ending.delivered_to"(task: Task);
    /// Nothing tells which of the task's calls read it.
    delivered_by_some_call = "ending.delivered_by_some_call"(task: Task);
    /// `first` read a part of it before.
    delivered_after = "ending.delivered_after"(task: Task, first: Task);
    /// `count` read it, with the last.
    delivered_after_several = "ending.delivered_after_several"(task: Task, first: Task, count: Count);
    merged = "ending.merged"(into: Packet);
    merged_unseen = "ending.merged_unseen"();
    dropped = "ending.dropped"(reason: DropReason);
    transmitted = "ending.transmitted"();
    consumed = "ending.consumed"();
    open = "ending.open"();
    /// Nothing tells which of several datagrams alike were read.
    open_ambiguous = "ending.open_ambiguous"();

    /// Of these four `line` is the first of `count` lines that say what cannot be.
    into_itself = "odd.into_itself"(count: Count, line: Count);
    into_ended = "odd.into_ended"(count: Count, line: Count);
    second_datagram = "odd.second_datagram"(count: Count, line: Count);
    after_end = "odd.after_end"(count: Count, line: Count);
    /// A packet comes in by a device of the name of the one by which it left, `count` times.
    one_name = "odd.one_name"(count: Count, line: Count);
    /// A packet leaves by a device whose name a NIC and a device that passes packets on have, `count` times.
    shared_name = "odd.shared_name"(count: Count, line: Count);

    marked = "packet.marked"(thread: Count, number: Count);
    skb = "packet.skb"(address: Name);
    on_link = "packet.on_link"();
}

/// How a packet ended.
pub fn ended(journeys: &Journeys, packet: PacketId) -> Saying {
    let row = &journeys.packets[packet.at()];
    let said = match row.verdict {
        Verdict::Delivered { pid, .. } if pid == Pid::UNKNOWN => delivered(),
        Verdict::Delivered { pid, .. } if journeys.is_call_unknown(packet) => {
            delivered_by_some_call(pid)
        }
        Verdict::Delivered { pid, .. } => match journeys.read_before(packet) {
            [] => delivered_to(pid),
            &[first] => delivered_after(pid, first),
            [first, further @ ..] => delivered_after_several(pid, *first, further.len() as u64 + 2),
        },
        Verdict::Merged { into } if into.is_some() => merged(into),
        Verdict::Merged { .. } => merged_unseen(),
        Verdict::Dropped { reason } => dropped(reason),
        Verdict::Transmitted => transmitted(),
        Verdict::Consumed => consumed(),
        Verdict::Open if journeys.is_ambiguous(packet) => open_ambiguous(),
        Verdict::Open => open(),
    };
    if row.is_inferred {
        return said.inferred();
    }
    said
}

/// What else tells a packet from others: its generator's marker if it has one, else its address.
pub fn label(run: &Run, journeys: &Journeys, packet: PacketId) -> Saying {
    let row = &journeys.packets[packet.at()];
    if let Some(mark) = row.mark {
        return marked(u64::from(mark.thread), u64::from(mark.packet));
    }
    match run.addresses.value(row.skb) {
        0 => on_link(),
        address => skb(format!("{address:x}")),
    }
}
