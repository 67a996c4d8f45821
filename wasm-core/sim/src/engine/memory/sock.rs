//! What memory, locks and the record have to know of a socket (`struct sock_common` and the
//! accounting of `struct sock`).

use std::collections::VecDeque;

use crate::cache::ObjectId;
use crate::engine::ids::{Device, SockId, TaskId};
use crate::engine::spinlock::Lock;
use ringside::kernel::AddrId;

/// Where RFS sends the packets of a flow (`struct rps_dev_flow`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RpsFlow {
    /// The CPU whose backlog has them.
    pub cpu: usize,
    /// That backlog's tail counter when the last of them was queued (`last_qtail`).
    pub last_qtail: u64,
}

/// A socket without its protocol.
#[derive(Debug)]
pub struct Sock {
    /// Its host.
    pub host: usize,
    /// The device that its packets take.
    pub device: Device,
    /// Whether it is a UDP socket.
    pub is_udp: bool,
    /// The other end.
    pub peer: Option<SockId>,
    /// A number of its flow, for hashes and ports.
    pub flow: u32,
    /// The CPU on which a process last read from it: what `sock_rps_record_flow` leaves for its flow in
    /// `rps_sock_flow_table` (RFS).
    pub rps_cpu: Option<usize>,
    /// The CPU to whose backlog its packets go (`rps_flow_table`), once a reader was known.
    pub rps_flow: Option<RpsFlow>,
    /// Its port where a role of the workload says so; 0: by its number, or the servers'.
    pub port: u16,
    /// Its objects in the cache.
    pub objects: ObjectId,
    /// Its spin lock.
    pub lock: Lock,
    /// Bytes on their way out: of datagrams, and of segments where TCP's queues are kept small
    /// (`sk_wmem_alloc`).
    pub wmem_alloc: u32,
    /// Whether TCP waits until there are fewer (`TSQ_THROTTLED`).
    pub is_throttled: bool,
    /// Whether the queueing discipline of its device keeps to the departure times of its packets
    /// (`sk_pacing_status`).
    pub is_paced: bool,
    /// Tasks that sleep for data.
    pub readers: VecDeque<TaskId>,
    /// Tasks that sleep for memory.
    pub writers: VecDeque<TaskId>,
    /// Bytes written so far, as a stream offset; of UDP, datagrams.
    pub written: u64,
    /// Address in the recording.
    pub address: AddrId,
}
