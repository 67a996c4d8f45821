//! Frames as text.

use std::fmt::Write as _;

use expect_test::{Expect, expect};

use super::*;
use crate::import::kperf::tests::PAPER;
use crate::kernel::{Context, DropReason, Station, VerdictKind};

/// A frame for people: what each CPU does, where each packet is, how deep the queues are.
fn picture(replay: &Replay, frame: &Frame) -> String {
    let mut text = format!("at {} µs\n", frame.time / 1e3);
    let cpus = &frame.cpus;
    for (row, lane) in replay.lanes.lanes.iter().enumerate() {
        let context = Context::ALL[usize::from(cpus.context[row])];
        let _ = write!(
            text,
            "  CPU {}: {context}, pid {}",
            lane.cpu.0, cpus.pid[row]
        );
        if cpus.packet[row] != NONE {
            let _ = write!(text, ", on #{}", cpus.packet[row]);
        }
        text.push('\n');
    }
    let packets = &frame.packets;
    for row in 0..packets.packet.len() {
        let station = Station::ALL[usize::from(packets.station[row])];
        let _ = write!(
            text,
            "  #{}.{} {station}",
            packets.packet[row], packets.piece[row]
        );
        let _ = write!(text, " on {}", packets.cpu[row]);
        let (since, until) = (packets.since[row] / 1e3, packets.until[row] / 1e3);
        let _ = write!(text, ", {since} to {until} µs");
        let _ = write!(text, ", {} B in {}", packets.bytes[row], packets.parts[row]);
        if packets.is_served[row] == 1 {
            text.push_str(", served");
        }
        if packets.next_station[row] != NO_WORD {
            let next = Station::ALL[usize::from(packets.next_station[row])];
            let _ = write!(text, ", next {next} on {}", packets.next_cpu[row]);
        }
        if packets.verdict[row] != NO_WORD {
            let verdict = VerdictKind::ALL[usize::from(packets.verdict[row])];
            let _ = write!(text, ", {verdict}");
        }
        if packets.drop_reason[row] != NO_WORD {
            let reason = DropReason::ALL[usize::from(packets.drop_reason[row])];
            let _ = write!(text, " {reason}");
        }
        if packets.merged_into[row] != NONE {
            let _ = write!(text, " into #{}", packets.merged_into[row]);
        }
        text.push('\n');
    }
    for (row, queue) in replay.queues.iter().enumerate() {
        if frame.queue_depth[row] > 0 {
            let (depth, limit) = (frame.queue_depth[row], frame.queue_limit[row]);
            let (kind, label, unit) = (queue.kind, &queue.label, queue.unit);
            let _ = writeln!(text, "  {kind} {label}: {depth} of {limit} {unit}");
        }
    }
    text
}

fn check_frames(trace: &str, micros: &[u64], linger: u64, expected: &Expect) {
    let replay = replay_of(trace);
    let text: String = micros
        .iter()
        .map(|&at| picture(&replay, &replay.at(after(&replay, at), linger)))
        .collect();
    expected.assert_eq(&text);
}

#[test]
fn a_datagram_travels_from_one_cpu_to_the_reader_on_another() {
    check_frames(
        "
        1 ev irq_handler_entry ts 1.000000 cpu 0 ctx hardirq pid 0 irq 11 name eth0
        2 ev __napi_schedule ts 1.000001 cpu 0 ctx hardirq pid 0
        3 ev irq_handler_exit ts 1.000002 cpu 0 ctx hardirq pid 0 irq 11
        4 ev softirq_entry ts 1.000003 cpu 0 ctx softirq pid 0 vec 3
        5 ev napi_gro_receive ts 1.000005 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 proto 17 sport 48000 dport 5001
        6 ev netif_receive_skb ts 1.000010 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        7 ev ip_rcv_core ts 1.000015 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92
        8 ev udp_rcv ts 1.000020 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 72
        9 ev __udp_enqueue_schedule_skb ts 1.000025 cpu 0 ctx softirq pid 0 sk ffff888007000000 num 5001 rmem 0 rcvbuf 212992 skb ffff888005000100 len 64
        10 ev sock_def_readable ts 1.000027 cpu 0 ctx softirq pid 0 sk ffff888007000000 num 5001 rmem 1280 rcvbuf 212992
        11 ev sched_waking ts 1.000028 cpu 0 ctx softirq pid 0 target_pid 534 target_cpu 1
        12 ev napi_poll ts 1.000030 cpu 0 ctx softirq pid 0 work 1 budget 64 dev eth0
        13 ev softirq_exit ts 1.000031 cpu 0 ctx softirq pid 0 vec 3
        14 ev sched_switch ts 1.000040 cpu 1 ctx kernel pid 0 prev_pid 0 prev_state R next_pid 534
        15 ev skb_consume_udp ts 1.000045 cpu 1 ctx kernel pid 534 sk ffff888007000000 rmem 0 rcvbuf 212992 skb ffff888005000100 len 64 count 64
        16 ev udp_recvmsg_ret ts 1.000050 cpu 1 ctx kernel pid 534 ret 64
        17 ev __sys_recvfrom_ret ts 1.000052 cpu 1 ctx kernel pid 534 ret 64
        ",
        &[1, 12, 26, 35, 46, 52],
        10_000,
        &expect![[r#"
            at 1 µs
              CPU 0: hardirq, pid 0
              CPU 1: unknown, pid 4294967295
            at 12 µs
              CPU 0: softirq, pid 0, on #0
              CPU 1: unknown, pid 4294967295
              #0.0 net core on 0, 10 to 15 µs, 92 B in 1, served, next IP on 0
            at 26 µs
              CPU 0: softirq, pid 0, on #0
              CPU 1: unknown, pid 4294967295
              #0.0 receive queue on 0, 25 to 45 µs, 92 B in 1, served, next process on 1
            at 35 µs
              CPU 0: idle, pid 0
              CPU 1: unknown, pid 4294967295
              #0.0 receive queue on 0, 25 to 45 µs, 92 B in 1, next process on 1
              receive queue port 5001: 1280 of 212992 bytes
              run queue CPU 1: 1 of 0 tasks
            at 46 µs
              CPU 0: idle, pid 0
              CPU 1: kernel, pid 534, on #0
              #0.0 process on 1, 45 to 52 µs, 92 B in 1, served
            at 52 µs
              CPU 0: idle, pid 0
              CPU 1: user, pid 534
              #0.0 process on 1, 45 to 52 µs, 92 B in 1, delivered
        "#]],
    );
}

#[test]
fn a_dropped_packet_is_seen_to_fall() {
    check_frames(
        "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        2 ev ip_rcv_core ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92
        3 ev kfree_skb ts 1.000006 cpu 0 ctx softirq pid 0 skb ffff888005000100 reason NETFILTER_DROP
        4 ev softirq_exit ts 1.000020 cpu 0 ctx softirq pid 0 vec 3
        ",
        &[5, 6, 8, 12],
        5_000,
        &expect![[r#"
            at 5 µs
              CPU 0: softirq, pid 0, on #0
              #0.0 IP on 0, 4 to 6 µs, 92 B in 1, served
            at 6 µs
              CPU 0: softirq, pid 0
              #0.0 IP on 0, 4 to 6 µs, 92 B in 1, dropped NETFILTER_DROP
            at 8 µs
              CPU 0: softirq, pid 0
              #0.0 IP on 0, 4 to 6 µs, 92 B in 1, dropped NETFILTER_DROP
            at 12 µs
              CPU 0: softirq, pid 0
        "#]],
    );
}

#[test]
fn the_papers_packet_is_in_two_places_until_it_is_read() {
    check_frames(
        PAPER,
        &[0, 185, 320, 340, 359],
        1000,
        &expect![[r#"
            at 0 µs
              #0.0 net core on 65535, 0 to 9 µs, 2000 B in 2, served, next IP on 65535
            at 185 µs
              #0.0 transport on 65535, 13 to 317 µs, 2000 B in 2, served, next receive queue on 65535
              #0.1 net core on 65535, 179 to 188 µs, 2000 B in 2, served, next IP on 65535
            at 320 µs
              #0.0 receive queue on 65535, 317 to 359 µs, 2000 B in 2, next process on 65535
              #0.1 transport on 65535, 192 to 331 µs, 2000 B in 2, served, next receive queue on 65535
              receive queue : 1 of 0 packets
            at 340 µs
              #0.0 receive queue on 65535, 317 to 359 µs, 2000 B in 2, next process on 65535
              #0.1 receive queue on 65535, 331 to 359 µs, 2000 B in 2
              receive queue : 2 of 0 packets
            at 359 µs
              #0.0 process on 65535, 359 to 359 µs, 2000 B in 2, delivered
        "#]],
    );
}
