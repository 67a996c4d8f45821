//! Things as they are before anything has happened: CPUs that idle, sockets without
//! data, TCP as kernel and scenario set it up.

use crate::kernel::AddrId;
use crate::sim::cache::ObjectId;
use crate::sim::config::kernel::{self, Kernel};
use crate::sim::config::scenario::Scenario;
use crate::sim::config::workload::Workload;
use crate::sim::tcp::{Congestion, Tcb, TcpConfig};
use crate::sim::time::SimTime;

use super::state::{Cpu, Lock, NONE, Socket};

impl Socket {
    /// A socket without data.
    pub(super) fn new(tcb: Tcb, peer: u32, objects: ObjectId, address: AddrId) -> Self {
        let written = tcb.snd_nxt();
        Self {
            tcb,
            peer,
            objects,
            lock: Lock::default(),
            owner: NONE,
            receive_queue: std::collections::VecDeque::new(),
            readable: 0,
            out_of_order: Vec::new(),
            backlog: std::collections::VecDeque::new(),
            prequeue: std::collections::VecDeque::new(),
            reader: NONE,
            writer: NONE,
            chunks: std::collections::VecDeque::new(),
            written,
            timer_at: SimTime::NEVER,
            cpu: 0,
            address,
            delivered: 0,
        }
    }
}

/// What the kernel's and the scenario's choices mean for TCP.
pub(super) fn tcp_config(
    scenario: &Scenario,
    kernel: &Kernel,
    workload: &Workload,
    mss: u32,
) -> TcpConfig {
    let (settings, tcp) = (&scenario.settings, &kernel.tcp);
    let receive = settings
        .receive_buffer_bytes
        .unwrap_or(tcp.receive_buffer_bytes);
    TcpConfig {
        mss,
        initial_window_segments: tcp.initial_window_segments,
        congestion: match tcp.congestion {
            kernel::Congestion::Reno => Congestion::NewReno,
            kernel::Congestion::Cubic => Congestion::Cubic,
        },
        sack: tcp.sack,
        delayed_ack: SimTime::from_ms(tcp.delayed_ack_ms),
        quick_acks: tcp.quick_acks,
        min_rto: SimTime::from_ms(tcp.min_rto_ms),
        nagle: tcp.nagle && !workload.no_delay,
        send_buffer: settings.send_buffer_bytes.unwrap_or(tcp.send_buffer_bytes),
        receive_buffer: (u64::from(receive) * u64::from(tcp.window_permille) / 1000) as u32,
        timestamps: tcp.option_bytes >= 12,
        slow_start_limit_segments: tcp.slow_start_limit_segments,
        max_rto: SimTime::from_ms(120_000),
        initial_rto: SimTime::from_ms(3000),
        time_wait: SimTime::from_ms(60_000),
        retries: 15,
        syn_retries: 5,
        initial_receive_window: tcp.initial_receive_window_segments * mss,
    }
}

/// CPUs that idle, by the core of each.
pub(super) fn cpus(core_of: &[u16]) -> Vec<Cpu> {
    let sibling = |index: usize| {
        let is_sibling = |other: usize| other != index && core_of[other] == core_of[index];
        (0..core_of.len())
            .find(|&other| is_sibling(other))
            .unwrap_or(index) as u16
    };
    (0..core_of.len())
        .map(|index| Cpu {
            cache: core_of[index] as u8,
            sibling: sibling(index),
            level: 0,
            until: SimTime::NEVER,
            rest: [SimTime::ZERO; 2],
            stacks: [Vec::new(), Vec::new(), Vec::new()],
            current: NONE,
            softirq: false,
            bh_off: 0,
            resched: false,
            held: 0,
            in_user: false,
            spinning: None,
            backlog: std::collections::VecDeque::new(),
            softirq_work: 0,
            time: [0; 6],
        })
        .collect()
}
