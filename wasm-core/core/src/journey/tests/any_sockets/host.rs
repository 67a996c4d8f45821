//! A host whose tasks send datagrams to one another, step by step: what it records with tracepoints alone, as kernel 6.18
//! prints it, and what became of each datagram.
//!
//! It is a model of the order of things and of nothing else: each line comes ten microseconds after the last, on
//! whatever CPU.

use std::collections::VecDeque;
use std::fmt::Write as _;
use std::ops::RangeInclusive;

use super::{CPUS, Family, Load, Reader, Sender, Step};

/// What became of a datagram.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// It is in the queue of a socket.
    Waits,
    /// A task took it, in the n-th call that returned.
    Read { pid: u32, call: usize },
}

/// What a reader does next.
#[derive(Debug, Clone)]
enum State {
    /// Looks whether there is anything in its sockets.
    Looks,
    Sleeps,
    /// Asks its sockets by turns, this one next.
    Asks(usize),
    /// Has taken a datagram from a socket, and frees it.
    Took {
        socket: usize,
        datagram: usize,
    },
    /// Returns from the call that took it.
    Returns {
        socket: usize,
        datagram: usize,
    },
}

/// The address of a socket as `sock_recv_length` prints it.
fn address(socket: usize) -> String {
    format!("00000000aaaa{socket:04x}")
}

#[derive(Debug)]
struct Datagram {
    bytes: u32,
    skb: u32,
    /// The CPU that allocated it.
    home: usize,
    end: End,
}

#[derive(Debug, Default)]
struct Cpu {
    /// The task that runs; none, and it is idle.
    runs: Option<(&'static str, u32)>,
    /// Addresses that its allocator gives out again, the last first.
    unused: Vec<u32>,
    /// Datagrams that others read and this CPU is to free.
    deferred: Vec<usize>,
}

#[derive(Debug)]
pub struct Host<'a> {
    text: String,
    load: &'a Load,
    micros: u32,
    calls: usize,
    addresses: u32,
    states: Vec<State>,
    queues: Vec<VecDeque<usize>>,
    /// The readers that wait for each socket, in the order in which they are woken.
    waiting: Vec<VecDeque<usize>>,
    datagrams: Vec<Datagram>,
    cpus: [Cpu; CPUS],
}

const FIRST_READER: u32 = 100;
const FIRST_SENDER: u32 = 200;

impl<'a> Host<'a> {
    /// The host after all steps of a load.
    pub fn of(load: &'a Load) -> Self {
        let mut host = Self {
            text: String::new(),
            load,
            micros: 0,
            calls: 0,
            addresses: 0x1000,
            states: vec![State::Looks; load.readers.len()],
            queues: vec![VecDeque::new(); load.sockets.len()],
            waiting: vec![VecDeque::new(); load.sockets.len()],
            datagrams: Vec::new(),
            cpus: Default::default(),
        };
        for step in &load.steps {
            host.step(step);
        }
        host.return_on(0..=CPUS);
        host
    }

    /// The ends of all datagrams, in the order in which they were sent.
    pub fn ends(&self) -> impl Iterator<Item = End> {
        self.datagrams.iter().map(|datagram| datagram.end)
    }

    /// What is printed before the n-th line, and the rest.
    pub fn split_at(&self, line: usize) -> (&str, &str) {
        let before = self.text.split_inclusive('\n').take(line);
        self.text.split_at(before.map(str::len).sum())
    }

    /// Takes a step. No task is preempted between taking a datagram and returning it, nor does the recording end there.
    fn step(&mut self, step: &Step) {
        match *step {
            Step::Send {
                sender,
                socket,
                bytes,
            } => {
                let cpu = self.load.senders[sender].cpu;
                self.return_on(cpu..=cpu);
                self.send(sender, socket, bytes);
            }
            Step::Go { reader } if !matches!(self.states[reader], State::Sleeps) => {
                let cpu = self.load.readers[reader].cpu;
                if !self.is_in_call(reader) {
                    let is_in_order = !self.load.may_return_late;
                    self.return_on(if is_in_order { 0..=CPUS } else { cpu..=cpu });
                }
                self.go(reader);
            }
            Step::Go { .. } => {}
        }
    }

    fn is_in_call(&self, reader: usize) -> bool {
        matches!(
            self.states[reader],
            State::Took { .. } | State::Returns { .. }
        )
    }

    /// Lets the calls return that have taken a datagram on these CPUs.
    fn return_on(&mut self, cpus: RangeInclusive<usize>) {
        for reader in 0..self.load.readers.len() {
            while cpus.contains(&self.load.readers[reader].cpu) && self.is_in_call(reader) {
                self.go(reader);
            }
        }
    }

    fn send(&mut self, sender: usize, socket: usize, bytes: u32) {
        let Sender { peer, cpu } = self.load.senders[sender];
        let to = peer.unwrap_or(socket);
        let hash = peer.map_or(0, |peer| 0x0100_0000 + (sender * 16 + peer) as u32);
        let l4 = u32::from(hash != 0);
        let pid = FIRST_SENDER + sender as u32;
        self.run_on(cpu, "s", pid);
        let skb = self.cpus[cpu].unused.pop().unwrap_or_else(|| {
            self.addresses += 0x100;
            self.addresses
        });
        let (frame, packet) = (bytes + 42, bytes + 28);
        let call = format!("s{pid}-{pid} [{cpu:03}] b....");
        let softirq = format!("s{pid}-{pid} [{cpu:03}] ..s1.");
        let of = format!("dev=lo skbaddr={skb:016x}");
        let offload = "vlan_tagged=0 vlan_proto=0x0000 vlan_tci=0x0000 protocol=0x0800 ip_summed=3";
        let family = self.family(to);
        for event in [
            format!("net_dev_queue: {of} len={frame}"),
            format!(
                "net_dev_start_xmit: dev=lo queue_mapping=0 skbaddr={skb:016x} {offload} len={frame} data_len=0 network_offset=14 transport_offset_valid=1 transport_offset=34 tx_flags=0 gso_size=0 gso_segs=0 gso_type=0x0"
            ),
            format!(
                "netif_rx_entry: dev=lo napi_id=0x0 queue_mapping=0 skbaddr={skb:016x} {offload} hash=0x{hash:08x} l4_hash={l4} len={packet} data_len=0 truesize=832 mac_header_valid=1 mac_header=-14 nr_frags=0 gso_size=0 gso_type=0x0"
            ),
            format!("netif_rx: {of} len={packet}"),
            "netif_rx_exit: ret=0".to_owned(),
            format!("net_dev_xmit: {of} len={frame} rc=0"),
        ] {
            self.line(&call, &event);
        }
        self.line(&softirq, "softirq_entry: vec=3 [action=NET_RX]");
        self.flush(cpu, &softirq);
        self.line(&softirq, &format!("netif_receive_skb: {of} len={packet}"));
        self.line(
            &softirq,
            &format!(
                "sk_data_ready: family={} protocol=17 func=sock_def_readable",
                family.0
            ),
        );
        self.queues[to].push_back(self.datagrams.len());
        self.datagrams.push(Datagram {
            bytes,
            skb,
            home: cpu,
            end: End::Waits,
        });
        self.wake(to, &softirq);
        self.line(&softirq, "napi_poll: napi poll on napi struct 00000000cb59cb3d for device (no_device) work 1 budget 64");
        self.line(&softirq, "softirq_exit: vec=3 [action=NET_RX]");
        self.line(&format!("s{pid}-{pid} [{cpu:03}] ....."), &format!("sock_send_length: sk address = 00000000bbbb{pid:04x}, family = AF_INET protocol = 0x11, length = {bytes}, error = 0, flags = 0x0"));
    }

    /// A socket's family as `sk_data_ready` and `sock_recv_length` print it.
    fn family(&self, socket: usize) -> (u32, &'static str) {
        match self.load.sockets[socket] {
            Family::Inet => (2, "AF_INET"),
            Family::Inet6 => (10, "AF_INET6"),
        }
    }

    /// Frees what other CPUs have read of this one's, the latest first (`net/core/dev.c: skb_defer_free_flush`).
    fn flush(&mut self, cpu: usize, context: &str) {
        for datagram in std::mem::take(&mut self.cpus[cpu].deferred)
            .into_iter()
            .rev()
        {
            let skb = self.datagrams[datagram].skb;
            self.line(
                context,
                &format!("consume_skb: skbaddr={skb:016x} location=skb_defer_free_flush+0x70/0xb0"),
            );
            self.cpus[cpu].unused.push(skb);
        }
    }

    /// Wakes all that poll a socket, the last first, and of those that wait in a call the first
    /// (`kernel/sched/wait.c: __wake_up_common`).
    fn wake(&mut self, socket: usize, context: &str) {
        let waiting = std::mem::take(&mut self.waiting[socket]);
        let (polling, mut calling): (VecDeque<usize>, VecDeque<usize>) =
            waiting.into_iter().partition(|&reader| self.polls(reader));
        for reader in polling.into_iter().rev().chain(calling.pop_front()) {
            let pid = FIRST_READER + reader as u32;
            let cpu = self.load.readers[reader].cpu;
            for event in ["sched_waking", "sched_wakeup"] {
                self.line(
                    context,
                    &format!("{event}: comm=r{pid} pid={pid} prio=120 target_cpu={cpu:03}"),
                );
            }
            for waiting in &mut self.waiting {
                waiting.retain(|&other| other != reader);
            }
            self.states[reader] = State::Looks;
        }
        self.waiting[socket] = calling;
    }

    fn polls(&self, reader: usize) -> bool {
        self.load.readers[reader].sockets.len() > 1
    }

    fn go(&mut self, reader: usize) {
        let Reader { sockets, cpu, room } = &self.load.readers[reader];
        let (cpu, polls) = (*cpu, self.polls(reader));
        let pid = FIRST_READER + reader as u32;
        self.run_on(cpu, "r", pid);
        self.states[reader] = match self.states[reader] {
            State::Sleeps => return,
            State::Looks => {
                let is_ready = sockets.iter().any(|&at| !self.queues[at].is_empty());
                match (is_ready, polls) {
                    (true, true) => State::Asks(0),
                    (true, false) => self.ask(reader, 0),
                    (false, _) => {
                        for &socket in sockets {
                            self.waiting[socket].push_back(reader);
                        }
                        self.switch(cpu, 'S', None);
                        State::Sleeps
                    }
                }
            }
            State::Asks(at) => self.ask(reader, at),
            State::Took { socket, datagram } => {
                let Datagram { home, skb, .. } = self.datagrams[datagram];
                if home == cpu {
                    self.cpus[cpu].unused.push(skb);
                } else {
                    self.cpus[home].deferred.push(datagram);
                }
                State::Returns { socket, datagram }
            }
            State::Returns { socket, datagram } => {
                self.datagrams[datagram].end = End::Read {
                    pid,
                    call: self.calls,
                };
                let bytes = self.datagrams[datagram].bytes.min(*room);
                self.returns(reader, socket, bytes, 0);
                let asked = sockets.iter().position(|&at| at == socket);
                let next = asked.filter(|_| polls).map(|at| State::Asks(at + 1));
                next.unwrap_or(State::Looks)
            }
        };
    }

    /// A reader calls for the head of the queue of the n-th of its sockets.
    fn ask(&mut self, reader: usize, at: usize) -> State {
        let Some(&socket) = self.load.readers[reader].sockets.get(at) else {
            return State::Looks;
        };
        let Some(datagram) = self.queues[socket].pop_front() else {
            self.returns(reader, socket, 0, -11);
            return State::Asks(at + 1);
        };
        State::Took { socket, datagram }
    }

    /// A reader's call returns.
    fn returns(&mut self, reader: usize, socket: usize, bytes: u32, error: i32) {
        self.calls += 1;
        let pid = FIRST_READER + reader as u32;
        let cpu = self.load.readers[reader].cpu;
        let flags = if self.polls(reader) { 0x40 } else { 0 };
        let (sk, family) = (address(socket), self.family(socket).1);
        self.line(&format!("r{pid}-{pid} [{cpu:03}] ....."), &format!("sock_recv_length: sk address = {sk}, family = {family} protocol = 0x11, length = {bytes}, error = {error}, flags = 0x{flags:x}"));
    }

    /// A task takes a CPU from whichever ran there.
    fn run_on(&mut self, cpu: usize, name: &'static str, pid: u32) {
        if self.cpus[cpu].runs != Some((name, pid)) {
            self.switch(cpu, 'R', Some((name, pid)));
        }
    }

    fn switch(&mut self, cpu: usize, state: char, to: Option<(&'static str, u32)>) {
        let from = std::mem::replace(&mut self.cpus[cpu].runs, to);
        let idle = (format!("swapper/{cpu}"), 0);
        let of = |task: Option<(&str, u32)>| {
            task.map_or(idle.clone(), |(name, pid)| (format!("{name}{pid}"), pid))
        };
        let ((before, before_pid), (next, next_pid)) = (of(from), of(to));
        let who = if from.is_some() { &before } else { "<idle>" };
        self.line(
            &format!("{who}-{before_pid} [{cpu:03}] d..2."),
            &format!("sched_switch: prev_comm={before} prev_pid={before_pid} prev_prio=120 prev_state={state} ==> next_comm={next} next_pid={next_pid} next_prio=120"),
        );
    }

    fn line(&mut self, context: &str, event: &str) {
        self.micros += 10;
        let (seconds, micros) = (13 + self.micros / 1_000_000, self.micros % 1_000_000);
        let _ = writeln!(self.text, "{context} {seconds}.{micros:06}: {event}");
    }
}
