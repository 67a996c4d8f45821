//! What is said of small runs written by hand.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use crate::english::say;
use crate::kernel::{Nanos, PacketId};
use crate::replay::tests::replay_of;
use crate::told::captions::captions;
use crate::told::{Beat, Told, What, said};

/// The story of a packet, a line for each beat: when, whose, the sentence, what explains it, and
/// the kernel's words.
pub(super) fn check(trace: &str, packet: u32, expected: &Expect) {
    let replay = replay_of(trace);
    let told = Told::of(&replay, Some(PacketId(packet)));
    let mut text = String::new();
    for beat in &told.beats {
        let said = said(&replay, &told, beat);
        let micros = replay.since_start(beat.time) / 1000.0;
        write!(text, "{micros} µs #{}", beat.packet.0).unwrap();
        for saying in std::iter::once(&said.plain).chain(&said.why) {
            write!(text, " {}", say(saying, &replay)).unwrap();
        }
        writeln!(text, " [{}]", say(&said.kernel, &replay)).unwrap();
    }
    expected.assert_eq(&text);
}

/// A datagram that UDP gives to a socket, with what the socket tells, and what comes then.
fn datagram(skb: u32, micros: u32, sk: u32, told: &str, then: &str) -> String {
    let at = |after: u32| format!("1.{:06} cpu 0 ctx softirq pid 0", micros + after);
    let skb = format!("skb ffff8880050{skb:02}000");
    let sk = format!("sk ffff8880070{sk:02}000");
    let then = then.replace("SK", &sk).replace("SKB", &skb);
    format!(
        "1 ev udp_rcv ts {} {skb} len 72
         2 ev __udp_enqueue_schedule_skb ts {} {sk} {skb} len 64 {told}
         {then}
        ",
        at(0),
        at(2),
    )
}

/// A datagram whose reader has its bytes at this time.
fn datagram_read_at(time: &str) -> String {
    let then = format!(
        "3 ev skb_consume_udp ts {time} cpu 1 ctx kernel pid 534 SK skb ffff888005001000 len 64 count 64
         4 ev udp_recvmsg_ret ts {time} cpu 1 ctx kernel pid 534 ret 64"
    );
    datagram(1, 10, 1, "", &then)
}

#[test]
fn what_a_full_queue_refuses_is_never_said_to_be_in_it() {
    let trace = [
        datagram(1, 10, 1, "rmem 0 rcvbuf 4096", "3 ev sock_def_readable ts 1.000013 cpu 0 ctx softirq pid 0 SK rmem 2176 rcvbuf 4096"),
        datagram(2, 20, 1, "rmem 2176 rcvbuf 4096", "3 ev sock_def_readable ts 1.000023 cpu 0 ctx softirq pid 0 SK rmem 4352 rcvbuf 4096"),
        datagram(3, 30, 1, "rmem 4352 rcvbuf 4096", "3 ev kfree_skb ts 1.000033 cpu 0 ctx softirq pid 0 skb ffff888005003000 reason SOCKET_RCVBUFF"),
    ]
    .concat();
    check(
        &trace,
        2,
        &expect![[r#"
            0 µs #0 We follow packet 0: 72 B. [udp_rcv on CPU 0, softirq]
            0 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            2 µs #0 It is in the socket’s receive queue. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
            10 µs #1 We follow packet 1: 72 B. Packet 0 waits on to the end of this run: receive queue. [udp_rcv on CPU 0, softirq]
            10 µs #1 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            12 µs #1 It is in the socket’s receive queue, which holds 2.18 kB of 4.10 kB now. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
            14.858 µs #2 We follow packet 2 as soon as it comes: 72 B. It is first seen here: UDP. [udp_rcv on CPU 0, softirq]
            20 µs #2 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            23 µs #2 Packet 2 is dropped at the station receive queue: SOCKET_RCVBUFF. The queue is full: it holds 4.35 kB, more than its limit of 4.10 kB. The kernel asks for room before it adds a packet, so the last one may go past the limit. [__udp_enqueue_schedule_skb on CPU 0: sk_rmem_alloc is 4.35 kB, sk_rcvbuf 4.10 kB; they are compared before the packet’s truesize is added]
        "#]],
    );
}

#[test]
fn a_queue_is_called_full_only_where_that_is_the_reason() {
    let trace = datagram(
        1,
        10,
        1,
        "rmem 2176 rcvbuf 4096",
        "3 ev kfree_skb ts 1.000013 cpu 0 ctx softirq pid 0 skb ffff888005001000 reason PROTO_MEM",
    );
    check(
        &trace,
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 72 B. [udp_rcv on CPU 0, softirq]
            0 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            2 µs #0 It is in the socket’s receive queue, which holds 2.18 kB of 4.10 kB now. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
            3 µs #0 Packet 0 is dropped at the station receive queue: PROTO_MEM. All sockets of its protocol together had used up the memory that they may. [kfree_skb on CPU 0, softirq]
        "#]],
    );
}

#[test]
fn another_socket_s_full_queue_explains_nothing() {
    let trace = [
        "1 ev sock_rcvqueue_full ts 1.000012 cpu 1 ctx softirq pid 0 sk ffff888007002000 rmem 9000 truesize 768 rcvbuf 8192\n".to_owned(),
        datagram(1, 10, 1, "", "3 ev kfree_skb ts 1.000013 cpu 0 ctx softirq pid 0 skb ffff888005001000 reason SOCKET_RCVBUFF"),
    ]
    .concat();
    check(
        &trace,
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 72 B. [udp_rcv on CPU 0, softirq]
            0 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            3 µs #0 Packet 0 is dropped at the station receive queue: SOCKET_RCVBUFF. Its socket’s receive buffer had no room: the process reads too slowly. [kfree_skb on CPU 0, softirq]
        "#]],
    );
}

#[test]
fn a_copy_that_is_the_end_too_is_told_once() {
    let trace = datagram_read_at("1.000020");
    check(
        &trace,
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 72 B. [udp_rcv on CPU 0, softirq]
            0 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            2 µs #0 It is in the socket’s receive queue, alone. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
            10 µs #0 64 B are copied to task 534. CPU 0 handled it, CPU 1 reads it: its cache lines have to come over. [skb_consume_udp on CPU 1, kernel]
        "#]],
    );
}

#[test]
fn the_backlog_s_poll_is_not_the_nic_s() {
    let trace = "
        1 ev wire_rx ts 1.000001 skb ffff888005001000 len 106 dev eth0
        2 ev irq_handler_entry ts 1.000005 cpu 0 ctx hardirq pid 0 irq 24 name eth0
        3 ev __napi_schedule ts 1.000006 cpu 0 ctx hardirq pid 0 napi ffff888006000000
        4 ev irq_handler_exit ts 1.000007 cpu 0 ctx hardirq pid 0 irq 24
        5 ev softirq_entry ts 1.000008 cpu 0 ctx softirq pid 0 vec 3
        6 ev napi_poll ts 1.000009 cpu 0 ctx softirq pid 0 work 9 budget 64 dev (no_device)
        7 ev napi_gro_receive ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 92 dev eth0
        8 ev napi_poll ts 1.000020 cpu 0 ctx softirq pid 0 work 2 budget 64 dev eth0
        9 ev softirq_exit ts 1.000021 cpu 0 ctx softirq pid 0 vec 3";
    check(
        trace,
        0,
        &expect![[r#"
            0 µs #0 We follow packet 0: 106 B. [wire_rx]
            0 µs #0 The NIC writes the frame into the ring, which was empty. No CPU knows of it yet: the NIC will interrupt one. [wire_rx]
            4 µs #0 CPU 0 takes the interrupt 4.00 µs after the frame was written into the ring. The interrupt only asks for a softirq, which will fetch the frame. [irq_handler_entry on CPU 0, hardirq]
            7 µs #0 CPU 0 starts the softirq that empties the ring. This poll takes 2 frames in one go. [softirq_entry on CPU 0, softirq]
            9 µs #0 In its softirq CPU 0 takes the frame out of the ring, where it waited 9.00 µs. The driver hands the frame up, through GRO if that is switched on. [napi_gro_receive on CPU 0, softirq]
        "#]],
    );
}

#[test]
fn a_poll_goes_on_while_frames_come_as_bare_pages() {
    let trace = "
        1 ev softirq_entry ts 1.000001 cpu 0 ctx softirq pid 0 vec 3
        2 ev napi_gro_frags_entry ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 1500 dev eth0
        3 ev napi_gro_frags_exit ts 1.000003 cpu 0 ctx softirq pid 0 ret 2
        4 ev napi_gro_frags_entry ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005002000 len 1500 dev eth0
        5 ev skb_gro_receive ts 1.000005 cpu 0 ctx softirq pid 0 skb ffff888005002000 len 1500 into ffff888005001000
        6 ev napi_gro_frags_exit ts 1.000006 cpu 0 ctx softirq pid 0 ret 1
        7 ev netif_receive_skb ts 1.000007 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 2948 dev eth0
        8 ev napi_gro_frags_entry ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005003000 len 60 dev eth0
        9 ev napi_gro_frags_exit ts 1.000011 cpu 0 ctx softirq pid 0 ret 3
        10 ev napi_poll ts 1.000020 cpu 0 ctx softirq pid 0 work 3 budget 64 dev eth0
        11 ev softirq_exit ts 1.000021 cpu 0 ctx softirq pid 0 vec 3";
    check(
        trace,
        0,
        &expect![[r#"
            0.358 µs #0 We follow packet 0 as soon as it comes: 2.95 kB. It is first seen here: GRO. [napi_gro_frags_entry on CPU 0, softirq]
            1 µs #0 GRO looks whether the frame can be merged with those before it. GRO holds it: more of its flow may come in this poll. [napi_gro_frags_entry on CPU 0, softirq]
            6 µs #0 The net core hands it to the protocol that its header names. [netif_receive_skb on CPU 0, softirq]
            9 µs #2 We follow packet 2: 60 B. [napi_gro_frags_entry on CPU 0, softirq]
            9 µs #2 GRO looks whether the frame can be merged with those before it. GRO has nothing to merge it with and no reason to wait: it goes on alone. [napi_gro_frags_entry on CPU 0, softirq]
        "#]],
    );
}

/// What a caption says of a copy is what the view of the caches says of it: all lines of the bytes
/// that it waited for, and none that its task touched before or after.
#[test]
fn a_copy_costs_in_a_caption_what_it_costs_in_the_caches() {
    let trace = "# kperf 2
        # origin: simulated
        # clock_khz: 1000000
        # comm 7 reader
        1 ev __udp_enqueue_schedule_skb ts 1.000001000 cpu 1 ctx softirq pid 0 skb ffff0100 sk ffff0900 len 1480
        2 ev skb_copy_datagram_iter ts 1.000002000 cpu 0 ctx kernel pid 7 skb ffff0100 sk ffff0900 len 800 count 800
        3 ev cache_line_move ts 1.000002000 cpu 0 ctx kernel pid 7 skb ffff0100 from_cpu 1 lines 13 cycles 1820 object data clone 1
        4 ev cache_line_move ts 1.000002500 cpu 0 ctx kernel pid 7 from_cpu 1 lines 1 cycles 140 object sock clone 0
        5 ev skb_copy_datagram_iter ts 1.000005000 cpu 0 ctx kernel pid 7 skb ffff0100 sk ffff0900 len 672 count 672
        6 ev cache_line_move ts 1.000005000 cpu 0 ctx kernel pid 7 skb ffff0100 from_cpu 1 lines 10 cycles 1400 object data clone 1
        7 ev tcp_recvmsg_ret ts 1.000009000 cpu 0 ctx kernel pid 7 sk ffff0900 ret 1472
        8 ev cache_line_move ts 1.000009000 cpu 0 ctx kernel pid 7 from_cpu 1 lines 2 cycles 280 object lock clone 0";
    let replay = replay_of(trace);
    let told = Told::of(&replay, Some(PacketId(0)));
    let sentences: String = told
        .beats
        .iter()
        .filter_map(|beat| said(&replay, &told, beat).why)
        .map(|why| say(&why, &replay))
        .collect();
    assert!(
        sentences.contains("23 cache lines come over from CPU 1, at a price of 3,220 cycles."),
        "{sentences}"
    );
}

#[test]
fn a_reader_that_is_pushed_off_twice_while_a_packet_waits_is_told_each_time() {
    let switch = |line: u32, micros: u32, from: u32, state: &str, to: u32| {
        format!(
            "{line} ev sched_switch ts 1.{micros:06} cpu 1 ctx kernel pid {from} prev_comm task prev_pid {from} prev_state {state} next_comm task next_pid {to}\n"
        )
    };
    let trace = [
        datagram(1, 10, 1, "rmem 0 rcvbuf 4096", "3 ev sched_waking ts 1.000013 cpu 0 ctx softirq pid 0 target_pid 534 target_cpu 1\n"),
        switch(4, 20, 0, "S", 534),
        switch(5, 30, 534, "R", 60),
        switch(6, 40, 60, "R", 534),
        switch(7, 50, 534, "R", 61),
        switch(8, 60, 61, "R", 534),
        "9 ev skb_consume_udp ts 1.000070 cpu 1 ctx kernel pid 534 sk ffff888007001000 skb ffff888005001000 len 64 count 64\n".into(),
        "10 ev udp_recvmsg_ret ts 1.000072 cpu 1 ctx kernel pid 534 ret 64\n".into(),
    ]
    .concat();
    check(
        &trace,
        0,
        &expect![[r#"
        0 µs #0 We follow packet 0: 72 B. [udp_rcv on CPU 0, softirq]
        0 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
        2 µs #0 It is in the socket’s receive queue, alone. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
        3 µs #0 The reader, task 534, is woken. The packet has waited 1.00 µs for it. [sched_waking on CPU 0, softirq]
        10 µs #0 task 534 gets CPU 1 and goes on reading. The packet has waited 8.00 µs for it. [sched_switch on CPU 1, kernel]
        20 µs #0 task 60 pushes task 534 off CPU 1: the packet waits for its reader. Meanwhile 1 packet waits for it in the receive queue (socket ffff888007001000). [sched_switch on CPU 1, kernel]
        30 µs #0 task 534 gets CPU 1 and goes on reading. The packet has waited 28.0 µs for it. [sched_switch on CPU 1, kernel]
        40 µs #0 task 61 pushes task 534 off CPU 1: the packet waits for its reader. Meanwhile 1 packet waits for it in the receive queue (socket ffff888007001000). [sched_switch on CPU 1, kernel]
        50 µs #0 task 534 gets CPU 1 and goes on reading. The packet has waited 48.0 µs for it. [sched_switch on CPU 1, kernel]
        60 µs #0 task 534 gets CPU 1, and 64 B are copied to it. CPU 0 handled it, CPU 1 reads it: its cache lines have to come over. [skb_consume_udp on CPU 1, kernel]
        62 µs #0 task 534 has it, 62.0 µs after its first event. Of that it waited 57.0 µs. [udp_recvmsg_ret on CPU 1, kernel]
    "#]],
    );
}

#[test]
fn what_is_done_by_hand_is_told_at_its_moment_and_never_left_out() {
    let scenario = r#"{"faults":[
        {"at_us":1000009,"at_ns":500,"do":"steal_cpu","cpu":1,"us":2000},
        {"at_us":1000012,"do":"drop_frame","sent":true},
        {"at_us":1000012,"do":"what_is_new"},
        {"at_us":9000000,"do":"drop_frame"}]}"#;
    let read = "3 ev skb_consume_udp ts 1.000020 cpu 0 ctx kernel pid 534 SK skb ffff888005001000 len 64 count 64";
    let trace = format!(
        "# scenario: {}\n0 ev irq_handler_entry ts 1.000008 cpu 0 ctx hardirq pid 0 irq 1\n{}",
        scenario.replace('\n', ""),
        datagram(1, 10, 1, "rmem 0 rcvbuf 4096", read),
    );
    check(
        &trace,
        0,
        &expect![[r#"
            0.715 µs #0 We follow packet 0 as soon as it comes: 72 B. It is first seen here: UDP. [udp_rcv on CPU 0, softirq]
            1.5 µs #4294967295 Here CPU 1 is taken away by hand: a hard interrupt keeps it for 2.00 ms. Up to here the run is the same as without it. [No function of the kernel: the scenario does this at 1.00 s]
            2 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
            4 µs #4294967295 Here something is done by hand: the next frame that this host sends is lost on the link. Up to here the run is the same as without it. [No function of the kernel: the scenario does this at 1.00 s]
            4 µs #0 It is in the socket’s receive queue, alone. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
            12 µs #0 64 B are copied to task 534. Since its first event 10.0 µs have passed; of that it waited 0 ns. [skb_consume_udp on CPU 0, kernel]
        "#]],
    );
    let replay = replay_of(&trace);
    let told = Told::of(&replay, None);
    let by_hand = |beat: u32| matches!(told.beats[beat as usize].what, What::Intervenes(_));
    let read = captions(&told).into_iter().filter(|one| by_hand(one.beat));
    assert_eq!(read.count(), 2);
}

#[test]
fn where_a_followed_packet_waits_while_film_folds_is_said_and_can_be_read() {
    let trace = datagram_read_at("1.004020");
    check(
        &trace,
        0,
        &expect![[r#"
        0 µs #0 We follow packet 0: 72 B. [udp_rcv on CPU 0, softirq]
        0 µs #0 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
        2 µs #0 It is in the socket’s receive queue, alone. It stays there until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
        503 µs #0 Packet 0 waits 4.01 ms in the receive queue, until the process reads. [__udp_enqueue_schedule_skb on CPU 0, softirq]
        4010 µs #0 64 B are copied to task 534. CPU 0 handled it, CPU 1 reads it: its cache lines have to come over. [skb_consume_udp on CPU 1, kernel]
    "#]],
    );
    let replay = replay_of(&trace);
    let told = Told::of(&replay, Some(PacketId(0)));
    let films: Vec<f64> = told
        .beats
        .iter()
        .map(|beat| told.pieces.film_at(beat.time))
        .collect();
    let waits = |beat: &Beat| beat.what == What::Waits(0);
    let at = told.beats.iter().position(waits).unwrap();
    assert!(films[at + 1] - films[at] > 0.9, "{films:?}");
}

/// Of two fragments the second completes the datagram: IP waits for none with it.
#[test]
fn the_fragment_that_completes_its_datagram_does_not_wait_for_it() {
    let trace = "
        1 ev ip_defrag ts 1.000001 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 1500 ip_id 0xe494 frag_off 0x2000 proto 17 sport 47508 dport 5001
        2 ev inet_frag_queue_insert ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888005001000 len 1480 off 0 end 1480
        3 ev ip_defrag ts 1.000002 cpu 0 ctx softirq pid 0 skb ffff888005002000 len 628 ip_id 0xe494 frag_off 0x00b9 proto 17
        4 ev inet_frag_queue_insert ts 1.000003 cpu 0 ctx softirq pid 0 skb ffff888005002000 len 608 off 1480 end 2088
        5 ev inet_frag_reasm_finish ts 1.000009 cpu 0 ctx softirq pid 0 skb ffff888005002000 len 1480
        6 ev udp_rcv ts 1.000012 cpu 0 ctx softirq pid 0 skb ffff888005002000 len 2088";
    check(
        trace,
        0,
        &expect![[r#"
        0 µs #0 We follow packet 1 · 1/2: 1.50 kB, UDP ?:47508 → ?:5001. Its datagram comes in 2 fragments, each a packet of its own. [ip_defrag on CPU 0, softirq]
        0 µs #0 IP keeps fragment 1 of 2 until the whole datagram is here. Only fragment 2 is missing. [ip_defrag on CPU 0, softirq]
        11 µs #0 It goes on as a part of packet 1. [inet_frag_queue_insert on CPU 0, softirq]
    "#]],
    );
    check(
        trace,
        1,
        &expect![[r#"
        0 µs #1 We follow packet 1 as soon as it comes: 2.09 kB, UDP ?:47508 → ?:5001. Its datagram comes in 2 fragments, each a packet of its own. [ip_defrag on CPU 0, softirq]
        0.358 µs #1 We follow packet 1 as soon as it comes: 2.09 kB, UDP ?:47508 → ?:5001. Its datagram comes in 2 fragments, each a packet of its own. [ip_defrag on CPU 0, softirq]
        1 µs #1 Fragment 2 of 2 is the last that was missing: IP puts the datagram together. [ip_defrag on CPU 0, softirq]
        8 µs #1 All 2 fragments are here: packet 1 is whole again, 8.00 µs after its first fragment. [inet_frag_reasm_finish on CPU 0, softirq]
        11 µs #1 UDP looks up the socket by its port. [udp_rcv on CPU 0, softirq]
    "#]],
    );
}

/// Its end is the start of its last copy; another packet that moves meanwhile is followed once it has come over.
#[test]
fn a_packet_is_followed_until_it_is_copied_to_another_cpu() {
    let trace = "# kperf 2
        # origin: simulated
        # clock_khz: 1000000
        # comm 7 reader
        1 ev __udp_enqueue_schedule_skb ts 1.000001000 cpu 1 ctx softirq pid 0 skb ffff0100 sk ffff0900 len 1480
        2 ev skb_copy_datagram_iter ts 1.000002000 cpu 0 ctx kernel pid 7 skb ffff0100 sk ffff0900 len 1472 count 1472
        3 ev cache_line_move ts 1.000002000 cpu 0 ctx kernel pid 7 skb ffff0100 from_cpu 1 lines 23 cycles 3220 object data clone 1
        4 ev ip_rcv ts 1.000003000 cpu 1 ctx softirq pid 0 skb ffff0200 len 1500
        5 ev udp_rcv ts 1.000004000 cpu 1 ctx softirq pid 0 skb ffff0200 len 1480
        6 ev __udp_enqueue_schedule_skb ts 1.000007000 cpu 1 ctx softirq pid 0 skb ffff0200 sk ffff0900 len 1480
        7 ev tcp_recvmsg_ret ts 1.000009000 cpu 0 ctx kernel pid 7 sk ffff0900 ret 1472
        8 ev skb_copy_datagram_iter ts 1.000010000 cpu 0 ctx kernel pid 7 skb ffff0200 sk ffff0900 len 1472 count 1472";
    let replay = replay_of(trace);
    let told = Told::of(&replay, Some(PacketId(0)));
    let after = |nanos: u64| told.actor_at(Nanos(replay.run.start().0 + nanos));
    assert_eq!(
        [1_000, 4_000, 7_000, 9_500].map(after),
        [0, 0, 0, 1].map(|packet| Some(PacketId(packet)))
    );
}
