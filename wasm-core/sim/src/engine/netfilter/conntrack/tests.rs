//! The table of connections: worked by hand, and against a list without chains, counters or sets.

use proptest::prelude::*;

use super::table::{Found, Kind, Packet, Table};
use crate::time::SimTime;

fn packet(flow: u32, is_sent: bool, kind: Kind) -> Packet {
    Packet {
        flow,
        is_sent,
        kind,
    }
}

/// Datagrams and segments in a picture: a letter is a packet of that flow, received, or as a capital letter sent. It is a
/// datagram, or with `*` before it a segment of an open connection; a `.` waits for a second. For each packet that is
/// confirmed at once the picture has `k` if its flow was known, `n` if it is new, and `-` if it was dropped.
fn seen(most: u32, acts: &str) -> String {
    let (mut table, mut now, mut kind) = (Table::new(most), SimTime::ZERO, Kind::Datagram);
    let mut picture = String::new();
    for act in acts.chars() {
        match act {
            '.' => now = now + SimTime::from_ms(1000),
            '*' => kind = Kind::Ack,
            _ => {
                let flow = u32::from(act.to_ascii_lowercase());
                let packet = packet(flow, act.is_ascii_uppercase(), kind);
                kind = Kind::Datagram;
                picture.push(match table.look_up(packet, now) {
                    Found::Known => 'k',
                    Found::New { .. } => {
                        assert!(table.confirm(packet, now));
                        'n'
                    }
                    Found::Invalid { .. } => 'i',
                    Found::Full { .. } => '-',
                });
            }
        }
    }
    picture
}

#[test]
fn a_flow_is_known_in_both_directions_from_its_first_packet_on() {
    assert_eq!(seen(8, "abAaBb"), "nnkkkk");
}

#[test]
fn a_full_table_gives_the_place_of_a_flow_that_is_not_assured() {
    // One entry, one chain: each datagram takes the place of the one before.
    assert_eq!(seen(1, "abab"), "nnnn");
}

#[test]
fn an_assured_flow_keeps_its_place_and_others_are_dropped() {
    // A picked-up connection is assured by a segment after the first reply.
    assert_eq!(seen(1, "*a*A*b*a"), "nknn");
    assert_eq!(seen(1, "*a*A*a*b*a"), "nkk-k");
    assert_eq!(seen(2, "*a*A*ab*cb"), "nkknnn");
}

#[test]
fn a_flow_of_udp_is_assured_by_what_follows_a_reply_after_two_seconds() {
    assert_eq!(seen(1, "aAab"), "nkkn");
    assert_eq!(seen(1, "aA..ab"), "nkkn", "two seconds are not over");
    assert_eq!(seen(1, "aA...ab"), "nkk-");
    assert_eq!(seen(1, "a...aAb"), "nkkn", "the reply is too late");
}

#[test]
fn flows_of_udp_expire_after_half_a_minute_and_streams_after_two() {
    let wait = ".".repeat(29);
    assert_eq!(
        seen(
            8,
            &format!("a{wait}a{wait}a..............................a")
        ),
        "nkkn"
    );
    let stream = format!("aA...a{}a", ".".repeat(119));
    assert_eq!(seen(8, &stream), "nkkk");
    let stream = format!("aA...a{}a", ".".repeat(120));
    assert_eq!(seen(8, &stream), "nkkn");
    // An assured flow that has expired is in nobody's way.
    let stream = format!("aA...a{}b", ".".repeat(120));
    assert_eq!(seen(1, &stream), "nkkn");
}

#[test]
fn a_handshake_assures_a_connection_with_its_third_segment() {
    let segments = [(false, Kind::Syn), (true, Kind::SynAck), (false, Kind::Ack)];
    for (count, other) in [
        (2, Found::New { scanned: 1 }),
        (3, Found::Full { scanned: 8 }),
    ] {
        let mut table = Table::new(1);
        for &(is_sent, kind) in &segments[..count] {
            let packet = packet(1, is_sent, kind);
            if let Found::New { .. } = table.look_up(packet, SimTime::ZERO) {
                assert!(table.confirm(packet, SimTime::ZERO));
            }
        }
        let syn = packet(2, false, Kind::Syn);
        assert_eq!(table.look_up(syn, SimTime::ZERO), other, "after {count}");
    }
}

#[test]
fn an_entry_counts_before_it_is_confirmed_and_gives_no_place() {
    let mut table = Table::new(1);
    let [first, second] = [1, 2].map(|flow| packet(flow, false, Kind::Datagram));
    assert_eq!(
        table.look_up(first, SimTime::ZERO),
        Found::New { scanned: 0 }
    );
    assert_eq!(
        table.look_up(second, SimTime::ZERO),
        Found::Full { scanned: 8 }
    );
    table.put_back();
    assert_eq!(
        table.look_up(second, SimTime::ZERO),
        Found::New { scanned: 0 }
    );
}

#[test]
fn of_two_entries_of_a_flow_the_first_stays_and_only_udp_forgives_the_second() {
    for (kind, is_forgiven) in [(Kind::Datagram, true), (Kind::Syn, false)] {
        let mut table = Table::new(4);
        let packet = packet(1, false, kind);
        assert_eq!(
            table.look_up(packet, SimTime::ZERO),
            Found::New { scanned: 0 }
        );
        assert_eq!(
            table.look_up(packet, SimTime::ZERO),
            Found::New { scanned: 0 }
        );
        assert_eq!(table.most_and_count(), (4, 2));
        assert!(table.confirm(packet, SimTime::ZERO));
        assert_eq!(table.confirm(packet, SimTime::ZERO), is_forgiven);
        assert_eq!(table.most_and_count(), (4, 1));
    }
}

#[test]
fn an_end_begins_no_connection_and_takes_no_place() {
    let mut table = Table::new(1);
    let end = packet(1, false, Kind::End);
    assert_eq!(
        table.look_up(end, SimTime::ZERO),
        Found::Invalid { scanned: 0 }
    );
    assert_eq!(table.most_and_count(), (1, 0));
}

/// A flow as the naive reference has it.
#[derive(Clone, Copy)]
struct Naive {
    flow: u32,
    from: bool,
    began: u64,
    last: u64,
    has_reply: bool,
    is_assured: bool,
}

/// The reference for a table of at most eight entries, all of whose chains `early_drop` looks through, of flows of UDP: a list
/// that is searched from its beginning. It says whether a packet has to be dropped, and which flows are surely there.
#[derive(Default)]
struct List(Vec<Naive>);

impl List {
    /// A packet passes or is dropped; `count` entries were in the table, of which expired ones may have been some.
    fn pass(&mut self, (most, count): (usize, usize), packet: Packet, second: u64, is_taken: bool) {
        self.0.retain(|one| {
            let lasts = if one.is_assured { 120 } else { 30 };
            second < one.last + lasts
        });
        let known = self.0.iter_mut().find(|one| one.flow == packet.flow);
        if let Some(one) = known {
            assert!(is_taken, "a known flow is never dropped");
            one.is_assured |= one.has_reply && second > one.began + 2;
            one.last = second;
            one.has_reply |= packet.is_sent != one.from;
            return;
        }
        let can_give = self.0.iter().any(|one| !one.is_assured);
        if can_give || count < most {
            assert!(is_taken, "{} of {most}", self.0.len());
        } else if self.0.len() >= most {
            assert!(!is_taken, "{} of {most}", self.0.len());
        }
        if is_taken {
            self.0.push(Naive {
                flow: packet.flow,
                from: packet.is_sent,
                began: second,
                last: second,
                has_reply: false,
                is_assured: false,
            });
        }
    }
}

proptest! {
    /// Packets of any flows at any times. Which of the flows that are not assured gives its place is the chains' to say, so the
    /// reference is told of it, and sees that no other flow went and that there was need.
    #[test]
    fn a_table_keeps_what_a_list_would_keep(
        most in 1_u32..=8,
        acts in prop::collection::vec((0_u32..12, any::<bool>(), 0_u64..20), 1..200),
    ) {
        let (mut table, mut list) = (Table::new(most), List::default());
        let mut second = 0;
        for (flow, is_sent, later) in acts {
            second += later / 4;
            let now = SimTime::from_ms(second * 1000);
            let packet = packet(flow, is_sent, Kind::Datagram);
            let (_, before) = table.most_and_count();
            let found = table.look_up(packet, now);
            let is_taken = !matches!(found, Found::Full { .. });
            list.pass((most as usize, before as usize), packet, second, is_taken);
            if let Found::New { scanned } = found {
                prop_assert!(table.confirm(packet, now));
                // What had to go was not assured.
                let (there, gone): (Vec<Naive>, Vec<Naive>) =
                    list.0.iter().partition(|one| table.has(one.flow));
                prop_assert!(gone.is_empty() || scanned > 0);
                prop_assert!(gone.iter().all(|one| !one.is_assured));
                list.0 = there;
            }
            let (most, count) = table.most_and_count();
            prop_assert!(count <= most);
            prop_assert!(count as usize >= list.0.len(), "expired ones may still be there");
        }
    }
}
