//! Conversations written by hand, and what holds for any that takes turns.

use std::fmt::Write as _;

use expect_test::{Expect, expect};
use proptest::prelude::*;

use super::*;
use crate::replay::tests::run_of;

const TCP: u8 = 6;
const UDP: u8 = 17;

/// One end of this host talks with one of another, of both of which the microseconds are told.
struct Talk {
    protocol: u8,
    lines: Vec<(u64, String)>,
    packets: u64,
}

impl Talk {
    const fn of(protocol: u8) -> Self {
        Self {
            protocol,
            lines: Vec::new(),
            packets: 0,
        }
    }

    fn event(&mut self, micros: u64, probe: &str, rest: &str) {
        let line = format!("1 ev {probe} ts 1.{micros:06} {rest}");
        self.lines.push((micros, line));
    }

    fn skb(&mut self) -> String {
        self.packets += 1;
        format!("ffff8880050{:03}00", self.packets)
    }

    /// The numbers of a segment, from which its payload follows; a datagram has none.
    fn numbers(&self, seq: u32, ack: u32) -> String {
        if self.protocol == TCP {
            format!("seq_no {seq} ack_no {ack} tcp_flags 0x10")
        } else {
            String::new()
        }
    }

    /// This host sends so many bytes of payload, the first of them with this number.
    fn sends(mut self, micros: u64, payload: u32, seq: u32, ack: u32) -> Self {
        let (skb, numbers) = (self.skb(), self.numbers(seq, ack));
        let (len, protocol) = (payload + 66, self.protocol);
        let packet = format!("cpu 1 ctx kernel pid 7 skb {skb} len {len} dev eth0");
        let flow = format!("proto {protocol} saddr 192.0.2.1 daddr 192.0.2.2 sport 40000 dport 80");
        let queued = format!("{packet} protocol 0x800 {flow} {numbers}");
        self.event(micros, "net_dev_queue", &queued);
        self.event(micros + 2, "net_dev_start_xmit", &packet);
        self.event(micros + 3, "net_dev_xmit", &format!("{packet} rc 0"));
        self
    }

    /// The other end's payload comes, and a process reads it later.
    fn reads(mut self, [came, read]: [u64; 2], payload: u32, seq: u32, ack: u32) -> Self {
        let (skb, numbers) = (self.skb(), self.numbers(seq, ack));
        let softirq = format!("cpu 0 ctx softirq pid 0 skb {skb}");
        let protocol = self.protocol;
        let flow = format!("proto {protocol} saddr 192.0.2.2 daddr 192.0.2.1 sport 80 dport 40000");
        let sk = "sk ffff888007000000";
        let reader = "cpu 1 ctx kernel pid 7";
        let frame = format!("{softirq} len {} dev eth0", payload + 52);
        self.event(came, "netif_receive_skb", &frame);
        let headers = format!(
            "{softirq} len {} {flow} payload {payload} {numbers}",
            payload + 32
        );
        let queued = format!("{softirq} {sk} len {payload}");
        let ret = format!("{reader} ret {payload}");
        if protocol == TCP {
            self.event(came + 1, "tcp_v4_rcv", &headers);
            if payload == 0 {
                self.event(
                    came + 2,
                    "kfree_skb",
                    &format!("{softirq} reason NOT_SPECIFIED"),
                );
                return self;
            }
            self.event(came + 2, "tcp_queue_rcv", &queued);
            self.event(read, "tcp_recvmsg", &format!("{reader} {sk}"));
            let copied = format!("{reader} skb {skb} len {payload} count {payload}");
            self.event(read, "skb_copy_datagram_iter", &copied);
            self.event(read, "tcp_recvmsg_ret", &ret);
        } else {
            self.event(came + 1, "udp_rcv", &headers);
            self.event(came + 2, "__udp_enqueue_schedule_skb", &queued);
            let taken = format!("{reader} {sk} skb {skb} len {payload} count {payload}");
            self.event(read, "skb_consume_udp", &taken);
            self.event(read, "udp_recvmsg_ret", &ret);
        }
        self
    }

    fn run(mut self) -> Run {
        self.lines.sort_by_key(|&(micros, _)| micros);
        let lines: Vec<String> = self.lines.into_iter().map(|(_, line)| line).collect();
        run_of(&lines.join("\n"))
    }
}

/// The transactions of a conversation: from which packet to which, and their times after the first second.
fn check(talk: Talk, expected: &Expect) {
    let run = talk.run();
    let journeys = Journeys::of(&run);
    let mut text = String::new();
    for one in transactions(&run, &journeys) {
        let micros = |time: Nanos| time.since(Nanos(1_000_000_000)) / 1000;
        let (asked, answered) = (micros(one.asked), micros(one.answered));
        let (request, answer) = (one.request.0, one.answer.0);
        let took = one.nanos() / 1000;
        writeln!(
            text,
            "packet {request} at {asked} to {answer} at {answered}: {took} µs"
        )
        .expect("a string takes all");
    }
    expected.assert_eq(&text);
}

/// The second request has two packets, and its answer, too.
fn two() -> Talk {
    Talk::of(TCP)
        .sends(10, 100, 1000, 500)
        .reads([40, 60], 200, 500, 1100)
        .sends(100, 100, 1100, 700)
        .sends(105, 50, 1200, 700)
        .reads([200, 220], 200, 700, 1250)
        .reads([210, 221], 300, 900, 1250)
}

#[test]
fn a_request_waits_for_the_read_of_the_first_packet_of_its_answer() {
    check(
        two(),
        &expect![[r#"
        packet 0 at 10 to 1 at 60: 50 µs
        packet 2 at 100 to 4 at 220: 120 µs
    "#]],
    );
}

#[test]
fn acknowledgements_alone_are_neither_request_nor_answer() {
    let talk = Talk::of(TCP)
        .sends(5, 0, 1000, 500)
        .sends(10, 100, 1000, 500)
        .reads([20, 20], 0, 500, 1100)
        .reads([40, 60], 200, 500, 1100)
        .sends(70, 0, 1100, 700);
    check(
        talk,
        &expect![[r#"
        packet 1 at 10 to 3 at 60: 50 µs
    "#]],
    );
    let upload = Talk::of(TCP)
        .sends(10, 1000, 1000, 500)
        .reads([30, 30], 0, 500, 2000)
        .sends(40, 1000, 2000, 500)
        .reads([60, 60], 0, 500, 3000);
    check(upload, &expect![[r#""#]]);
}

/// The answer to a request that was lost comes late; one that only seemed to be lost is not asked twice.
#[test]
fn what_is_sent_again_is_no_request() {
    let lost = Talk::of(TCP)
        .sends(10, 100, 1000, 500)
        .sends(300, 100, 1000, 500)
        .reads([330, 340], 200, 500, 1100);
    check(
        lost,
        &expect![[r#"
        packet 0 at 10 to 2 at 340: 330 µs
    "#]],
    );
    let in_vain = Talk::of(TCP)
        .sends(10, 100, 1000, 500)
        .reads([40, 60], 200, 500, 1100)
        .sends(70, 100, 1000, 500)
        .sends(100, 100, 1100, 700)
        .reads([140, 150], 200, 700, 1200);
    check(
        in_vain,
        &expect![[r#"
        packet 0 at 10 to 1 at 60: 50 µs
        packet 3 at 100 to 4 at 150: 50 µs
    "#]],
    );
}

#[test]
fn what_is_sent_after_the_answer_came_is_the_next_request_though_it_is_not_read() {
    let talk = Talk::of(TCP)
        .sends(10, 100, 1000, 500)
        .reads([40, 90], 200, 500, 1100)
        .sends(60, 100, 1100, 700)
        .reads([120, 130], 200, 700, 1200);
    check(
        talk,
        &expect![[r#"
        packet 0 at 10 to 1 at 90: 80 µs
        packet 2 at 60 to 3 at 130: 70 µs
    "#]],
    );
}

/// The second answer was on its way before the second request came there.
#[test]
fn ends_that_send_at_once_take_no_turns() {
    let talk = Talk::of(TCP)
        .sends(10, 100, 1000, 500)
        .reads([40, 41], 200, 500, 1100)
        .sends(50, 100, 1100, 700)
        .reads([55, 56], 200, 700, 1100)
        .sends(60, 100, 1200, 900)
        .reads([80, 81], 200, 900, 1200);
    check(talk, &expect![[r#""#]]);
}

#[test]
fn of_datagrams_it_shows_in_several_at_a_turn() {
    let question = || {
        Talk::of(UDP)
            .sends(10, 40, 0, 0)
            .reads([40, 60], 200, 0, 0)
            .sends(70, 40, 0, 0)
    };
    let answers = question()
        .reads([100, 110], 300, 0, 0)
        .reads([120, 130], 300, 0, 0);
    check(
        answers,
        &expect![[r#"
        packet 0 at 10 to 1 at 60: 50 µs
        packet 2 at 70 to 3 at 110: 40 µs
    "#]],
    );
    let streams = question()
        .sends(80, 40, 0, 0)
        .reads([100, 110], 300, 0, 0)
        .reads([120, 130], 300, 0, 0);
    check(streams, &expect![[r#""#]]);
}

/// What a server waits for is the next request, not an answer.
#[test]
fn who_answers_has_no_response_time() {
    let server = Talk::of(TCP)
        .reads([10, 20], 100, 500, 1000)
        .sends(30, 200, 1000, 600)
        .reads([90, 95], 100, 600, 1200);
    check(server, &expect![[r#""#]]);
}

/// A SYN takes up a number as a byte does.
#[test]
fn a_handshake_is_no_request_and_tells_who_asks() {
    let client = Talk::of(TCP)
        .sends(1, 0, 999, 0)
        .reads([5, 5], 0, 499, 1000)
        .sends(6, 0, 1000, 500)
        .sends(10, 100, 1000, 500)
        .reads([40, 60], 200, 500, 1100);
    check(
        client,
        &expect![[r#"
        packet 3 at 10 to 4 at 60: 50 µs
    "#]],
    );
    let server = Talk::of(TCP)
        .reads([1, 1], 0, 499, 0)
        .sends(2, 0, 999, 500)
        .reads([5, 5], 0, 500, 1000)
        .reads([10, 12], 100, 500, 1000)
        .sends(20, 200, 1000, 600)
        .reads([60, 62], 100, 600, 1200);
    check(server, &expect![[r#""#]]);
}

/// One turn of each end: in how many packets both speak, for how long the first packet of the answer is on its way and
/// unread, and whether the request is sent again.
type Turn = (u64, u64, u64, u64, bool);

fn turns() -> impl Strategy<Value = Vec<Turn>> {
    let turn = (1..4_u64, 1..4_u64, 10..500_u64, 5..500_u64, any::<bool>());
    prop::collection::vec(turn, 1..8)
}

proptest! {
    /// Whatever the sizes and times, each turn is the transaction that was written.
    #[test]
    fn turns_are_transactions(turns in turns()) {
        let mut talk = Talk::of(TCP);
        let (mut now, mut sent, mut answered) = (10, 1000, 500);
        let mut expected = Vec::new();
        for (requests, answers, way, unread, is_sent_again) in turns {
            let (asked, first) = (now, sent);
            for _ in 0..requests {
                talk = talk.sends(now, 100, sent, answered);
                (now, sent) = (now + 5, sent + 100);
            }
            if is_sent_again {
                talk = talk.sends(now, 100, first, answered).reads([now + 1, now + 1], 0, answered, sent);
                now += 5;
            }
            now += way;
            expected.push(now + unread - asked);
            for answer in 0..answers {
                let came = now + answer;
                talk = talk.reads([came, now + unread + answer], 200, answered, sent);
                answered += 200;
            }
            now += unread + answers + 10;
        }
        let run = talk.run();
        let found = transactions(&run, &Journeys::of(&run));
        let found: Vec<u64> = found.into_iter().map(|one| one.nanos() / 1000).collect();
        prop_assert_eq!(found, expected);
    }
}
