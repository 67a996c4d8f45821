//! IP: fragmentation on the way down, reassembly on the way up.
//!
//! Source: `net/ipv4/ip_output.c: ip_fragment`, `net/ipv4/ip_fragment.c: ip_defrag`
//! (v2.6.9 and v6.1).
//!
//! Simplified ("large datagrams"): fragments are cut from the whole datagram (Linux builds large datagrams in pieces
//! since 2.6), and they share its memory. A learner sees one copy and as many packets.

pub mod damage;
mod reassembly;

use crate::config::kernel::Checksum;
use ringside::kernel::{DropReason, Probe};

use super::core::Core;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::events::Event;
use super::ids::{Device, SkbId, SockId};
use super::memory::skbuff::{Fragment, Frame, Nfct, SkBuff};
use super::net::Net;

pub use reassembly::Reassembly;

/// Bytes of an IPv4 header without options (RFC 791).
pub const IP_HEADER: u32 = 20;
/// Bytes of a UDP header (RFC 768).
pub const UDP_HEADER: u32 = 8;

/// The fragments of a datagram, each with at most `room` bytes of IP payload, the first with the UDP header:
/// the offset and the number of the datagram's payload bytes in each.
fn pieces(id: u32, payload: u32, room: u32) -> impl DoubleEndedIterator<Item = (Fragment, u32)> {
    let total = payload + UDP_HEADER;
    (0..total.div_ceil(room)).map(move |index| {
        let offset = index * room;
        let len = room.min(total - offset);
        let bytes = if index == 0 { len - UDP_HEADER } else { len };
        (Fragment { id, offset, total }, bytes)
    })
}

impl Net {
    /// A transport protocol hands a packet down to IP.
    pub fn transmit(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId) {
        core.cpus[cpu].softirq.count += 1;
        core.push(cpu, Op::BhEnable);
        if let Some(from) = core.skbs[skb].frame.from {
            core.skbs[skb].device = core.socks[from].device;
        }
        let packet = core.skbs[skb];
        let about = About::both(skb, sock).counting(packet.len());
        let of_protocol = if packet.frame.is_udp {
            Path::IpSendSkb
        } else {
            Path::IpQueueXmit
        };
        let of_protocol = Op::run(of_protocol, about);
        let (look_up, goes_on) = self.conntrack_out(core, cpu, skb);
        if !goes_on {
            core.then(cpu, std::iter::once(of_protocol).chain(look_up));
            return;
        }
        let stack = self.stack_of(core, cpu);
        if packet.frame.is_udp && stack.cuts_datagram(packet.len()) {
            let room = stack.mtu - IP_HEADER;
            self.cut(core, cpu, skb, sock, room / 8 * 8);
        } else if self.is_too_large(core, skb) {
            let queue = queue_xmit(core, cpu, skb);
            core.then(cpu, [queue, Op::Segment { skb, sock }]);
        } else {
            hand_to_device(core, cpu, skb);
        }
        let ops = std::iter::once(of_protocol)
            .chain(look_up)
            .chain([Op::run(Path::IpOutput, about)]);
        core.then(cpu, ops);
    }

    /// Whether a TCP packet is larger than the loopback device accepts, so that it is split into segments
    /// (`gso_features_check`).
    fn is_too_large(&self, core: &Core, skb: SkbId) -> bool {
        let SkBuff { frame, device, .. } = &core.skbs[skb];
        let sender = frame
            .from
            .filter(|_| *device == Device::Loopback && !frame.is_udp);
        sender.is_some_and(|sender| {
            frame.segment.len > self.stacks[core.socks[sender].host].loopback.gso
        })
    }

    /// `ip_fragment`: splits a datagram into fragments of at most `room` bytes.
    fn cut(&mut self, core: &mut Core, cpu: usize, skb: SkbId, sock: SockId, room: u32) {
        let whole = core.skbs[skb];
        self.last_datagram += 1;
        // The original's head is freed when its fragments are made; the operation pushed last runs first.
        core.push(cpu, Op::Free { skb });
        for (fragment, bytes) in pieces(self.last_datagram, whole.len(), room).rev() {
            if let Some(buffer) = whole.buffer {
                core.buffers[buffer].refs += 1;
            }
            let mut frame = Frame {
                fragment,
                ..whole.frame
            };
            frame.segment.len = bytes;
            let is_first = fragment.offset == 0;
            let piece = SkBuff {
                frame,
                unread: bytes,
                offset: whole.offset + fragment.offset.saturating_sub(UDP_HEADER),
                truesize: if is_first { whole.truesize } else { 0 },
                ..whole
            };
            let piece = core.alloc_skb(cpu, piece);
            hand_to_device(core, cpu, piece);
            core.push(cpu, Op::run(Path::IpFragment, About::both(piece, sock)));
        }
        core.skbs[skb].truesize = 0;
    }

    /// A received packet is at the hook `NF_INET_PRE_ROUTING` (`ip_rcv`; `ip_sublist_rcv` has all packets of a list pass
    /// it before the first is routed). A host that tracks connections gathers fragments there (`ipv4_conntrack_defrag`)
    /// and looks up whole packets.
    pub fn pre_routing(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        if self.is_tracked(core, cpu, skb) {
            if core.skbs[skb].frame.fragment.total > 0 {
                self.defrag(core, cpu, skb);
                return;
            }
            if !self.conntrack_in(core, cpu, skb) {
                return;
            }
        }
        self.softnet[cpu].sublist.push(skb);
    }

    /// The packets that passed the hook have the same destination and take the route of the first one, also one that
    /// early demultiplexing found (`ip_list_rcv_finish`, `ip_route_use_hint`).
    pub fn rcv_finish(&mut self, core: &mut Core, cpu: usize) {
        let list = &mut self.softnet[cpu].sublist;
        let route = list.first().and_then(|&first| route_of(core, first));
        let up = list.drain(..).flat_map(|skb| {
            let deliver = Op::run(Path::IpLocalDeliver, About::skb(skb));
            [deliver, Op::AtTransport { skb }]
        });
        core.then(cpu, route.into_iter().chain(up));
    }

    /// A packet is for this host: a fragment waits for the others; any other packet passes the netfilter rules,
    /// if there are any.
    pub fn at_transport(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        if core.skbs[skb].frame.fragment.total > 0 {
            self.defrag(core, cpu, skb);
        } else if let Some(chain) = self.stack_of(core, cpu).netfilter.local_in {
            chain.local_in(core, cpu, skb);
        } else {
            self.deliver_finish(core, cpu, skb);
        }
    }

    /// `ip_local_deliver_finish`: the packet continues to its transport protocol, after its entry is confirmed if it is
    /// the first of a tracked connection.
    pub fn deliver_finish(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        if core.skbs[skb].nfct == Nfct::Unconfirmed {
            self.conntrack_confirm(core, cpu, skb);
            return;
        }
        let SkBuff { frame, device, .. } = core.skbs[skb];
        let Some(sock) = frame.to else {
            core.drop_skb(cpu, skb, DropReason::NoSocket, |place| &place.no_socket);
            return;
        };
        if core.socks[sock].host != core.cpus[cpu].host {
            // XDP redirected it to a link whose other end is not its destination.
            core.drop_skb(cpu, skb, DropReason::Otherhost, |place| &place.other_host);
            return;
        }
        let offloads = self.stack_of(core, cpu).offloads(device);
        let checksum = if frame.is_udp {
            offloads.udp_checksum
        } else {
            offloads.checksum
        };
        let packet = &mut core.skbs[skb];
        packet.sum_with_copy = checksum == Checksum::WithCopy || is_summed_datagram(packet);
        if !frame.is_udp {
            core.push(cpu, Op::AtTcp { skb, sock });
            return;
        }
        let is_summed = checksum == Checksum::Softirq;
        if is_summed && frame.is_damaged {
            damage::find_damage(core, cpu, skb);
            return;
        }
        let len = frame.segment.len;
        let sum = Op::run(Path::Checksum, About::skb(skb).counting(len));
        // A kernel that computes the checksum here needs the length.
        let receive = Op::run(Path::UdpReceive, About::both(skb, sock).counting(len));
        let ops = [
            is_summed.then_some(sum),
            Some(receive),
            Some(Op::QueueDatagram { skb, sock }),
        ];
        core.then(cpu, ops.into_iter().flatten());
    }

    /// `ip_defrag`: the fragment joins its datagram; the last one completes it.
    fn defrag(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        let Fragment { id, offset, total } = core.skbs[skb].frame.fragment;
        let header = if offset == 0 { UDP_HEADER } else { 0 };
        let bytes = core.skbs[skb].len() + header;
        let host = core.cpus[cpu].host;
        let reassembly = &mut self.stacks[host].reassembly;
        if reassembly.is_full() {
            refuse_piece(core, cpu, skb, DropReason::Nomem);
            return;
        }
        let Some(partial) = reassembly.add(id, offset, bytes, skb) else {
            refuse_piece(core, cpu, skb, DropReason::DupFrag);
            return;
        };
        core.skbs[partial.first].frame.is_damaged |= core.skbs[skb].frame.is_damaged;
        if partial.count > 1 {
            core.append_piece(partial.first, skb);
        } else {
            let due = reassembly.set_timer(id, core.now());
            let host = host as u8;
            core.at(due, Event::Reassembly { host, id });
        }
        if partial.got >= total {
            self.stacks[host].reassembly.take(id);
            let whole = &mut core.skbs[partial.first];
            whole.frame.segment.len = total - UDP_HEADER;
            whole.frame.fragment = Fragment::default();
            whole.unread = whole.len();
            whole.frames = partial.count;
            let skb = partial.first;
            let about = About::skb(skb).counting(partial.count);
            let next = if self.is_tracked(core, cpu, skb) {
                Op::PreRouting { skb }
            } else {
                Op::AtTransport { skb }
            };
            core.then(cpu, [Op::run(Path::IpReassemble, about), next]);
        } else if let Some(id) = self.stacks[host].reassembly.evicted() {
            // `ip_evictor`: above the memory limit the oldest datagram is dropped.
            self.expire(core, cpu, id);
        }
        core.push(cpu, Op::run(Path::IpDefrag, About::skb(skb)));
    }

    /// The timer of a datagram goes off (`ip_expire`), if it is still there.
    pub fn reassembly_expires(&mut self, core: &mut Core, cpu: usize, id: u32) {
        let host = core.cpus[cpu].host;
        if self.stacks[host].reassembly.is_due(id, core.now()) {
            self.expire(core, cpu, id);
        }
    }

    /// Drops a datagram whose fragments did not all arrive in time, or for which there is no memory.
    fn expire(&mut self, core: &mut Core, cpu: usize, id: u32) {
        let host = core.cpus[cpu].host;
        if let Some(partial) = self.stacks[host].reassembly.take(id) {
            core.emit(cpu, Probe::IpExpire, About::NOTHING);
            core.drop_skb(cpu, partial.first, DropReason::FragReasmTimeout, |place| {
                &place.reassembly
            });
        }
    }
}

/// `ip_route_input`, unless early demultiplexing knows the route from the connection.
fn route_of(core: &Core, skb: SkbId) -> Option<Op> {
    let frame = &core.skbs[skb].frame;
    let is_looked_up = frame.is_udp || frame.fragment.total > 0;
    is_looked_up.then(|| Op::run(Path::IpRouteInput, About::skb(skb)))
}

/// A fragment does not join those that wait.
fn refuse_piece(core: &mut Core, cpu: usize, skb: SkbId, reason: DropReason) {
    let ops = [
        Op::run(Path::IpDefrag, About::skb(skb)),
        Op::DropPiece { skb, reason },
    ];
    core.then(cpu, ops);
}

/// Drops a fragment that is there already (`ip_frag_queue`), or because those that wait use all the memory (`ip_defrag`
/// returns ENOMEM).
pub fn drop_piece(core: &mut Core, cpu: usize, skb: SkbId, reason: DropReason) {
    core.drop_skb(cpu, skb, reason, |place| {
        if reason == DropReason::DupFrag {
            &place.duplicate_fragment
        } else {
            &place.reassembly_memory
        }
    });
}

/// Whether a datagram came over the loopback device in fragments, whose checksum no device computes: its sender
/// computed it while copying (`ip_make_skb` without `CHECKSUM_PARTIAL`), and its reader checks it while copying
/// (`udp_recvmsg`). Simplified ("checksums and damage"): fragments from a NIC are checked by the NIC, like whole
/// packets.
fn is_summed_datagram(packet: &SkBuff) -> bool {
    packet.frame.is_udp && packet.device == Device::Loopback && packet.frames > 1
}

/// `__dev_queue_xmit`: the operation by which the packet's device takes it.
fn queue_xmit(core: &Core, cpu: usize, skb: SkbId) -> Op {
    let has_no_queue =
        core.skbs[skb].device == Device::Loopback && core.host_of(cpu).code.has(Path::NoqueueXmit);
    let path = if has_no_queue {
        Path::NoqueueXmit
    } else {
        Path::DevQueueXmit
    };
    Op::run(path, About::skb(skb))
}

fn hand_to_device(core: &mut Core, cpu: usize, skb: SkbId) {
    let queue = queue_xmit(core, cpu, skb);
    if core.skbs[skb].device == Device::Loopback {
        loopback_xmit(core, cpu, skb);
        core.push(cpu, queue);
    } else {
        core.then(cpu, [queue, Op::DevXmit { skb }]);
    }
}

/// The loopback device delivers a packet to its own host.
pub fn loopback_xmit(core: &mut Core, cpu: usize, skb: SkbId) {
    let about = About::skb(skb);
    let ops = [
        Op::run(Path::LoopbackXmit, about),
        Op::run(Path::NetifRx, about),
        Op::Enqueue { skb },
    ];
    core.then(cpu, ops);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_cover_the_datagram_once_and_only_the_first_has_the_udp_header() {
        for payload in [1473, 2952, 8192, 65_507] {
            let cut: Vec<_> = pieces(5, payload, 1480).collect();
            let sum: u32 = cut.iter().map(|&(_, bytes)| bytes).sum();
            assert_eq!(sum, payload);
            let mut next = 0;
            for (fragment, bytes) in cut {
                assert_eq!((fragment.id, fragment.total), (5, payload + 8));
                assert_eq!(fragment.offset, next);
                assert_eq!(fragment.offset % 8, 0, "offsets count in eights (RFC 791)");
                next += bytes + if fragment.offset == 0 { UDP_HEADER } else { 0 };
            }
        }
    }
}
