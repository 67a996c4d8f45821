//! Things as they are before anything has happened: CPUs that idle, sockets without
//! data, TCP as kernel and scenario set it up.

use crate::kernel::Context;
use crate::sim::config::kernel::{self, Kernel};
use crate::sim::config::scenario::Scenario;
use crate::sim::config::workload::Workload;
use crate::sim::tcp::{Congestion, TcpConfig};
use crate::sim::time::SimTime;

use crate::sim::engine::cpu::charge::Charge;
use crate::sim::engine::execute::turns::Postponed;
use crate::sim::engine::state::{Cpu, NONE};

/// What the kernel's and the scenario's choices mean for TCP.
pub(crate) fn tcp_config(
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
        acks_pushed_segments: tcp.acks_pushed_segments,
        min_rto: SimTime::from_ms(tcp.min_rto_ms),
        nagle: tcp.nagle && !workload.no_delay,
        send_buffer: settings.send_buffer_bytes.unwrap_or(tcp.send_buffer_bytes),
        send_buffer_most: match settings.send_buffer_bytes {
            Some(_) => 0,
            None => tcp.send_buffer_most_bytes,
        },
        send_buffer_segments: tcp.send_buffer_segments,
        receive_buffer: (u64::from(receive) * u64::from(tcp.window_permille) / 1000) as u32,
        // SO_RCVBUF locks the buffer.
        receive_buffer_most: match settings.receive_buffer_bytes {
            Some(_) => 0,
            None => tcp.receive_buffer_most_bytes,
        },
        window_permille: tcp.window_permille,
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
pub(crate) fn cpus(core_of: &[u16], host: u8, first: usize, weight: u32) -> Vec<Cpu> {
    let sibling = |index: usize| {
        let is_sibling = |other: usize| other != index && core_of[other] == core_of[index];
        (0..core_of.len())
            .find(|&other| is_sibling(other))
            .unwrap_or(index)
    };
    (0..core_of.len())
        .map(|index| Cpu {
            host,
            local: index as u16,
            cache: core_of[index] as u8,
            sibling: (first + sibling(index)) as u16,
            level: 0,
            until: SimTime::NEVER,
            rest: [SimTime::ZERO; 2],
            stacks: [Vec::new(), Vec::new(), Vec::new()],
            current: NONE,
            softirq: false,
            in_softirq: false,
            bh_off: 0,
            resched: false,
            held: 0,
            in_user: false,
            spinning: [None; 3],
            unlocks: [None; 3],
            timers: std::collections::VecDeque::new(),
            backlog: std::collections::VecDeque::new(),
            polls: std::collections::VecDeque::new(),
            polls_backlog: false,
            quota: weight,
            completions: Vec::new(),
            round_polls: 0,
            round_done: false,
            round_began: SimTime::ZERO,
            softirq_began: SimTime::ZERO,
            softirq_work: 0,
            softirq_rounds: 0,
            tasklets: std::collections::VecDeque::new(),
            is_raised_again: false,
            is_deferred: false,
            ksoftirqd: NONE,
            held_by_gro: Vec::new(),
            list: Vec::new(),
            device: 0,
            time: [0; 6],
            apic: crate::sim::engine::nic::moderation::Apic::default(),
            idle_since: Some(SimTime::ZERO),
            charged: [Charge::to(Context::Idle); 3],
            postponed: Postponed::default(),
            running: crate::sim::engine::cpu::lines_out::Running::default(),
        })
        .collect()
}
