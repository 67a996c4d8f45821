//! What a datagram's socket has room for, and what a call gets.

use serde_json::json;

use super::*;
use crate::config::kernel::DatagramAdmission;
use crate::engine::Engine;
use crate::engine::cpu::HARD;
use crate::engine::ids::{Id as _, NicId};
use crate::engine::setup::testing::{World, in_call, ops, reasons, sock, task};

/// A reader on the watched host and a writer on the other one, both asleep.
fn engine() -> Engine {
    World {
        kernel: "6.1",
        is_udp: true,
        is_linked: true,
        is_recorded: true,
        roles: json!([
            { "name": "reader", "side": "server", "per": "host" },
            { "name": "writer", "side": "client", "per": "host" },
        ]),
        settings: json!({ "nics": 1 }),
        ..World::default()
    }
    .at_rest()
}

/// The reader's socket.
fn own() -> SockId {
    sock(1)
}

fn datagram(core: &mut Core, len: u32) -> SkbId {
    let mut frame = Frame {
        is_udp: true,
        from: Some(sock(0)),
        to: Some(own()),
        ..Frame::default()
    };
    frame.segment.len = len;
    core.alloc_skb(0, SkBuff::of(frame, Device::Nic(NicId::from_index(0))))
}

fn queue(engine: &mut Engine, len: u32) -> SkbId {
    let skb = datagram(&mut engine.core, len);
    engine.net.queue_datagram(&mut engine.core, 0, skb, own());
    skb
}

#[test]
fn what_is_beyond_the_receive_buffer_is_dropped_and_says_so() {
    // The limit is three datagrams' memory: one more goes in where the last may go beyond it, one less where what is
    // held stays below it.
    let kernels = [
        (DatagramAdmission::BelowLimit, 2),
        (DatagramAdmission::UntilFull, 4),
        (DatagramAdmission::FitsOrFirst, 3),
    ];
    for (admission, taken) in kernels {
        let mut engine = engine();
        let each = engine.net.stacks[0].datagram_memory(100);
        engine.net.stacks[0].datagram_receive_buffer = 3 * each;
        engine.net.stacks[0].datagram_admission = admission;
        let kept: Vec<_> = (0..taken).map(|_| queue(&mut engine, 100)).collect();
        assert_eq!(engine.core.hosts[0].totals.dropped, 0, "{admission:?}");
        queue(&mut engine, 100);
        let socket = &engine.net.sockets[own()];
        assert_eq!(socket.receive_queue, kept);
        let held = (socket.readable, socket.rmem_alloc);
        assert_eq!(held, (taken * 100, taken * each));
        assert_eq!(
            reasons(&engine.core),
            [Some(DropReason::SocketRcvbuff as u32)]
        );
    }
}

#[test]
fn an_empty_queue_takes_a_datagram_of_any_size_but_in_old_kernels() {
    let kernels = [
        (DatagramAdmission::BelowLimit, 0),
        (DatagramAdmission::UntilFull, 1),
        (DatagramAdmission::FitsOrFirst, 1),
    ];
    for (admission, taken) in kernels {
        let mut engine = engine();
        engine.net.stacks[0].datagram_receive_buffer = 1000;
        engine.net.stacks[0].datagram_admission = admission;
        queue(&mut engine, 60_000);
        let held = engine.net.sockets[own()].receive_queue.len();
        assert_eq!(held, taken, "{admission:?}");
        queue(&mut engine, 1_000);
        assert_eq!(engine.core.hosts[0].totals.dropped, 2 - held as u64);
    }
}

#[test]
fn each_fragment_counts_by_itself_until_the_datagram_is_read() {
    let mut engine = engine();
    let [first, second] = [1480, 1480].map(|len| datagram(&mut engine.core, len));
    engine.core.append_piece(first, second);
    engine.core.skbs[first].frame.segment.len = 2960;
    let stack = &engine.net.stacks[0];
    let memory = 2 * stack.datagram_memory(1480);
    assert_ne!(memory, stack.datagram_memory(2960));
    engine.net.queue_datagram(&mut engine.core, 0, first, own());
    assert_eq!(engine.net.sockets[own()].rmem_alloc, memory);
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.receive_datagram(core, 0, own(), 4000);
    let socket = &net.sockets[own()];
    assert_eq!((socket.rmem_alloc, socket.readable), (0, 0));
}

/// What a datagram of so much payload from a machine's NIC counts in its socket's buffer.
fn received_by(machine: &'static str, kernel: &'static str, len: u32) -> u32 {
    let mut engine = World {
        machine,
        kernel,
        is_udp: true,
        is_linked: true,
        settings: json!({ "nics": 1, "cpus": 1 }),
        ..World::default()
    }
    .engine();
    queue(&mut engine, len);
    engine.net.sockets[own()].rmem_alloc
}

#[test]
fn a_received_datagram_counts_the_memory_that_its_driver_allocated() {
    // mlx5: a line-aligned frame with 64 bytes before it, and `skb_shared_info`; 18 bytes fill a frame of 60.
    assert_eq!(received_by("current-server", "6.1", 18), 256 + 128 + 320);
    assert_eq!(received_by("current-server", "6.1", 1472), 256 + 1600 + 320);
    // 8139cp: a buffer of the ring, whatever is in it.
    assert_eq!(received_by("recorder", "6.1", 18), 256 + 1920);
    assert_eq!(received_by("recorder", "6.1", 1400), 256 + 1920);
    // 8139too: a copy of the frame, in whole lines of 32 bytes.
    assert_eq!(received_by("via-eden-553", "2.6.9", 18), 256 + 96);
}

/// A socket of 6.1 whose buffer holds so many datagrams of 100 bytes and is full, and what each of them counts.
fn full(datagrams: u32) -> (Engine, u32) {
    let mut engine = engine();
    let each = engine.net.stacks[0].datagram_memory(100);
    engine.net.stacks[0].datagram_receive_buffer = datagrams * each - 1;
    for _ in 0..datagrams {
        queue(&mut engine, 100);
    }
    (engine, each)
}

/// Memory that a socket counts after each of so many reads.
fn held_after_reads(engine: &mut Engine, reads: usize) -> Vec<u32> {
    let read = |_| {
        let (core, net) = (&mut engine.core, &mut engine.net);
        net.receive_datagram(core, 0, own(), 100);
        net.sockets[own()].rmem_alloc
    };
    (0..reads).map(read).collect()
}

#[test]
fn memory_is_given_back_when_a_quarter_of_the_buffer_was_read() {
    let (mut engine, each) = full(12);
    let held = held_after_reads(&mut engine, 6).into_iter();
    let held: Vec<u32> = held.map(|bytes| bytes / each).collect();
    assert_eq!(held, [12, 12, 9, 9, 9, 6]);
    queue(&mut engine, 100);
    let dropped = engine.core.hosts[0].totals.dropped;
    assert_eq!(dropped, 0, "there is room again");
}

#[test]
fn memory_is_given_back_when_the_reader_has_read_what_it_found() {
    let (mut engine, each) = full(12);
    engine.net.stacks[0].datagram_receive_buffer *= 4;
    assert_eq!(held_after_reads(&mut engine, 11)[10], 12 * each, "not yet");
    queue(&mut engine, 100);
    // The datagram that came meanwhile is not in the reader's queue.
    assert_eq!(held_after_reads(&mut engine, 2), [each, 0]);
}

#[test]
fn kernels_before_4_13_give_memory_back_with_each_datagram() {
    let (mut engine, each) = full(12);
    engine.net.stacks[0].datagram_releases_in_batches = false;
    assert_eq!(held_after_reads(&mut engine, 2), [11 * each, 10 * each]);
}

#[test]
fn only_a_reader_that_sleeps_is_woken() {
    let mut engine = engine();
    let wakes = Op::WakeReader { sock: own() };
    queue(&mut engine, 100);
    assert!(!ops(&mut engine.core, 0).contains(&wakes));
    engine.core.socks[own()].readers.push_back(task(0));
    queue(&mut engine, 100);
    assert!(ops(&mut engine.core, 0).contains(&wakes));
}

#[test]
fn a_call_takes_the_oldest_datagram_and_no_more_of_it_than_it_asks_for() {
    let mut engine = engine();
    let first = queue(&mut engine, 700);
    let second = queue(&mut engine, 100);
    ops(&mut engine.core, 0);
    let (core, net) = (&mut engine.core, &mut engine.net);
    net.receive_datagram(core, 0, own(), 500);
    let ops = ops(core, 0);
    let (skb, sock, bytes) = (first, own(), 500);
    assert_eq!(ops[3..], [Op::Free { skb }, Op::Return { sock, bytes }]);
    let socket = &net.sockets[own()];
    assert_eq!(socket.receive_queue, [second], "the rest of it is gone");
    assert_eq!((socket.readable, socket.delivered), (100, 500));
}

#[test]
fn a_call_that_finds_nothing_sleeps_and_looks_again() {
    let mut engine = engine();
    let (core, net) = (&mut engine.core, &mut engine.net);
    let (sock, wait, most) = (own(), Wait::Data, 500);
    net.receive_datagram(core, 0, sock, most);
    let expected = [
        Op::BusyLoop { sock },
        Op::Sleep { sock, wait },
        Op::RecvDatagram { sock, most },
    ];
    assert_eq!(ops(core, 0), expected);
}

#[test]
fn one_datagram_may_go_beyond_the_send_buffer_and_the_next_waits() {
    let mut engine = engine();
    let (core, net) = (&mut engine.core, &engine.net);
    let cpu = core.hosts[1].first_cpu;
    let each = net.stacks[1].datagram_memory(1000);
    core.hosts[1].datagram_send_buffer = each + 1;
    let from = sock(0);
    for _ in 0..2 {
        net.send_datagram(core, cpu, from, 1000);
        let ops = ops(core, cpu);
        assert!(matches!(ops.last(), Some(Op::Transmit { .. })));
    }
    assert_eq!(core.socks[from].wmem_alloc, 2 * each);
    net.send_datagram(core, cpu, from, 1000);
    let (sock, wait, bytes) = (from, Wait::Memory, 1000);
    let ops = ops(core, cpu);
    let expected = [Op::Sleep { sock, wait }, Op::SendDatagram { sock, bytes }];
    assert_eq!(ops[1..], expected);
    assert_eq!(core.socks[from].wmem_alloc, 2 * each);
}

#[test]
fn a_writer_goes_on_when_its_buffer_is_half_empty() {
    let mut engine = engine();
    let (core, net) = (&mut engine.core, &engine.net);
    let cpu = core.hosts[1].first_cpu;
    core.hosts[1].datagram_send_buffer = 3 * net.stacks[1].datagram_memory(1000);
    let sock = sock(0);
    let mut sent = Vec::new();
    for _ in 0..3 {
        net.send_datagram(core, cpu, sock, 1000);
        let last = ops(core, cpu).last().and_then(Op::skb);
        sent.extend(last);
    }
    core.socks[sock].writers.push_back(task(1));
    core.cpus[cpu].level = HARD;
    core.free_skb(cpu, sent[0]);
    assert_eq!(ops(core, cpu), [], "two thirds are in use");
    core.free_skb(cpu, sent[1]);
    assert_eq!(ops(core, cpu), [Op::WakeWriter { sock }]);
}

#[test]
fn the_loopback_device_takes_a_datagram_off_its_sender_at_once() {
    let mut engine = World {
        is_udp: true,
        ..World::default()
    }
    .at_rest();
    let (core, net) = (&mut engine.core, &engine.net);
    net.send_datagram(core, 0, sock(0), 1000);
    assert_eq!(core.socks[sock(0)].wmem_alloc, 0);
    let skb = core.stack(0).first().and_then(Op::skb).unwrap();
    assert_eq!(core.skbs[skb].frame.to, Some(sock(1)));
}

#[test]
fn a_datagram_that_goes_in_pieces_is_summed_while_it_is_copied_in_and_out() {
    for (len, is_summed) in [(1472, false), (1473, true)] {
        let mut engine = World {
            kernel: "6.18",
            is_udp: true,
            roles: json!([{ "name": "writer", "side": "client", "per": "host" }]),
            settings: json!({ "mtu_bytes": 1500 }),
            ..World::default()
        }
        .at_rest();
        let (core, net) = (&mut engine.core, &mut engine.net);
        in_call(core, task(0), 0);
        net.send_datagram(core, 0, sock(0), len);
        let sent = ops(core, 0).into_iter().rev().find_map(|op| op.skb());
        let skb = sent.unwrap();
        assert_eq!(core.skbs[skb].sum_with_copy, is_summed, "sent, {len}");
        core.skbs[skb].sum_with_copy = false;
        core.skbs[skb].frames = len.div_ceil(1480 - 8);
        net.deliver_finish(core, 0, skb);
        assert_eq!(core.skbs[skb].sum_with_copy, is_summed, "received, {len}");
        let copies = Net::copy_out_path(core, 0, skb) == Path::ChecksumCopyToUser;
        assert_eq!(copies, is_summed);
    }
}
