//! Records a script's run as events: calls, segments in and out, and TCP's state at each.
//!
//! TCP takes no time here. The events of one instant are spaced a microsecond apart, so that their order is
//! visible; a segment stays in the receive queue until a program reads it.

use std::collections::VecDeque;

use crate::config::kernel::Kernel;
use crate::ecn::Ecn;
use crate::tcp::Flags;
use ringside::kernel::{AddrId, Context, CpuId, Event, Field, Nanos, Origin, Pid, Probe};
use ringside::run::{Run, RunBuilder};

use super::host::{Host, Sent};
use super::script::{Call, Packet};

/// Spacing of events of one instant, in nanoseconds.
const STEP_NS: u64 = 1000;
/// The PID of the program that makes the calls.
const PROGRAM: Pid = Pid(1001);
/// packetdrill's addresses and ports: 192.168.0.1:8080 is the host under test.
const LOCAL: (u32, u32) = (0xc0a8_0001, 8080);
const REMOTE: (u32, u32) = (0xc000_0201, 40_000);
/// Base of the made-up addresses of packets and sockets.
const SKB: u64 = 0xffff_8000_0000;
const SOCK: u64 = 0xffff_9000_0000;

/// The recording of a run.
#[derive(Debug)]
pub struct Recording {
    builder: RunBuilder,
    /// Time of the last event in nanoseconds; no later event is recorded before it.
    last: u64,
    packets: u64,
    /// Packets in the receive queue, each with its number of unread bytes.
    queue: VecDeque<(AddrId, u32)>,
    /// Number of unread bytes at the last event.
    unread: u32,
    /// Index of the device's name.
    device: u32,
}

impl Recording {
    pub fn new(kernel: &Kernel) -> Self {
        let mut builder = RunBuilder::new(Origin::Simulated);
        builder.metadata("kernel", &kernel.title);
        builder.metadata("machine", "packetdrill script: TCP without costs");
        builder.comm(PROGRAM, "packetdrill");
        let device = builder.name("tun0").0;
        Self {
            builder,
            last: 0,
            packets: 0,
            queue: VecDeque::new(),
            unread: 0,
            device,
        }
    }

    fn emit(&mut self, host: &Host, probe: Probe, context: Context, skb: AddrId, len: u32) {
        let now = host.now.0 / 1_000_000;
        self.last = now.max(self.last + STEP_NS);
        let mut event = Event::new(Nanos(self.last), probe);
        event.cpu = CpuId(0);
        event.context = context;
        event.pid = PROGRAM;
        event.skb = skb;
        event.len = len;
        if let Some(number) = host.under_test {
            event.sk = self.builder.address(SOCK + 64 * number as u64);
        }
        self.builder.push(event);
    }

    fn new_packet(&mut self) -> AddrId {
        self.packets += 1;
        self.builder.address(SKB + 256 * self.packets)
    }

    fn headers(&mut self, (source, sport): (u32, u32), (target, dport): (u32, u32)) {
        for (field, value) in [
            (Field::Proto, 6),
            (Field::Sport, sport),
            (Field::Dport, dport),
            (Field::Saddr, source),
            (Field::Daddr, target),
        ] {
            self.builder.field(field, value);
        }
    }

    fn numbers(&mut self, seq: u64, ack: u64, flags: Flags, ecn: Ecn) {
        self.builder.field(Field::SeqNo, seq as u32);
        self.builder.field(Field::AckNo, ack as u32);
        if flags.has_any(Flags::ECE | Flags::CWR) {
            self.builder
                .field(Field::TcpFlags, flags.in_header().into());
        }
        if ecn != Ecn::NotEct {
            self.builder.field(Field::Ecn, ecn as u32);
        }
    }

    /// Records that a program makes a call.
    pub fn call(&mut self, host: &Host, call: &Call) {
        self.emit(
            host,
            Probe::SysEnter,
            Context::Kernel,
            AddrId::NONE,
            Event::NO_LEN,
        );
        let name = self.builder.name(&call.name).0;
        self.builder.field(Field::Name, name);
    }

    /// Records that a call returns; the bytes that it read leave the receive queue.
    pub fn returned(&mut self, host: &Host, call: &Call) {
        let number = host.under_test;
        let unread = number.map_or(0, |number| host.connections[number].tcb.unread());
        let mut taken = self.unread.saturating_sub(unread);
        self.unread = unread;
        while taken > 0 {
            let Some((skb, bytes)) = self.queue.pop_front() else {
                break;
            };
            let piece = bytes.min(taken);
            taken -= piece;
            self.emit(
                host,
                Probe::SkbCopyDatagramIter,
                Context::Kernel,
                skb,
                bytes,
            );
            self.builder.count(u64::from(piece));
            if piece < bytes {
                self.queue.push_front((skb, bytes - piece));
            } else {
                self.emit(host, Probe::ConsumeSkb, Context::Kernel, skb, bytes);
            }
        }
        self.emit(
            host,
            Probe::SysExit,
            Context::Kernel,
            AddrId::NONE,
            Event::NO_LEN,
        );
        let name = self.builder.name(&call.name).0;
        self.builder.field(Field::Name, name);
    }

    /// Records an incoming segment, before TCP processes it.
    pub fn inbound(&mut self, host: &Host, packet: &Packet) {
        let skb = self.new_packet();
        self.emit(
            host,
            Probe::NapiGroReceive,
            Context::Softirq,
            skb,
            packet.len,
        );
        self.headers(REMOTE, LOCAL);
        self.emit(host, Probe::IpRcv, Context::Softirq, skb, packet.len);
        self.emit(host, Probe::TcpV4Rcv, Context::Softirq, skb, packet.len);
        let (ack, ecn) = (packet.ack.unwrap_or(0), packet.ecn.on_arrival());
        self.numbers(packet.seq, ack, packet.flags, ecn);
        self.probe(host);
        if packet.len > 0 {
            self.emit(host, Probe::TcpQueueRcv, Context::Softirq, skb, packet.len);
            self.queue.push_back((skb, packet.len));
            self.unread = self.unread.saturating_add(packet.len);
        } else {
            self.emit(host, Probe::ConsumeSkb, Context::Softirq, skb, packet.len);
        }
    }

    /// `tcp_probe`: records the sender's state before the segment is processed.
    fn probe(&mut self, host: &Host) {
        let Some(number) = host.under_test else {
            return;
        };
        let fields = host.connections[number].tcb.probed().fields();
        self.emit(
            host,
            Probe::TcpProbe,
            Context::Softirq,
            AddrId::NONE,
            Event::NO_LEN,
        );
        for (field, value) in fields {
            self.builder.field(field, value);
        }
    }

    /// Records the segments sent since the last event.
    pub fn outbound(&mut self, host: &mut Host) {
        let mut sent = std::mem::take(&mut host.sent);
        for one in sent.iter_mut().filter(|one| !one.is_recorded) {
            one.is_recorded = true;
            self.out(host, one);
        }
        host.sent = sent;
    }

    fn out(&mut self, host: &Host, sent: &Sent) {
        let segment = &sent.segment;
        let skb = self.new_packet();
        let context = Context::Kernel;
        let probe = if segment.is_retransmission {
            Probe::TcpRetransmitSkb
        } else {
            Probe::TcpTransmitSkb
        };
        self.emit(host, probe, context, skb, segment.len);
        self.numbers(segment.seq, segment.ack, segment.flags, segment.ecn);
        self.headers(LOCAL, REMOTE);
        for probe in [
            Probe::NetDevQueue,
            Probe::NetDevStartXmit,
            Probe::NetDevXmit,
        ] {
            self.emit(host, probe, context, skb, segment.len);
            self.builder.field(Field::Dev, self.device);
        }
        self.emit(host, Probe::ConsumeSkb, context, skb, segment.len);
    }

    /// The finished run.
    pub fn finish(self) -> Run {
        self.builder.finish()
    }
}
