//! What is written down: events of the vocabulary, or only their number.

pub(crate) mod lines;
pub(crate) mod run_queues;
pub(crate) mod totals;

use std::net::Ipv4Addr;

use crate::kernel::{AddrId, Context, CpuId, Event, Field, Origin, Probe};
use crate::run::{Run, RunBuilder};

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::op::Op;
use crate::sim::engine::ip::UDP_HEADER;
use crate::sim::engine::state::{HARD, LOOPBACK, NONE, Packet, SOFT};
use crate::sim::engine::tasks::scheduling::pid;

/// Where the queues of datagrams under reassembly are, 256 bytes for each.
const FRAG_QUEUES: u64 = 0xffff_a000_0000;

/// `ip_local_port_range` since 2.4 with much memory: 32768 to 61000.
const FIRST_EPHEMERAL: u32 = 32_768;
const EPHEMERAL_PORTS: u32 = 28_233;
/// Where servers listen: iperf's port.
const SERVER_PORT: u32 = 5001;

/// Where events go.
#[derive(Debug)]
pub struct Record {
    builder: Option<RunBuilder>,
    /// The numbers of the kernel's objects' names, by the kernel's own numbers.
    objects: Vec<Option<u32>>,
    /// The numbers of the NICs' names.
    devices: Vec<Option<u32>>,
    /// The flows whose addresses were told.
    flows: Vec<bool>,
    /// Events so far, recorded or not.
    pub events: u64,
}

impl Record {
    /// Records, or only counts.
    pub fn new(is_recording: bool) -> Self {
        Self {
            builder: is_recording.then(|| RunBuilder::new(Origin::Simulated)),
            objects: Vec::new(),
            devices: Vec::new(),
            flows: Vec::new(),
            events: 0,
        }
    }

    /// A field of the event written last.
    pub fn field(&mut self, field: Field, value: u32) {
        if let Some(builder) = &mut self.builder {
            builder.field(field, value);
        }
    }

    /// The number of a text.
    pub fn name(&mut self, text: &str) -> u32 {
        self.builder
            .as_mut()
            .map_or(0, |builder| builder.name(text).0)
    }

    /// `R+` for a task that lost its CPU, `S` for one that sleeps.
    pub fn state_name(&mut self, is_runnable: bool) -> u32 {
        self.name(if is_runnable { "R+" } else { "S" })
    }

    /// The name of one of the kernel's objects.
    pub fn object(&mut self, index: u8, names: &[String]) -> u32 {
        let index = usize::from(index);
        if let Some(&Some(known)) = self.objects.get(index) {
            return known;
        }
        let name = self.name(&names[index]);
        remember(&mut self.objects, index, name);
        name
    }

    /// The name of a NIC.
    pub fn device(&mut self, nic: u8) -> u32 {
        if let Some(&Some(known)) = self.devices.get(usize::from(nic)) {
            return known;
        }
        let name = if nic == LOOPBACK {
            self.name("lo")
        } else {
            self.name(&format!("eth{nic}"))
        };
        remember(&mut self.devices, usize::from(nic), name);
        name
    }

    /// Whether nothing was told of a flow yet; from now on something was.
    fn is_new_flow(&mut self, flow: u32) -> bool {
        let flow = flow as usize;
        if self.flows.len() <= flow {
            self.flows.resize(flow + 1, false);
        }
        !std::mem::replace(&mut self.flows[flow], true)
    }

    /// The event written last has another context.
    pub fn amend_context(&mut self, context: Context) {
        if let Some(builder) = &mut self.builder {
            builder.amend(|event| event.context = context);
        }
    }

    /// The softirq of the event written last is that of receiving.
    pub fn net_rx(&mut self) {
        self.field(Field::Vec, 3);
    }

    /// The number of an address.
    pub fn address(&mut self, address: u64) -> AddrId {
        self.builder
            .as_mut()
            .map_or(AddrId::NONE, |builder| builder.address(address))
    }

    /// The builder, to say more about the run.
    pub fn builder(&mut self) -> Option<&mut RunBuilder> {
        self.builder.as_mut()
    }

    /// The run, if one was recorded.
    pub fn finish(self) -> Option<Run> {
        self.builder.map(RunBuilder::finish)
    }
}

fn remember(known: &mut Vec<Option<u32>>, index: usize, name: u32) {
    if known.len() <= index {
        known.resize(index + 1, None);
    }
    known[index] = Some(name);
}

impl Engine {
    /// Writes an event down; true when fields may follow.
    pub(crate) fn emit(&mut self, cpu: usize, probe: Probe, pkt: u32, sock: u32) -> bool {
        self.record.events += 1;
        let state = &self.cpus[cpu];
        let Some(builder) = self.record.builder.as_mut().filter(|_| state.host == 0) else {
            return false;
        };
        let context = match state.level {
            HARD => Context::Hardirq,
            SOFT => Context::Softirq,
            _ if state.current == NONE => Context::Idle,
            _ => Context::Kernel,
        };
        let mut event = Event::new(self.now.nanos(), probe);
        event.cpu = CpuId(state.local);
        event.context = context;
        event.pid = pid(state.current);
        if pkt != NONE {
            let packet = &self.packets[pkt as usize];
            event.skb = packet.address;
            event.len = packet.segment.len;
        }
        if sock != NONE {
            event.sk = self.sockets[sock as usize].address;
        }
        builder.push(event);
        true
    }

    /// A step passes a probe: the event and the fields that belong to it.
    pub(crate) fn pass(&mut self, cpu: usize, probe: Probe, op: Op, has_mark: bool) {
        if !self.emit(cpu, probe, op.pkt, op.sock) {
            return;
        }
        if has_mark {
            self.mark(cpu, op);
        }
        self.depth_of(probe, op.sock);
        if op.pkt != NONE {
            if probe == Probe::InetFragQueueInsert {
                self.fragment_fields(op.pkt);
            }
            self.flow_fields(probe, op.pkt);
        }
        let segment = (op.pkt != NONE).then(|| self.packets[op.pkt as usize].segment);
        let headers = self.hosts[0].header_bytes - 20;
        let Some(builder) = &mut self.record.builder else {
            return;
        };
        match probe {
            Probe::NetifReceiveSkb
            | Probe::NetifRx
            | Probe::NetDevXmit
            | Probe::IpRcv
            | Probe::IpQueueXmit
            | Probe::NetDevQueue
            | Probe::NetDevStartXmit => {
                builder.amend(|event| event.len = event.len.saturating_add(headers + 20));
            }
            Probe::TcpRcvEstablished | Probe::TcpDataQueue | Probe::TcpAddBacklog => {
                builder.amend(|event| event.len = event.len.saturating_add(headers));
            }
            Probe::TcpV4Rcv | Probe::TcpTransmitSkb => {
                builder.amend(|event| event.len = event.len.saturating_add(headers));
                if let Some(segment) = segment {
                    builder.field(Field::SeqNo, segment.seq as u32);
                    builder.field(Field::AckNo, segment.ack as u32);
                }
            }
            Probe::SkbCopyDatagramIter => builder.field(Field::Count, op.arg),
            Probe::SysRecvfromRet | Probe::TcpRecvmsgRet => builder.field(Field::Ret, op.arg),
            _ => {}
        }
    }

    /// The ends of a packet's flow, at the first probe that it passes: ports always, the
    /// addresses once for each flow, since ports tell the flows of a run apart.
    fn flow_fields(&mut self, probe: Probe, pkt: u32) {
        let packet = &self.packets[pkt as usize];
        let is_first = match probe {
            Probe::TcpTransmitSkb | Probe::NapiGroReceive => true,
            Probe::IpOutput => packet.is_udp,
            // An ACK is sent by another way than data.
            Probe::IpQueueXmit => packet.segment.len == 0,
            Probe::NetifReceiveSkb => packet.nic != LOOPBACK && !self.hosts[0].receive.gro,
            _ => false,
        };
        if !is_first || packet.from == NONE || packet.to == NONE {
            return;
        }
        let (source, sport) = self.end_of(packet.from);
        let (destination, dport) = self.end_of(packet.to);
        let protocol = if packet.is_udp { 17 } else { 6 };
        let flow = self.sockets[packet.from as usize].flow;
        self.record.field(Field::Proto, protocol);
        self.record.field(Field::Sport, sport);
        self.record.field(Field::Dport, dport);
        if self.record.is_new_flow(flow) {
            self.record.field(Field::Saddr, source);
            self.record.field(Field::Daddr, destination);
        }
    }

    /// Address and port of a socket: clients have ephemeral ports in the order in which
    /// they were made, servers iperf's.
    fn end_of(&self, sock: u32) -> (u32, u32) {
        let socket = &self.sockets[sock as usize];
        let address = match socket.nic {
            LOOPBACK => Ipv4Addr::LOCALHOST,
            nic => Ipv4Addr::new(10, 0, nic, socket.host + 1),
        };
        let is_client = socket.flow == sock;
        let port = if is_client {
            FIRST_EPHEMERAL + sock % EPHEMERAL_PORTS
        } else {
            SERVER_PORT
        };
        (address.to_bits(), port)
    }

    /// Which datagram a fragment belongs to, and which of its bytes it has.
    fn fragment_fields(&mut self, pkt: u32) {
        let Packet {
            fragment, segment, ..
        } = self.packets[pkt as usize];
        let header = if fragment.offset == 0 { UDP_HEADER } else { 0 };
        let queue = self
            .record
            .address(FRAG_QUEUES + u64::from(fragment.id) * 256);
        self.record.field(Field::Q, queue.0);
        self.record.field(Field::Off, fragment.offset);
        let end = fragment.offset + header + segment.len;
        self.record.field(Field::End, end);
    }

    /// A packet joins a queue of its socket: how long that is now.
    fn depth_of(&mut self, probe: Probe, sock: u32) {
        if sock == NONE {
            return;
        }
        let socket = &self.sockets[sock as usize];
        let depth = match probe {
            Probe::TcpPrequeue => socket.prequeue.len(),
            Probe::TcpAddBacklog => socket.backlog.len(),
            Probe::TcpQueueRcv | Probe::UdpEnqueueScheduleSkb => socket.receive_queue.len() + 1,
            _ => return,
        };
        let bytes: u32 = socket
            .backlog
            .iter()
            .map(|&pkt| self.packets[pkt as usize].segment.len)
            .sum();
        self.record.field(Field::Depth, depth as u32);
        if probe == Probe::TcpAddBacklog {
            self.record.field(Field::Backlog, bytes);
        }
    }

    /// What the 2005 toolkit reads from a payload: its sending thread, the message's number
    /// and how many frames of 16 bytes there are (Göttingen 2005, section 3.2).
    fn mark(&mut self, cpu: usize, op: Op) {
        let current = self.cpus[cpu].current;
        let (sock, bytes, offset) = if op.pkt != NONE {
            let packet = &self.packets[op.pkt as usize];
            let segment = &packet.segment;
            (packet.from, segment.len, segment.seq)
        } else if op.sock != NONE && current != NONE {
            let socket = &self.sockets[op.sock as usize];
            let bytes = if op.arg > 0 {
                op.arg
            } else {
                self.tasks[current as usize].message
            };
            (op.sock, bytes, socket.written)
        } else {
            return;
        };
        if bytes < 16 || sock == NONE {
            return;
        }
        let socket = &self.sockets[sock as usize];
        let message = u64::from(self.message_bytes.max(1));
        let number = if socket.is_udp {
            offset.max(1)
        } else {
            offset.saturating_sub(1) / message + 1
        };
        self.record.field(Field::Thread, socket.flow + 1);
        self.record.field(Field::Packet, number as u32);
        self.record.field(Field::Frames, bytes / 16);
    }
}
