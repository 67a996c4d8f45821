//! The fields of the event that a step's probe records.

use std::net::Ipv4Addr;

use crate::ecn::Ecn;
use crate::engine::Engine;
use crate::engine::cpu::op::About;
use crate::engine::ids::{Device, Id as _, SkbId, SockId};
use crate::engine::ip::UDP_HEADER;
use crate::engine::memory::skbuff::SkBuff;
use crate::tcp::{Flags, Segment};
use ringside::kernel::{Field, Probe};

/// Address of the reassembly queues of datagrams, 256 bytes for each.
const FRAG_QUEUES: u64 = 0xffff_a000_0000;

/// `ip_local_port_range` of 2.4 and 2.6 with much memory: 32768 to 61000 (`net/ipv4/tcp.c: tcp_init`, v2.6.3).
/// v6.1 has one port less (`net/ipv4/af_inet.c: inet_init_net`) and draws a port at random where we count
/// upwards: here a port only distinguishes flows.
const FIRST_EPHEMERAL: u32 = 32_768;
const EPHEMERAL_PORTS: u32 = 28_233;

impl Engine {
    /// A step hits a probe: records its event with its fields.
    pub fn pass(&mut self, cpu: usize, probe: Probe, about: About, has_mark: bool) {
        if !self.core.emit(cpu, probe, about) {
            return;
        }
        if has_mark {
            self.mark(cpu, about);
        }
        if let Some(sock) = about.sock {
            self.depth_of(probe, about.skb, sock);
        }
        if let Some(skb) = about.skb {
            if probe == Probe::InetFragQueueInsert {
                self.fragment_fields(skb);
            }
            self.flow_fields(probe, skb);
        }
        let headers = self.net.stacks[0].header_bytes - 20;
        let core = &mut self.core;
        match probe {
            Probe::NetifReceiveSkb
            | Probe::NetifRx
            | Probe::NetDevXmit
            | Probe::IpRcv
            | Probe::NetDevQueue
            | Probe::NetDevStartXmit => core.amend_len(headers + 20),
            Probe::TcpRcvEstablished | Probe::TcpDataQueue | Probe::TcpAddBacklog => {
                core.amend_len(headers);
            }
            Probe::TcpV4Rcv | Probe::TcpTransmitSkb | Probe::IpQueueXmit => {
                core.amend_len(headers);
                let segment = about.skb.map(|skb| core.skbs[skb].frame.segment);
                // For data, `tcp_transmit_skb` records the flow, which an ACK does not pass.
                let is_told = |segment: &Segment| probe != Probe::IpQueueXmit || segment.len == 0;
                if let Some(segment) = segment.filter(is_told) {
                    core.field(Field::SeqNo, segment.seq as u32);
                    core.field(Field::AckNo, segment.ack as u32);
                    core.field(Field::RcvWnd, segment.window);
                    if segment.flags.has_any(Flags::ECE | Flags::CWR) {
                        core.field(Field::TcpFlags, segment.flags.in_header().into());
                    }
                    if segment.ecn != Ecn::NotEct {
                        core.field(Field::Ecn, segment.ecn as u32);
                    }
                    for (from, to) in segment.sack.from_ack(segment.ack) {
                        core.field(Field::SackFrom, from as u32);
                        core.field(Field::SackTo, to as u32);
                    }
                }
            }
            Probe::BuildSkb => {
                if let Some(buffer) = about.skb.and_then(|skb| core.skbs[skb].buffer) {
                    let data = core.address_of(buffer);
                    core.field(Field::Data, data.0);
                }
            }
            Probe::SkbCopyDatagramIter => core.field(Field::Count, about.count),
            Probe::SysRecvfromRet | Probe::TcpRecvmsgRet => core.field(Field::Ret, about.count),
            _ => {}
        }
    }

    /// `tcp_rcv_established` hits `tcp:tcp_probe`, where the kernel has it: the connection's state before the
    /// segment is processed. 6.1 records addresses and ports but neither packet nor socket, and 16 bits of the
    /// payload's length (`include/trace/events/tcp.h`).
    pub fn pass_tcp_probe(&mut self, cpu: usize, about: About) {
        let (Some(skb), Some(sock)) = (about.skb, about.sock) else {
            return;
        };
        let Some(probed) = self.net.sockets[sock].probed.take() else {
            return;
        };
        if !self.core.emit(cpu, Probe::TcpProbe, About::default()) {
            return;
        }
        let frame = self.core.skbs[skb].frame;
        let peer = frame.from.map(|from| self.end_of(from));
        let (address, port) = self.end_of(sock);
        let core = &mut self.core;
        core.field(Field::Saddr, address);
        core.field(Field::Sport, port);
        if let Some((address, port)) = peer {
            core.field(Field::Daddr, address);
            core.field(Field::Dport, port);
        }
        for (field, value) in probed.fields() {
            core.field(field, value);
        }
        core.field(Field::Payload, frame.segment.len & 0xffff);
    }

    /// The addresses and ports of a packet's flow, at the first probe that it hits: ports always, addresses
    /// once per flow, since ports distinguish the flows of a run.
    fn flow_fields(&mut self, probe: Probe, skb: SkbId) {
        let SkBuff { frame, device, .. } = self.core.skbs[skb];
        let has_gro = self.net.stacks[0].receive.gro;
        let is_first = match probe {
            Probe::TcpTransmitSkb | Probe::NapiGroReceive => true,
            Probe::IpOutput => frame.is_udp,
            // An ACK does not pass the functions that data pass.
            Probe::IpQueueXmit => frame.segment.len == 0,
            Probe::NetifReceiveSkb => device != Device::Loopback && !has_gro,
            _ => false,
        };
        let (Some(from), Some(to), true) = (frame.from, frame.to, is_first) else {
            return;
        };
        let (source, sport) = self.end_of(from);
        let (destination, dport) = self.end_of(to);
        let core = &mut self.core;
        core.field(Field::Proto, if frame.is_udp { 17 } else { 6 });
        core.field(Field::Sport, sport);
        core.field(Field::Dport, dport);
        if core.recorder.record.is_new_flow(core.socks[from].flow) {
            core.field(Field::Saddr, source);
            core.field(Field::Daddr, destination);
        }
    }

    /// Address and port of a socket: clients have ephemeral ports in the order of their creation, servers the
    /// workload's port.
    fn end_of(&self, sock: SockId) -> (u32, u32) {
        let state = &self.core.socks[sock];
        let address = match state.device {
            Device::Loopback => Ipv4Addr::LOCALHOST,
            Device::Nic(nic) => Ipv4Addr::new(10, 0, nic.index() as u8, state.host as u8 + 1),
        };
        let number = sock.index() as u32;
        let is_client = state.flow == number;
        let port = if state.port > 0 {
            u32::from(state.port)
        } else if is_client {
            FIRST_EPHEMERAL + number % EPHEMERAL_PORTS
        } else {
            self.net.connecting.server_port.into()
        };
        (address.to_bits(), port)
    }

    /// The datagram that a fragment belongs to, and the range of its bytes.
    fn fragment_fields(&mut self, skb: SkbId) {
        let core = &mut self.core;
        let frame = core.skbs[skb].frame;
        let fragment = frame.fragment;
        let header = if fragment.offset == 0 { UDP_HEADER } else { 0 };
        let queue = FRAG_QUEUES + u64::from(fragment.id) * 256;
        let queue = core.recorder.record.address(queue);
        core.field(Field::Q, queue.0);
        core.field(Field::Off, fragment.offset);
        core.field(Field::End, fragment.offset + header + frame.segment.len);
    }

    /// The length of a socket's queue that a packet joins. A segment merged into the last one of the backlog
    /// names that one, which a kernel's event does not.
    fn depth_of(&mut self, probe: Probe, skb: Option<SkbId>, sock: SockId) {
        let socket = &self.net.sockets[sock];
        let depth = match probe {
            Probe::TcpPrequeue => socket.prequeue.len(),
            Probe::TcpAddBacklog => socket.backlog.len(),
            Probe::TcpQueueRcv | Probe::UdpEnqueueScheduleSkb => {
                // A packet that a reader has begun to read is not counted, though the kernel dequeues it only
                // once all of it has been read.
                let first = socket.receive_queue.front();
                let first = first.map(|&skb| &self.core.skbs[skb]);
                let is_begun = first.is_some_and(|first| first.unread < first.len());
                socket.receive_queue.len() + 1 - usize::from(is_begun)
            }
            _ => return,
        };
        let core = &mut self.core;
        core.field(Field::Depth, depth as u32);
        if probe == Probe::TcpAddBacklog {
            let waiting = socket.backlog.iter();
            let bytes = waiting.map(|&skb| core.skbs[skb].len()).sum();
            core.field(Field::Backlog, bytes);
            let last = socket.backlog.back().copied();
            if let Some(head) = last.filter(|_| last != skb) {
                let into = core.skbs[head].address;
                core.field(Field::Into, into.0);
            }
        }
    }

    /// What the 2005 toolkit reads from a payload: the sending thread, the message's number and the number of
    /// its frames of 16 bytes (Göttingen 2005, section 3.2).
    fn mark(&mut self, cpu: usize, about: About) {
        let core = &mut self.core;
        let (sock, bytes, offset) = if let Some(skb) = about.skb {
            let frame = &core.skbs[skb].frame;
            (frame.from, frame.segment.len, frame.segment.seq)
        } else if let (Some(sock), Some(task)) = (about.sock, core.cpus[cpu].current) {
            let bytes = match about.count {
                0 => core.tasks[task].message,
                bytes => bytes,
            };
            (Some(sock), bytes, core.socks[sock].written)
        } else {
            return;
        };
        let Some(sock) = sock.filter(|_| bytes >= 16) else {
            return;
        };
        let state = &core.socks[sock];
        let message = u64::from(self.message_bytes.max(1));
        let number = if state.is_udp {
            offset.max(1)
        } else {
            offset.saturating_sub(1) / message + 1
        };
        let thread = state.flow + 1;
        core.field(Field::Thread, thread);
        core.field(Field::Packet, number as u32);
        core.field(Field::Frames, bytes / 16);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::engine::ids::NicId;
    use crate::engine::memory::skbuff::{Fragment, Frame};
    use crate::engine::setup::testing::{World, sock};

    /// The fields of the last event of a recorded run.
    fn told(engine: &Engine, fields: &[Field]) -> Vec<Option<u32>> {
        let run = engine.core.recorder.record.so_far().unwrap();
        let last = run.indices().last().unwrap();
        fields.iter().map(|&field| run.field(last, field)).collect()
    }

    fn recorded(is_udp: bool) -> Engine {
        World {
            kernel: "6.1",
            is_udp,
            is_linked: true,
            is_recorded: true,
            settings: json!({ "nics": 1, "cpus": 1 }),
            ..World::default()
        }
        .at_rest()
    }

    fn packet(engine: &mut Engine, frame: Frame) -> About {
        let frame = Frame {
            from: Some(sock(0)),
            to: Some(sock(1)),
            ..frame
        };
        let packet = SkBuff::of(frame, Device::Nic(NicId::from_index(0)));
        About::skb(engine.core.alloc_skb(0, packet))
    }

    #[test]
    fn a_flow_says_its_ports_each_time_and_its_addresses_once() {
        let mut engine = recorded(false);
        let about = packet(&mut engine, Frame::default());
        let fields = [Field::Sport, Field::Dport, Field::Saddr, Field::Proto];
        engine.pass(0, Probe::NapiGroReceive, about, false);
        let first = told(&engine, &fields);
        let sender = Ipv4Addr::new(10, 0, 0, engine.core.socks[sock(0)].host as u8 + 1);
        let (port, address) = (Some(FIRST_EPHEMERAL), Some(sender.to_bits()));
        assert_eq!(first, [port, Some(1), address, Some(6)]);
        engine.pass(0, Probe::NapiGroReceive, about, false);
        assert_eq!(told(&engine, &fields), [port, Some(1), None, Some(6)]);
        engine.pass(0, Probe::TcpV4Rcv, about, false);
        assert_eq!(
            told(&engine, &fields),
            [None; 4],
            "whoever is not the first to see it"
        );
    }

    #[test]
    fn a_piece_says_its_datagram_and_its_bytes_with_the_header_in_the_first() {
        let mut engine = recorded(true);
        let mut ends = |offset: u32, len: u32| {
            let fragment = Fragment {
                id: 3,
                offset,
                total: 2008,
            };
            let segment = Segment {
                len,
                ..Segment::default()
            };
            let frame = Frame {
                fragment,
                segment,
                is_udp: true,
                ..Frame::default()
            };
            let about = packet(&mut engine, frame);
            engine.pass(0, Probe::InetFragQueueInsert, about, false);
            told(&engine, &[Field::Off, Field::End])
        };
        assert_eq!(ends(0, 1472), [Some(0), Some(1480)]);
        assert_eq!(ends(1480, 528), [Some(1480), Some(2008)]);
    }

    #[test]
    fn a_segment_says_what_its_header_has_and_data_is_not_told_twice() {
        let mut engine = recorded(false);
        let segment = |len| Segment {
            seq: 11,
            ack: 7,
            len,
            ..Segment::default()
        };
        let mut numbers = |probe, len| {
            let frame = Frame {
                segment: segment(len),
                ..Frame::default()
            };
            let about = packet(&mut engine, frame);
            engine.pass(0, probe, about, false);
            told(&engine, &[Field::SeqNo, Field::AckNo])
        };
        let both = [Some(11), Some(7)];
        assert_eq!(numbers(Probe::TcpV4Rcv, 100), both);
        assert_eq!(numbers(Probe::IpQueueXmit, 0), both, "an acknowledgement");
        assert_eq!(
            numbers(Probe::IpQueueXmit, 100),
            [None; 2],
            "tcp_transmit_skb told it"
        );
    }
}
