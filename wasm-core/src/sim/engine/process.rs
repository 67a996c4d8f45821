//! Processes: the acts of a workload become system calls, calls become paths.
//!
//! What a call does with a socket's bytes is in `transfer`, how it waits in `waiting`.

use crate::kernel::Context;
use crate::sim::config::workload::Act;
use crate::sim::time::SimTime;

use crate::sim::engine::Engine;
use crate::sim::engine::cpu::charge::Charge;
use crate::sim::engine::cpu::code::Path;
use crate::sim::engine::cpu::op::{Op, OpKind};
use crate::sim::engine::state::NONE;

/// Numbers of the system calls in [`crate::sim::engine::setup::host::CALLS`].
mod call {
    pub const SOCKET: u8 = 1;
    pub const BIND: u8 = 2;
    pub const LISTEN: u8 = 3;
    pub const CONNECT: u8 = 4;
    pub const ACCEPT: u8 = 5;
    pub const CLOSE: u8 = 6;
    pub const SEND: u8 = 7;
    pub const RECEIVE: u8 = 8;
    pub const READ: u8 = 9;
}

/// Bytes of the file that processes read (Bryant and others 2000: files of 128 KB).
pub(crate) const FILE_BYTES: u32 = 128 * 1024;
/// Bytes of a page.
const PAGE_BYTES: u32 = 4096;

/// The page of the file in which a byte is.
pub(crate) fn page_of_file(at: u32) -> u32 {
    at % FILE_BYTES / PAGE_BYTES
}

impl Engine {
    /// The task is in user space and goes on with its script.
    pub(crate) fn next_act(&mut self, cpu: usize, task: u32) {
        if self.cpus[cpu].ksoftirqd == task {
            self.run_ksoftirqd(cpu);
            return;
        }
        let state = &mut self.tasks[task as usize];
        let script = &self.scripts[usize::from(state.script)];
        let once = script.once.len();
        let total = once + script.forever.len();
        if usize::from(state.at) >= total {
            if script.forever.is_empty() {
                self.sleep(cpu);
                return;
            }
            state.at = once as u16;
            state.rounds += 1;
            self.hosts[usize::from(state.host)].totals.rounds += 1;
        }
        let at = usize::from(state.at);
        let act = if at < once {
            script.once[at]
        } else {
            script.forever[at - once]
        };
        state.at += 1;
        state.moved = 0;
        self.begin_act(cpu, task, act);
    }

    fn begin_act(&mut self, cpu: usize, task: u32, act: Act) {
        let (sock, listener, message) = {
            let state = &self.tasks[task as usize];
            (state.sock, state.listener, state.message)
        };
        let run = |path, arg| Op::run(path, NONE, sock, arg);
        let act_on = |kind, arg| Op::act(kind, NONE, sock, arg);
        match act {
            Act::Compute { cycles, each_cpu } => {
                let host = usize::from(self.cpus[cpu].host);
                let cpus = self.hosts[host].cpu_count as u64;
                let cycles = cycles.saturating_mul(if each_cpu { cpus } else { 1 });
                let cycles = u32::try_from(cycles).unwrap_or(u32::MAX);
                self.push(cpu, act_on(OpKind::Compute, cycles));
            }
            Act::Send { bytes } => self.send(cpu, sock, bytes.bytes(message)),
            Act::Receive { bytes, .. } if self.is_udp => {
                let ops = [
                    run(Path::UdpRecvmsg, 0),
                    act_on(OpKind::RecvDatagram, bytes.bytes(message)),
                ];
                self.receive_call(cpu, sock, &ops);
            }
            Act::Receive { bytes, wait_all } => {
                let bytes = bytes.bytes(message);
                self.tasks[task as usize].least = if wait_all { bytes } else { 1 };
                let ops = [
                    act_on(OpKind::Own, 0),
                    run(Path::TcpRecvmsg, 0),
                    act_on(OpKind::RecvLoop, bytes),
                ];
                self.receive_call(cpu, sock, &ops);
            }
            Act::Socket {} => {
                let ops = [run(Path::SocketCall, 0), act_on(OpKind::MakeSocket, 0)];
                self.call(cpu, call::SOCKET, NONE, &ops);
            }
            Act::Bind {} => self.call(cpu, call::BIND, sock, &[run(Path::Bind, 0)]),
            Act::Listen {} => {
                let ops = [run(Path::Listen, 0), act_on(OpKind::StartListen, 0)];
                self.call(cpu, call::LISTEN, sock, &ops);
            }
            Act::Connect {} => {
                let ops = [
                    act_on(OpKind::Own, 0),
                    run(Path::Connect, 0),
                    act_on(OpKind::StartConnect, 0),
                    act_on(OpKind::AwaitConnect, 0),
                    act_on(OpKind::Release, 0),
                ];
                self.call(cpu, call::CONNECT, sock, &ops);
            }
            Act::Accept { wait } => {
                let ops = [
                    Op::act(OpKind::Own, NONE, listener, 0),
                    Op::act(OpKind::TakeConnection, NONE, listener, u32::from(!wait)),
                ];
                self.call(cpu, call::ACCEPT, listener, &ops);
            }
            Act::Yield {} => {
                self.push(cpu, act_on(OpKind::Yield, 0));
                self.push(cpu, run(Path::SchedYield, 0));
            }
            Act::Close {} => {
                let ops = [
                    act_on(OpKind::Own, 0),
                    run(Path::Close, 0),
                    act_on(OpKind::StartClose, 0),
                    act_on(OpKind::Push, 0),
                    act_on(OpKind::Release, 0),
                    act_on(OpKind::Closed, 0),
                ];
                self.call(cpu, call::CLOSE, sock, &ops);
            }
            Act::Sleep { us, up_to } => {
                let us = if up_to { self.rng.below(us.max(1)) } else { us };
                let us = u32::try_from(us).unwrap_or(u32::MAX);
                self.call(cpu, 0, NONE, &[act_on(OpKind::SleepFor, us)]);
            }
            Act::Broadcast { bytes, room } => {
                let bytes = bytes.bytes(message);
                self.enter_room(task, room);
                self.push(cpu, Op::act(OpKind::BroadcastNext, 0, NONE, bytes));
            }
            Act::ReadFile { bytes } => self.read_file(cpu, bytes.bytes(message)),
        }
    }

    /// `send(2)` of so many bytes.
    fn send(&mut self, cpu: usize, sock: u32, bytes: u32) {
        if self.is_udp {
            let ops = [Op::act(OpKind::SendDatagram, NONE, sock, bytes)];
            self.call(cpu, call::SEND, sock, &ops);
            return;
        }
        let ops = [
            Op::act(OpKind::Own, NONE, sock, 0),
            Op::run(Path::TcpSendmsg, NONE, sock, 0),
            Op::act(OpKind::SendLoop, NONE, sock, bytes),
            Op::act(OpKind::Release, NONE, sock, 0),
        ];
        self.call(cpu, call::SEND, sock, &ops);
    }

    /// `read(2)` of so many bytes from somewhere in the file, page by page.
    fn read_file(&mut self, cpu: usize, bytes: u32) {
        let places = (FILE_BYTES / bytes.clamp(1, FILE_BYTES)).max(1);
        let at = self.rng.below(u64::from(places)) as u32 * bytes;
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].file_at = at;
        self.call(
            cpu,
            call::READ,
            NONE,
            &[Op::act(OpKind::ReadPage, NONE, NONE, bytes)],
        );
    }

    /// The rest of a page of the file, then the next page, until `left` bytes are read.
    pub(crate) fn read_page(&mut self, cpu: usize, left: u32) {
        let current = self.cpus[cpu].current as usize;
        let at = self.tasks[current].file_at % FILE_BYTES;
        let bytes = left.min(PAGE_BYTES - at % PAGE_BYTES);
        if left > bytes {
            self.push(cpu, Op::act(OpKind::ReadPage, NONE, NONE, left - bytes));
        }
        self.push(cpu, Op::act(OpKind::PageRead, NONE, NONE, bytes));
        self.push(cpu, Op::run(Path::ReadFile, NONE, NONE, bytes));
    }

    /// So many bytes of the file were copied to the process.
    pub(crate) fn page_read(&mut self, cpu: usize, bytes: u32) {
        let current = self.cpus[cpu].current as usize;
        let task = &mut self.tasks[current];
        task.file_at = (task.file_at + bytes) % FILE_BYTES;
        task.moved += bytes;
    }

    /// The script begins again.
    pub(crate) fn start_over(&mut self, task: usize) {
        let script = usize::from(self.tasks[task].script);
        self.tasks[task].at = self.scripts[script].once.len() as u16;
    }

    /// The script goes on where it next yields, or begins again.
    pub(crate) fn skip_to_yield(&mut self, task: usize) {
        let state = &self.tasks[task];
        let script = &self.scripts[usize::from(state.script)];
        let once = script.once.len();
        let from = usize::from(state.at).saturating_sub(once);
        let rest = &script.forever[from.min(script.forever.len())..];
        match rest.iter().position(|act| matches!(act, Act::Yield {})) {
            Some(steps) => self.tasks[task].at = (once + from + steps) as u16,
            None => self.start_over(task),
        }
    }

    /// A system call: entry, what it does in this order, exit.
    fn call(&mut self, cpu: usize, number: u8, sock: u32, ops: &[Op]) {
        self.begin_call(cpu, number);
        self.push(cpu, Op::act(OpKind::CallEnds, NONE, sock, 0));
        self.push(cpu, Op::run(Path::SyscallExit, NONE, sock, 0));
        for &op in ops.iter().rev() {
            self.push(cpu, op);
        }
        self.push(cpu, Op::run(Path::SyscallEntry, NONE, sock, 0));
    }

    /// A call that returns what it received: its exit comes with [`OpKind::Return`].
    fn receive_call(&mut self, cpu: usize, sock: u32, ops: &[Op]) {
        self.begin_call(cpu, call::RECEIVE);
        self.push(cpu, Op::act(OpKind::CallEnds, NONE, sock, 0));
        for &op in ops.iter().rev() {
            self.push(cpu, op);
        }
        self.push(cpu, Op::run(Path::SyscallEntry, NONE, sock, 0));
    }

    fn begin_call(&mut self, cpu: usize, number: u8) {
        let current = self.cpus[cpu].current as usize;
        self.tasks[current].call = number;
    }

    /// The call under way is over.
    pub(crate) fn call_ends(&mut self, cpu: usize) {
        let current = self.cpus[cpu].current as usize;
        let number = std::mem::take(&mut self.tasks[current].call);
        let host = usize::from(self.cpus[cpu].host);
        self.hosts[host].calls[usize::from(number)].calls += 1;
    }

    /// The task's room: so many connections with its own among them, or all.
    fn enter_room(&mut self, task: u32, size: u32) {
        let (first, count) = self.pairs;
        let size = if size == 0 { count } else { size };
        let task = &mut self.tasks[task as usize];
        let before = task.lane / size.max(1) * size;
        task.room = (first + before * 2, size.min(count.saturating_sub(before)));
    }

    /// The next connection of the task's room gets the message.
    pub(crate) fn broadcast_next(&mut self, cpu: usize, at: u32, bytes: u32) {
        let current = self.cpus[cpu].current as usize;
        let (first, count) = self.tasks[current].room;
        if at >= count {
            return;
        }
        self.push(cpu, Op::act(OpKind::BroadcastNext, at + 1, NONE, bytes));
        let sock = first + at * 2 + u32::from(self.tasks[current].is_server);
        self.tasks[current].moved = 0;
        self.send(cpu, sock, bytes);
    }

    /// Computes in user space for so many base cycles.
    pub(crate) fn compute(&mut self, cpu: usize, cycles: u32) {
        let host = &self.hosts[usize::from(self.cpus[cpu].host)];
        let scale = u64::from(host.machine.processors.core_permille);
        let mut cost = u64::from(cycles) * host.code.cycle * scale / 1000;
        cost = self.beside_sibling(cpu, cost);
        let charge = Charge {
            task: self.cpus[cpu].current,
            ..Charge::to(Context::User)
        };
        self.charge(cpu, charge, cost);
        self.cpus[cpu].in_user = true;
        self.enter_user(cpu);
        self.cpus[cpu].until = self.now + SimTime(cost);
    }

    /// `ksoftirqd`: softirqs at a task's level, as long as any are left.
    fn run_ksoftirqd(&mut self, cpu: usize) {
        if self.cpus[cpu].softirq {
            self.enter_softirq(cpu);
        } else {
            self.sleep(cpu);
        }
    }
}
