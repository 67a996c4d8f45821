//! The network of a world: each host's stack, each CPU's `softnet_data`, sockets, the link.

use crate::config::kernel::{DatagramAdmission, DatagramData, Receive};
use crate::config::machine::Routing;
use crate::tcp::TcpConfig;
use crate::time::SimTime;

use super::busy_poll::BusyPolling;
use super::core::Core;
use super::ids::{BufferId, Device, NicId, QueueId, SkbId, SockId, Table};
use super::ip::{IP_HEADER, Reassembly, UDP_HEADER};
use super::memory::skbuff::SkBuff;
use super::netfilter::Netfilter;
use super::nic::bus::Buses;
use super::nic::link::Link;
use super::nic::{Nic, Offloads, RxQueue};
use super::sockets::Socket;
use super::softnet::Softnet;

/// The network of a world.
#[derive(Debug)]
pub struct Net {
    /// The stacks, by host.
    pub stacks: Vec<Stack>,
    /// What each CPU has in hand, over all hosts.
    pub softnet: Vec<Softnet>,
    /// The sockets' protocols, by the ids of [`super::core::Core::socks`].
    pub sockets: Table<SockId, Socket>,
    /// The wires between hosts.
    pub link: Link,
    /// How sockets come about.
    pub connecting: Connecting,
    /// The identification of the last datagram that was cut.
    pub last_datagram: u32,
    /// Scratch, kept for its memory.
    pub done_buffers: Vec<BufferId>,
    /// Scratch, kept for its memory.
    pub done_skbs: Vec<SkbId>,
}

/// What a workload says about sockets.
#[derive(Debug, Clone, Copy)]
pub struct Connecting {
    /// Whether they are UDP's.
    pub is_udp: bool,
    /// The host that listens.
    pub server_host: usize,
    /// Whether all connections arrive at one listening socket.
    pub has_one_listener: bool,
    /// `listen(2)`'s backlog.
    pub listen_backlog: usize,
    /// The port at which servers listen.
    pub server_port: u16,
    /// How long a client waits that finds nobody listening, in µs.
    pub retry_us: u32,
    /// How long a client waits for its connection; zero: as long as TCP does.
    pub connect_timeout: SimTime,
}

/// Which interrupts of a host go to which of its CPUs, where the scenario says so.
#[derive(Debug, Clone, Copy)]
pub struct Pinned {
    /// The CPU that takes them, counted within the host.
    pub cpu: u16,
    /// Only this queue's, counted over all NICs; nothing: those of all queues.
    pub queue: Option<u16>,
}

impl Pinned {
    /// The CPU that a queue is pinned to, by its place among all queues.
    pub fn cpu_of(self, queue: usize) -> Option<u16> {
        let is_meant = self.queue.is_none_or(|only| usize::from(only) == queue);
        is_meant.then_some(self.cpu)
    }
}

/// The network stack of a host.
#[derive(Debug)]
pub struct Stack {
    /// NICs.
    pub nics: Table<NicId, Nic>,
    /// Receive queues of all NICs.
    pub queues: Table<QueueId, RxQueue>,
    /// I/O buses, as the machine's file lists them.
    pub buses: Buses,
    /// Who gets interrupts.
    pub routing: Routing,
    /// Receive queues whose interrupts go to one CPU of the host.
    pub pinned: Option<Pinned>,
    /// The next CPU in turn, within the host.
    pub next_irq_cpu: usize,
    /// The kernel's receive path: NAPI or a backlog, with its weights, budgets and GRO.
    pub receive: Receive,
    /// Steer packets to the CPU of their reader.
    pub rps: bool,
    /// How long readers poll before they sleep.
    pub busy_poll: BusyPolling,
    /// What is at netfilter's hooks.
    pub netfilter: Netfilter,
    /// Datagrams that are not whole.
    pub reassembly: Reassembly,
    /// Listening sockets by connection.
    pub listeners: Vec<Option<SockId>>,
    /// What TCP is set up with, and how sockets treat segments.
    pub tcp: TcpConfig,
    /// Whether `tcp_rcv_established` has the tracepoint `tcp_probe`.
    pub has_tcp_probe: bool,
    /// Device's MTU in bytes.
    pub mtu: u32,
    /// Most packets in a device's queue.
    pub tx_queue_packets: u32,
    /// Bytes of IP and TCP headers with options.
    pub header_bytes: u32,
    /// What `lo` does: it sums nothing, and cuts no large piece either.
    pub loopback: Offloads,
    /// Which datagrams a receive buffer takes.
    pub datagram_admission: DatagramAdmission,
    /// Whether readers of datagrams give back receive memory in batches.
    pub datagram_releases_in_batches: bool,
    /// `SO_RCVBUF` of UDP's sockets in bytes.
    pub datagram_receive_buffer: u32,
    /// What UDP's buffers count for a packet beside its data in bytes.
    pub datagram_overhead: u32,
    /// How much memory the data have; none: as much as they are long.
    pub datagram_data: Option<DatagramData>,
}

impl Stack {
    /// The memory of a datagram of so much payload in bytes (`truesize`).
    pub fn datagram_memory(&self, payload: u32) -> u32 {
        let data = self.datagram_data.map_or(payload, |data| data.of(payload));
        self.datagram_overhead + data
    }

    /// The memory of a packet that this host sends, in bytes (`truesize`): a datagram, or a fragment of one, is in one
    /// piece; TCP has its data in pages, beside a head. Simplified ("memory of packets that are sent"): TCP's head
    /// has the size of an empty datagram.
    pub fn sent_memory(&self, packet: &SkBuff) -> u32 {
        if packet.frame.is_udp {
            self.datagram_memory(packet.len())
        } else {
            self.datagram_memory(0) + packet.len()
        }
    }
}

impl Stack {
    /// Whether IP cuts a datagram of so much payload in bytes.
    pub fn cuts_datagram(&self, payload: u32) -> bool {
        payload + UDP_HEADER + IP_HEADER > self.mtu
    }

    /// What a device does for packets.
    pub fn offloads(&self, device: Device) -> Offloads {
        match device {
            Device::Loopback => self.loopback,
            Device::Nic(nic) => self.nics[nic].offloads,
        }
    }
}

impl Net {
    /// The network stack of a CPU's host.
    #[inline]
    pub fn stack_of(&self, core: &Core, cpu: usize) -> &Stack {
        &self.stacks[core.cpus[cpu].host]
    }

    /// The device of a connection on a host, where packets go over a link.
    pub fn device_for(&self, host: usize, connection: u32) -> Device {
        let nics = &self.stacks[host].nics;
        if self.stacks.len() < 2 || nics.is_empty() {
            return Device::Loopback;
        }
        let index = connection as usize % nics.len();
        nics.ids().nth(index).map_or(Device::Loopback, Device::Nic)
    }

    /// Devices of client and server for a connection.
    pub fn devices_of(&self, connection: u32) -> (Device, Device) {
        // The watched host's NIC decides; the other one uses that at the other end of its link.
        let watched = self.device_for(0, connection);
        let Device::Nic(nic) = watched else {
            return (Device::Loopback, Device::Loopback);
        };
        let other = Device::Nic(self.stacks[0].nics[nic].peer.1);
        if self.client_host() == 0 {
            (watched, other)
        } else {
            (other, watched)
        }
    }

    /// The host that connects.
    pub fn client_host(&self) -> usize {
        if self.stacks.len() > 1 {
            1 - self.connecting.server_host
        } else {
            0
        }
    }
}
