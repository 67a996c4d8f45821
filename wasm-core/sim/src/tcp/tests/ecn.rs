//! ECN between two ends: who agrees, what segments say, and what a mark changes. RFC 3168 §6.1.

use expect_test::expect;

use super::*;
use crate::ecn::Ecn;

fn mode(ecn: EcnMode) -> TcpConfig {
    config().with(|kernel| kernel.ecn = Some(ecn))
}

/// A sender of today: RACK and proportional rate reduction.
fn current() -> TcpConfig {
    mode(EcnMode::Asks).with(|kernel| kernel.recovery = Recovery::Rack)
}

/// The SYN, the SYN-ACK, and what comes of new data of the client.
fn handshake(client: EcnMode, server: EcnMode) -> String {
    let (client, server) = (mode(client), mode(server));
    let mut tcb = Tcb::new(&client);
    let syn = tcb.connect(SimTime(0));
    let (_, syn_ack) = Tcb::listen_accept(&syn, &server, ms(5));
    tcb.on_segment(&syn_ack, ms(10));
    tcb.write(100);
    let data = tcb.next_segment(ms(10), MSS).unwrap();
    format!("{} {} {:?}", syn.flags, syn_ack.flags, data.ecn)
}

#[test]
fn both_must_agree_and_one_must_ask() {
    use EcnMode::{Asks, Never, Passive};
    let all = [Never, Passive, Asks];
    let found: Vec<String> = all
        .into_iter()
        .flat_map(|client| all.map(|server| handshake(client, server)))
        .collect();
    let no = "S S. NotEct";
    let (alone, both) = ("SEW S. NotEct", "SEW SE. Ect0");
    assert_eq!(found, [no, no, no, no, no, no, alone, both, both]);
}

/// RFC 3168 §6.1.1.1: what dropped the SYN may have done so for its flags.
#[test]
fn a_syn_that_is_sent_again_does_not_ask() {
    let mut tcb = Tcb::new(&mode(EcnMode::Asks));
    let first = tcb.connect(SimTime(0));
    let due = tcb.next_timer();
    assert_eq!(tcb.on_timer(due), TimerOutcome::Retransmit);
    let again = tcb.next_segment(due, MSS).unwrap();
    assert_eq!(
        (first.flags.to_string(), again.flags.to_string()),
        ("SEW".to_owned(), "S".to_owned())
    );
    let (_, syn_ack) = Tcb::listen_accept(&again, &mode(EcnMode::Passive), due);
    tcb.on_segment(&syn_ack, due + ms(5));
    tcb.write(100);
    let data = tcb.next_segment(due + ms(5), MSS).unwrap();
    assert_eq!(data.ecn, Ecn::NotEct);
}

#[test]
fn who_sends_back_what_it_got_or_marks_a_syn_has_not_understood() {
    let agreed = |change: fn(&mut Segment)| {
        let mut tcb = Tcb::new(&mode(EcnMode::Asks));
        tcb.connect(SimTime(0));
        let mut syn_ack = Segment {
            ack: 1,
            window: 1 << 20,
            mss: 1_000,
            flags: Flags::SYN | Flags::ACK | Flags::ECE,
            ..Segment::default()
        };
        change(&mut syn_ack);
        tcb.on_segment(&syn_ack, ms(10));
        tcb.write(100);
        tcb.next_segment(ms(10), MSS).unwrap().ecn == Ecn::Ect0
    };
    assert!(agreed(|_| {}));
    assert!(!agreed(|it| it.flags = it.flags | Flags::CWR));
    assert!(!agreed(|it| it.flags = it.flags.without(Flags::ECE)));
    let syn = |ecn| Segment {
        flags: Flags::SYN | Flags::ECE | Flags::CWR,
        ecn,
        ..Segment::default()
    };
    let answer = |ecn| {
        let (_, answer) = Tcb::listen_accept(&syn(ecn), &mode(EcnMode::Passive), ms(0));
        answer.flags.contains(Flags::ECE)
    };
    assert_eq!([Ecn::NotEct, Ecn::Ect0].map(answer), [true, false]);
}

/// A sender whose other end agreed to ECN, with as much written as it may send.
fn sender(config: &TcpConfig) -> Tcb {
    let mut tcb = established_by(config, Flags::SYN | Flags::ACK | Flags::ECE);
    tcb.write(500_000);
    tcb
}

fn echo(number: u64) -> Segment {
    Segment {
        flags: Flags::ACK | Flags::ECE,
        ..ack(number)
    }
}

/// RFC 3168 §6.1.2: the window is reduced as after a loss, once in a round trip, and the first new data say so.
#[test]
fn a_window_is_reduced_once_however_many_echoes_come() {
    for config in [current(), mode(EcnMode::Asks)] {
        let mut tcb = sender(&config);
        assert_eq!(send_all(&mut tcb, ms(10)).len(), 10);
        let mut said = Vec::new();
        let mut states = Vec::new();
        for segment in 1..=10 {
            tcb.on_segment(&echo(1 + segment * 1000), ms(20));
            states.push(tcb.ca_state());
            said.extend(send_all(&mut tcb, ms(20)));
        }
        assert_eq!(tcb.ssthresh(), 5_000, "half of ten, once");
        assert!(states.iter().all(|&it| it == CaState::Cwr), "{states:?}");
        let cwr: Vec<bool> = said
            .iter()
            .map(|it| it.flags.contains(Flags::CWR))
            .collect();
        assert!(cwr[0] && !cwr[1..].contains(&true), "{cwr:?}");
        assert!(said.iter().all(|it| it.ecn == Ecn::Ect0));
        // What was sent after the reduction is acknowledged: it is over, and the next echo reduces again.
        tcb.on_segment(&ack(12_001), ms(30));
        assert_eq!((tcb.ca_state(), tcb.cwnd()), (CaState::Open, 5_000));
        send_all(&mut tcb, ms(30));
        tcb.on_segment(&echo(13_001), ms(30));
        assert_eq!(tcb.ca_state(), CaState::Cwr);
        assert_eq!(tcb.ssthresh(), 2_500);
    }
}

/// A loss while the window is being reduced is repaired, and does not reduce it again (`tcp_enter_recovery`).
#[test]
fn a_loss_in_a_window_that_is_being_reduced_does_not_reduce_it_again() {
    let mut tcb = sender(&current());
    send_all(&mut tcb, ms(10));
    tcb.on_segment(&echo(1_001), ms(20));
    send_all(&mut tcb, ms(20));
    assert_eq!((tcb.ca_state(), tcb.ssthresh()), (CaState::Cwr, 5_000));
    for block in 3..8 {
        let mut sack = ack(1_001);
        sack.sack.push(1_000, (block - 1) * 1_000);
        tcb.on_segment(&sack, ms(20 + u64::from(block)));
        send_all(&mut tcb, ms(20 + u64::from(block)));
    }
    assert_eq!((tcb.ca_state(), tcb.ssthresh()), (CaState::Recovery, 5_000));
}

#[test]
fn acks_and_retransmissions_cannot_be_marked() {
    let mut tcb = sender(&current());
    let sent = send_all(&mut tcb, ms(10));
    assert!(sent.iter().all(|it| it.ecn == Ecn::Ect0));
    assert_eq!(tcb.ack_segment().ecn, Ecn::NotEct);
    let due = tcb.next_timer();
    tcb.on_timer(due);
    let again = tcb.next_segment(due, MSS).unwrap();
    assert!(again.is_retransmission);
    assert_eq!(again.ecn, Ecn::NotEct);
}

/// RFC 3168 §6.1.3: each segment of the receiver echoes the mark until one of the sender says that it was heard.
#[test]
fn a_mark_is_echoed_until_the_sender_says_that_it_has_reduced() {
    let (syn, server) = (Tcb::new(&current()).connect(ms(0)), mode(EcnMode::Passive));
    let (mut tcb, _) = Tcb::listen_accept(&syn, &server, ms(0));
    tcb.on_segment(&ack(1), ms(10));
    let with = |seq, ecn, flags| Segment {
        ecn,
        flags: Flags::ACK | flags,
        ..data(seq, 1_000)
    };
    let steps = [
        (Ecn::Ect0, Flags::NONE, false),
        (Ecn::Ce, Flags::NONE, true),
        (Ecn::Ect0, Flags::NONE, true),
        (Ecn::Ce, Flags::NONE, true),
        (Ecn::Ect0, Flags::CWR, false),
        (Ecn::Ect0, Flags::NONE, false),
        // The flag is read before the mark (tcp_ack, tcp_data_queue), so that this one is echoed anew.
        (Ecn::Ce, Flags::CWR, true),
    ];
    for (index, (ecn, flags, echoes)) in steps.into_iter().enumerate() {
        let seq = 1 + 1_000 * index as u64;
        let received = tcb.on_segment(&with(seq, ecn, flags), ms(20 + index as u64));
        if flags == Flags::CWR {
            assert_eq!(received.send_ack, AckNeed::Now, "its window may be small");
        }
        let answer = tcb.ack_segment();
        assert_eq!(answer.flags.contains(Flags::ECE), echoes, "step {index}");
    }
}

/// The whole of it: a mark in a window, its echo, the reduction by proportional rate reduction, CWR, and on.
#[test]
fn one_marked_segment() {
    let mut pipe = Pipe::connected(&current(), &current(), 5);
    pipe.ends[0].to_write = 22_000;
    let mut fates = |from: usize, segment: &Segment, _: u64| {
        if from == 0 && segment.seq == 3_001 {
            Fate::Marked(5 * MS)
        } else {
            Fate::After(5 * MS)
        }
    };
    pipe.run(&mut fates);
    pipe.assert_all_arrived();
    expect![[r#"
        15.0 > [.] 1:1001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 1001:2001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 2001:3001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 3001:4001 ack 1 win 64000 ect0  cwnd 10000  MARKED
        15.0 > [.] 4001:5001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 5001:6001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 6001:7001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 7001:8001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 8001:9001 ack 1 win 64000 ect0  cwnd 10000
        15.0 > [.] 9001:10001 ack 1 win 64000 ect0  cwnd 10000
        20.0 < [.] 1:1 ack 1001 win 64000  cwnd 10000
        20.0 < [.] 1:1 ack 2001 win 64000  cwnd 10000
        20.0 < [.] 1:1 ack 3001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 4001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 5001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 6001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 7001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 8001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 9001 win 64000  cwnd 10000
        20.0 < [E.] 1:1 ack 10001 win 64000  cwnd 10000
        25.0 > [.] 10001:11001 ack 1 win 64000 ect0  cwnd 11000
        25.0 > [.] 11001:12001 ack 1 win 64000 ect0  cwnd 11000
        25.0 > [.] 12001:13001 ack 1 win 64000 ect0  cwnd 12000
        25.0 > [.] 13001:14001 ack 1 win 64000 ect0  cwnd 12000
        25.0 > [.] 14001:15001 ack 1 win 64000 ect0  cwnd 13000
        25.0 > [.] 15001:16001 ack 1 win 64000 ect0  cwnd 13000
        25.0 > [W.] 16001:17001 ack 1 win 64000 ect0  cwnd 13000  TCP_CA_CWR
        25.0 > [.] 17001:18001 ack 1 win 64000 ect0  cwnd 12000  TCP_CA_CWR
        25.0 > [.] 18001:19001 ack 1 win 64000 ect0  cwnd 11000  TCP_CA_CWR
        25.0 > [.] 19001:20001 ack 1 win 64000 ect0  cwnd 10000  TCP_CA_CWR
        30.0 < [E.] 1:1 ack 11001 win 64000  cwnd 10000
        30.0 < [E.] 1:1 ack 12001 win 64000  cwnd 10000
        30.0 < [E.] 1:1 ack 13001 win 64000  cwnd 10000
        30.0 < [E.] 1:1 ack 14001 win 64000  cwnd 10000
        30.0 < [E.] 1:1 ack 15001 win 64000  cwnd 10000
        30.0 < [E.] 1:1 ack 16001 win 64000  cwnd 10000
        30.0 < [.] 1:1 ack 17001 win 64000  cwnd 10000
        30.0 < [.] 1:1 ack 19001 win 64000  cwnd 10000
        35.0 > [.] 20001:21001 ack 1 win 64000 ect0  cwnd 9000  TCP_CA_CWR
        35.0 > [FP.] 21001:22002 ack 1 win 64000 ect0  cwnd 8000  TCP_CA_CWR
        40.0 < [.] 1:1 ack 21001 win 64000  cwnd 10000
        40.0 < [F.] 1:2 ack 22002 win 64000  cwnd 10000
        45.0 > [.] 22002:22002 ack 2 win 64000  cwnd 6500
    "#]]
    .assert_eq(&pipe.log);
}

proptest::proptest! {
    /// Whatever is marked: all arrives, nothing is sent twice, and the window is reduced at most once for each round
    /// trip that the transfer took.
    #[test]
    fn marks_cost_no_retransmission(marks in proptest::collection::vec(proptest::bool::ANY, 1..40), rack: bool) {
        let recovery = if rack { Recovery::Rack } else { Recovery::Sack };
        let config = current().with(|kernel| kernel.recovery = recovery);
        let mut pipe = Pipe::connected(&config, &config, 5);
        pipe.ends[0].to_write = 200_000;
        let mut sent = 0;
        let (mut again, mut cwrs) = (0, 0);
        let mut fates = |from: usize, segment: &Segment, _: u64| {
            again += u32::from(segment.is_retransmission);
            cwrs += u32::from(segment.flags.contains(Flags::CWR));
            sent += 1;
            if from == 0 && marks[sent % marks.len()] {
                Fate::Marked(5 * MS)
            } else {
                Fate::After(5 * MS)
            }
        };
        pipe.run(&mut fates);
        pipe.assert_all_arrived();
        proptest::prop_assert_eq!(again, 0);
        let round_trips = pipe.now.0 / (10 * MS);
        proptest::prop_assert!(u64::from(cwrs) <= round_trips, "{} in {}", cwrs, round_trips);
    }
}
