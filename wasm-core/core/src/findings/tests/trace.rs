//! Runs made of a few events, to ask for their findings.

use super::super::Finding;
use super::{Kind, Opened, Origin, findings, run_of};

/// Events by the nanosecond of the run, put in order before they are read.
pub struct Trace {
    pub origin: Origin,
    pub header: String,
    pub lines: Vec<(u64, String)>,
}

impl Default for Trace {
    fn default() -> Self {
        Self {
            origin: Origin::Recorded,
            header: String::new(),
            lines: Vec::new(),
        }
    }
}

impl Trace {
    pub fn event(&mut self, nanos: u64, probe: &str, rest: &str) -> &mut Self {
        let ts = format!("{}.{:09}", 1 + nanos / 1_000_000_000, nanos % 1_000_000_000);
        self.lines
            .push((nanos, format!("1 ev {probe} ts {ts} {rest}")));
        self
    }

    /// A packet comes, and nothing more is recorded of it.
    pub fn arrival(&mut self, skb: u64, nanos: u64) -> &mut Self {
        let rest = format!(
            "cpu 0 ctx softirq pid 0 skb {} len 92 dev eth0",
            address(skb)
        );
        self.event(nanos, "netif_receive_skb", &rest)
    }

    /// A datagram comes on CPU 0, lies in the socket from one nanosecond to another and is read on a CPU.
    pub fn datagram(&mut self, skb: u64, cpu: u16, [came, queued, read]: [u64; 3]) -> &mut Self {
        let skb_at = address(skb);
        let queue = format!("cpu 0 ctx softirq pid 0 sk ffff888007000000 skb {skb_at} len 64");
        let reader = format!("cpu {cpu} ctx kernel pid 534");
        let taken = format!("{reader} sk ffff888007000000 skb {skb_at} len 64 count 64");
        self.arrival(skb, came)
            .event(queued, "__udp_enqueue_schedule_skb", &queue)
            .event(read, "skb_consume_udp", &taken)
            .event(read, "udp_recvmsg_ret", &format!("{reader} ret 64"))
    }

    /// A datagram that is on its way for a microsecond.
    pub fn short(&mut self, skb: u64, cpu: u16, came: u64) -> &mut Self {
        self.datagram(skb, cpu, [came, came + 900, came + 1_000])
    }

    /// CPU 0 gives its task up for another.
    pub fn switch(&mut self, nanos: u64, cpu: u16, from: u32, to: u32) -> &mut Self {
        let rest = format!(
            "cpu {cpu} ctx kernel pid {from} prev_comm a prev_pid {from} prev_state R next_comm b next_pid {to}"
        );
        self.event(nanos, "sched_switch", &rest)
    }

    /// A receive softirq on a CPU.
    pub fn softirq(&mut self, cpu: u16, from: u64, to: u64) -> &mut Self {
        let rest = format!("cpu {cpu} ctx softirq pid 0 vec 3");
        self.event(from, "softirq_entry", &rest)
            .event(to, "softirq_exit", &rest)
    }

    pub fn findings(&self) -> Vec<Finding> {
        let mut lines: Vec<&(u64, String)> = self.lines.iter().collect();
        lines.sort_by_key(|(nanos, _)| *nanos);
        let lines: Vec<&str> = lines.iter().map(|(_, line)| line.as_str()).collect();
        let mut run = run_of(&format!("{}{}", self.header, lines.join("\n")));
        run.origin = self.origin;
        findings(&Opened::from(run))
    }

    pub fn has(&self, kind: Kind) -> bool {
        self.findings().iter().any(|one| one.kind == kind)
    }
}

pub fn address(skb: u64) -> String {
    format!("ffff8880{:08x}", 0x0500_0000 + skb * 0x100)
}

/// A run of a kernel.
pub fn of_kernel(kernel: &str) -> Trace {
    Trace {
        header: format!("# kernel: {kernel}\n"),
        ..Trace::default()
    }
}
