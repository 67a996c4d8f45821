//! Segments that become one on the way to their reader, as a simulated 6.18 records them: joined in the backlog of
//! a socket in use they go on as one `sk_buff`, joined in its receive queue they are read by one copy.

#![allow(clippy::unwrap_used, reason = "tests")]

use ringside::english::say;
use ringside::findings::{Kind, findings};
use ringside::journey::Journeys;
use ringside::kernel::{EventIdx, Field, Probe, Station, Verdict};
use ringside::opened::Opened;
use ringside::run::Run;
use sim::config::catalogue::Catalogue;
use sim::config::scenario::Scenario;
use sim::engine::{Simulated, simulate};

/// A stream between two tasks of one CPU, which take turns: what the writer sends while the reader
/// has the socket waits in its backlog.
fn stream(message_bytes: u32) -> Simulated {
    let text = format!(
        r#"{{"machine":"epyc-zen5-2cpu-vm","kernel":"6.18","workload":"host-stream","settings":{{"cpus":1,
            "connections":1,"message_bytes":{message_bytes},"process_affinity":true}},
            "duration_us":8000,"warmup_us":0,"seed":1}}"#
    );
    let catalogue = Catalogue::shipped().unwrap();
    let scenario = Scenario::parse(&text, &catalogue).unwrap();
    simulate(&scenario, &catalogue, true).unwrap()
}

/// The events of a probe.
fn events(run: &Run, probe: Probe) -> Vec<EventIdx> {
    let all = (0..run.len() as u32).map(EventIdx);
    all.filter(|&index| run.probe[index.at()] == probe)
        .collect()
}

#[test]
fn what_joined_in_a_backlog_goes_on_in_the_packet_before_it_and_leaves_no_hole() {
    let run = stream(8192).run.unwrap();
    let journeys = Journeys::of(&run);
    let merged: Vec<_> = journeys
        .packets
        .iter()
        .filter_map(|packet| match packet.verdict {
            Verdict::Merged { into } => Some((packet, &journeys.packets[into.0 as usize])),
            _ => None,
        })
        .collect();
    assert!(merged.len() > 100, "{}", merged.len());
    for (packet, into) in merged {
        assert!(packet.start > into.start && packet.flow == into.flow);
        let is_first = !matches!(into.verdict, Verdict::Merged { .. });
        assert!(is_first, "a row has one first segment");
    }
    let is_behind_a_hole = journeys
        .stays
        .iter()
        .any(|stay| stay.station == Station::OutOfOrder);
    assert!(!is_behind_a_hole, "nothing was lost or overtaken");
    // Those in flight at the end, of a window of three packets and their acknowledgement.
    let open = journeys
        .packets
        .iter()
        .filter(|packet| packet.verdict == Verdict::Open);
    assert!(open.count() <= 4);
}

#[test]
fn all_bytes_of_a_stream_come_into_the_queue_once() {
    let run = stream(8192).run.unwrap();
    let queued = events(&run, Probe::TcpQueueRcv);
    let backlogged = events(&run, Probe::TcpAddBacklog);
    assert!(
        queued.len() < backlogged.len(),
        "joined ones have no event of their own"
    );
    let queued: u64 = queued
        .iter()
        .map(|&index| u64::from(run.event(index).len))
        .sum();
    let copies = events(&run, Probe::SkbCopyDatagramIter);
    let read = |index: &EventIdx| u64::from(run.field(*index, Field::Count).unwrap());
    let read: u64 = copies.iter().map(read).sum();
    assert!(
        read <= queued && queued - read <= 2_626_560,
        "{queued} queued, {read} read"
    );
}

/// `tcp_recvmsg_locked` calls `skb_copy_datagram_msg` for each `sk_buff` that it copies from, wherever in it
/// the call begins.
#[test]
fn each_call_that_reads_pays_for_its_copy() {
    let measured = stream(1024).measured;
    let calls = |name: &str| measured.functions[name].calls;
    let reads = measured.delivered_bytes / 1024;
    assert!(reads > 1000);
    let copies = calls("skb_copy_datagram_iter");
    assert!(copies >= reads, "{copies} copies for {reads} reads");
}

#[test]
fn what_joins_another_in_a_backlog_is_not_said_to_wait_for_nothing() {
    let opened = Opened::from(stream(8192).run.unwrap());
    let found = findings(&opened);
    let backlog = found.iter().find(|one| one.kind == Kind::SocketBacklog);
    let said = say(&backlog.unwrap().detail, &opened.replay);
    assert!(
        said.contains(" in the median") && !said.contains(" 0 ns in"),
        "{said}"
    );
}
