//! Between driver and IP: GRO merges, lists go up together, RPS steers.
//!
//! Source: `net/core/gro.c: dev_gro_receive, gro_normal_list`, `net/core/dev.c:
//! get_rps_cpu, enqueue_to_backlog` (v6.1).

use crate::kernel::{Field, Probe};

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::NONE;

impl Engine {
    /// `napi_gro_receive`: looks at the packet, then decides.
    pub(crate) fn gro(&mut self, cpu: usize, pkt: u32) {
        self.push(cpu, Op::act(OpKind::GroJoin, pkt, NONE, 0));
        self.push(cpu, Op::run(Path::GroReceive, pkt, NONE, 0));
    }

    /// `dev_gro_receive`: joins the packet of the same flow that is held, or is held itself.
    pub(crate) fn gro_join(&mut self, cpu: usize, pkt: u32) {
        let packet = self.packets[pkt as usize];
        let (segment, to) = (packet.segment, packet.to);
        let most = self.hosts[usize::from(self.cpus[cpu].host)]
            .receive
            .gro_bytes;
        let held = self.cpus[cpu]
            .held_by_gro
            .iter()
            .position(|&held| self.packets[held as usize].to == to);
        let is_data = !packet.is_udp && segment.len > 0 && !segment.flags.is_special();
        if let Some(place) = held {
            let first = self.cpus[cpu].held_by_gro[place];
            let before = self.packets[first as usize].segment;
            let fits = is_data
                && before.seq + u64::from(before.len) == segment.seq
                && before.len + segment.len <= most;
            if fits {
                if self.emit(cpu, Probe::SkbGroReceive, pkt, NONE) {
                    let into = self.packets[first as usize].address;
                    self.record.field(Field::Into, into.0);
                }
                self.append_piece(first, pkt);
                let merged = &mut self.packets[first as usize];
                merged.segment.len += segment.len;
                merged.unread += segment.len;
                merged.segment.ack = segment.ack;
                merged.segment.window = segment.window;
                merged.segment.flags = merged.segment.flags | segment.flags;
                merged.frames += 1;
                if segment.flags.contains(crate::sim::tcp::Flags::PSH) {
                    self.cpus[cpu].held_by_gro.remove(place);
                    self.push(cpu, Op::act(OpKind::Normal, first, NONE, 0));
                }
                return;
            }
            // What is held goes up first: order matters.
            self.cpus[cpu].held_by_gro.remove(place);
            self.push(cpu, Op::act(OpKind::GroJoin, pkt, NONE, 0));
            self.push(cpu, Op::act(OpKind::Normal, first, NONE, 0));
            return;
        }
        if is_data && !segment.flags.contains(crate::sim::tcp::Flags::PSH) {
            self.cpus[cpu].held_by_gro.push(pkt);
        } else {
            self.push(cpu, Op::act(OpKind::Normal, pkt, NONE, 0));
        }
    }

    /// Hands up the packets that GRO holds, the oldest first.
    pub(crate) fn gro_flush(&mut self, cpu: usize) {
        while let Some(pkt) = self.cpus[cpu].held_by_gro.pop() {
            self.push(cpu, Op::act(OpKind::Normal, pkt, NONE, 0));
        }
    }

    /// The piece becomes the last of a packet's chain.
    pub(crate) fn append_piece(&mut self, first: u32, piece: u32) {
        let mut last = self.packets[first as usize].last;
        if last == NONE {
            last = first;
        }
        self.packets[last as usize].next = piece;
        self.packets[first as usize].last = piece;
    }

    /// `gro_normal_one`: the packet goes up, at once or with others of the same poll.
    pub(crate) fn normal(&mut self, cpu: usize, pkt: u32) {
        let together = self.hosts[usize::from(self.cpus[cpu].host)]
            .receive
            .list_packets;
        if together <= 1 {
            self.net_receive(cpu, pkt);
            return;
        }
        self.cpus[cpu].list.push(pkt);
        if self.cpus[cpu].list.len() as u32 >= together {
            self.list_flush(cpu);
        }
    }

    pub(crate) fn flush_list_if_any(&mut self, cpu: usize) {
        if !self.cpus[cpu].list.is_empty() {
            self.push(cpu, Op::act(OpKind::ListFlush, NONE, NONE, 0));
        }
    }

    /// `netif_receive_skb_list`: each layer takes all packets before the next one does.
    pub(crate) fn list_flush(&mut self, cpu: usize) {
        let mut list = std::mem::take(&mut self.cpus[cpu].list);
        // What is pushed last happens first.
        let steered: Vec<(u32, usize)> = list
            .iter()
            .filter_map(|&pkt| Some((pkt, self.steered_to(cpu, pkt)?)))
            .collect();
        list.retain(|&pkt| !steered.iter().any(|&(other, _)| other == pkt));
        for &pkt in list.iter().rev() {
            self.push(cpu, Op::act(OpKind::AtTransport, pkt, NONE, 0));
            self.push(cpu, Op::run(Path::IpLocalDeliver, pkt, NONE, 0));
        }
        if let Some(&first) = list.first() {
            // The others of a list have the same destination.
            self.push_route(cpu, first);
        }
        for path in [Path::IpReceive, Path::NetifReceive] {
            for &pkt in list.iter().rev() {
                self.push(cpu, Op::run(path, pkt, NONE, 0));
            }
        }
        for &(pkt, target) in steered.iter().rev() {
            self.push(cpu, Op::act(OpKind::Steer, pkt, NONE, target as u32));
        }
        list.clear();
        self.cpus[cpu].list = list;
    }

    /// The CPU to which RPS sends a packet, if that is another one.
    fn steered_to(&mut self, cpu: usize, pkt: u32) -> Option<usize> {
        let packet = &self.packets[pkt as usize];
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        if !host.rps || packet.is_steered {
            return None;
        }
        let socket = &self.sockets[packet.to as usize];
        // RFS where a process has read, else by the flow's hash.
        let target = if socket.reader_cpu == u16::MAX {
            host.first_cpu + (socket.flow % host.cpu_count as u32) as usize
        } else {
            usize::from(socket.reader_cpu)
        };
        self.packets[pkt as usize].is_steered = true;
        (target != cpu).then_some(target)
    }

    /// `netif_receive_skb`: up here, or steered to another CPU first.
    pub(crate) fn net_receive(&mut self, cpu: usize, pkt: u32) {
        if let Some(target) = self.steered_to(cpu, pkt) {
            self.push(cpu, Op::act(OpKind::Steer, pkt, NONE, target as u32));
            return;
        }
        self.push(cpu, Op::act(OpKind::AtTransport, pkt, NONE, 0));
        self.push(cpu, Op::run(Path::IpLocalDeliver, pkt, NONE, 0));
        self.push_route(cpu, pkt);
        self.push(cpu, Op::run(Path::IpReceive, pkt, NONE, 0));
        self.push(cpu, Op::run(Path::NetifReceive, pkt, NONE, 0));
    }

    /// `ip_route_input`, unless early demultiplexing knows the route from the connection.
    fn push_route(&mut self, cpu: usize, pkt: u32) {
        let packet = &self.packets[pkt as usize];
        if packet.is_udp || packet.fragment.total > 0 {
            self.push(cpu, Op::run(Path::IpRouteInput, pkt, NONE, 0));
        }
    }

    /// `enqueue_to_backlog` of another CPU, with an interprocessor interrupt if it has to start.
    pub(crate) fn steer(&mut self, cpu: usize, pkt: u32, target: usize) {
        let was_polling = self.cpus[target].polls_backlog;
        if self.join_backlog(cpu, target, pkt) && !was_polling {
            self.cpus[target].softirq = true;
            let host = usize::from(self.cpus[cpu].host);
            let delay = self.hosts[host].machine.processors.ipi_ns;
            let delay = crate::sim::time::SimTime::from_ns(delay);
            self.at(
                self.now + delay,
                crate::sim::engine::Happening::Ipi(target as u16),
            );
            if self.emit(cpu, Probe::RpsTriggerSoftirq, NONE, NONE) {
                let local = self.cpus[target].local;
                self.record.field(Field::TargetCpu, u32::from(local));
            }
        }
    }
}
