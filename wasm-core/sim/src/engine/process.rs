//! Processes: the acts of a workload become system calls, and these become operations in the order of
//! execution.
//!
//! What a call does with a socket's data is in [`super::sockets`].

mod sleeping;

use crate::config::workload::Act;
use crate::time::SimTime;
use ringside::kernel::Context;

use super::core::Core;
use super::cpu::charge::Charge;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::cpu::profile::Call;
use super::ids::{Id as _, SockId, TaskId};
use sleeping::{pace, sleep, until};

/// Bytes of a page (`PAGE_SIZE` of x86, the only architecture of the machines).
const PAGE_BYTES: u32 = 4096;

/// The index of the page that contains byte `at` of the file.
pub const fn page_of_file(at: u32) -> u32 {
    at / PAGE_BYTES
}

/// Size in bytes of the file that processes of a CPU's host read.
fn file_bytes(core: &Core, cpu: usize) -> u32 {
    core.host_of(cpu).file.map_or(PAGE_BYTES, |file| file.bytes)
}

/// The program of a task.
#[derive(Debug, Clone)]
pub struct Script {
    /// Name of its role.
    pub name: String,
    /// Acts that are executed once, at the start.
    pub once: Vec<Act>,
    /// Acts that are then repeated forever.
    pub forever: Vec<Act>,
    /// The times to wait for, by connection, in µs from the start.
    pub times_us: Vec<Vec<u32>>,
}

impl Script {
    /// The act at an index that counts through both lists.
    fn act(&self, at: usize) -> Act {
        let once = self.once.len();
        if at < once {
            self.once[at]
        } else {
            self.forever[at - once]
        }
    }

    /// The index of the next yield in the loop from `at` on; else that of the loop's first act.
    fn next_yield(&self, at: usize) -> usize {
        let once = self.once.len();
        let from = at.saturating_sub(once).min(self.forever.len());
        let mut rest = self.forever[from..].iter();
        match rest.position(|act| matches!(act, Act::Yield {})) {
            Some(steps) => once + from + steps,
            None => once,
        }
    }

    /// Whether the program reads a file.
    pub fn reads_file(&self) -> bool {
        let mut acts = self.once.iter().chain(&self.forever);
        acts.any(|act| matches!(act, Act::ReadFile { .. }))
    }
}

/// The programs of a world.
#[derive(Debug, Default)]
pub struct Programs {
    /// Scripts by the index that tasks hold.
    pub scripts: Vec<Script>,
    /// Whether sockets are UDP's.
    pub is_udp: bool,
    /// Index of the first socket of the connected pairs (client, then server), and the number of pairs.
    pub pairs: (u32, u32),
}

impl Programs {
    /// The task is in user space and continues with its script.
    pub fn next_act(&self, core: &mut Core, cpu: usize, task: TaskId) {
        let state = &mut core.tasks[task];
        let script = &self.scripts[state.script];
        if state.at >= script.once.len() + script.forever.len() {
            if script.forever.is_empty() {
                core.sleep(cpu);
                return;
            }
            state.at = script.once.len();
            state.rounds += 1;
            core.hosts[state.host].totals.rounds += 1;
        }
        let act = script.act(state.at);
        state.at += 1;
        state.moved = 0;
        self.begin_act(core, cpu, task, act);
    }

    fn begin_act(&self, core: &mut Core, cpu: usize, task: TaskId, act: Act) {
        let state = &core.tasks[task];
        let message = state.message;
        match act {
            Act::Compute { cycles, each_cpu } => {
                let cpus = core.host_of(cpu).cpu_count as u64;
                let cycles = cycles.saturating_mul(if each_cpu { cpus } else { 1 });
                let cycles = u32::try_from(cycles).unwrap_or(u32::MAX);
                core.push(cpu, Op::Compute { cycles });
            }
            Act::Yield {} => {
                let prepare = Op::run(Path::SchedYield, about(state.sock));
                core.then(cpu, [prepare, Op::Yield]);
            }
            Act::Sleep { us, up_to } => {
                let us = if up_to { core.rng.below(us.max(1)) } else { us };
                sleep(core, cpu, us);
            }
            Act::Await {} => {
                let times = &self.scripts[state.script].times_us;
                let own = times.get(state.connection as usize);
                until(
                    core,
                    cpu,
                    own.and_then(|own| own.get(state.rounds as usize)),
                );
            }
            Act::Pace { per_s } => pace(core, cpu, task, per_s),
            Act::ReadFile { bytes } => read_file(core, cpu, bytes.bytes(message)),
            Act::Broadcast { bytes, room } => {
                let bytes = bytes.bytes(message);
                self.enter_room(core, task, room);
                core.push(cpu, Op::BroadcastNext { next: 0, bytes });
            }
            Act::Socket {} => {
                let ops = [Op::run(Path::SocketCall, about(state.sock)), Op::MakeSocket];
                call(core, cpu, Call::Socket, None, ops);
            }
            Act::Accept { wait } => {
                if let Some(listener) = state.listener {
                    let waits = wait;
                    let sock = listener;
                    let ops = [
                        Op::LockSock { sock },
                        Op::TakeConnection { listener, waits },
                    ];
                    call(core, cpu, Call::Accept, Some(listener), ops);
                }
            }
            Act::Send { .. }
            | Act::Receive { .. }
            | Act::Bind {}
            | Act::Listen {}
            | Act::Connect {}
            | Act::Close {} => {
                if let Some(sock) = state.sock {
                    self.act_on_socket(core, cpu, task, sock, act);
                }
            }
        }
    }

    /// Executes an act on the task's socket.
    fn act_on_socket(&self, core: &mut Core, cpu: usize, task: TaskId, sock: SockId, act: Act) {
        let message = core.tasks[task].message;
        let run = |path| Op::run(path, About::sock(sock));
        let of = Some(sock);
        match act {
            Act::Send { bytes } => self.send(core, cpu, sock, bytes.bytes(message)),
            Act::Receive { bytes, .. } if self.is_udp => {
                let most = bytes.bytes(message);
                let ops = [run(Path::UdpRecvmsg), Op::RecvDatagram { sock, most }];
                receive_call(core, cpu, sock, ops);
            }
            Act::Receive { bytes, wait_all } => {
                let left = bytes.bytes(message);
                core.tasks[task].least = if wait_all { left } else { 1 };
                let ops = [
                    Op::LockSock { sock },
                    run(Path::TcpRecvmsg),
                    Op::RecvLoop { sock, left },
                ];
                receive_call(core, cpu, sock, ops);
            }
            Act::Bind {} => call(core, cpu, Call::Bind, of, [run(Path::Bind)]),
            Act::Listen {} => {
                let ops = [run(Path::Listen), Op::StartListen { sock }];
                call(core, cpu, Call::Listen, of, ops);
            }
            Act::Connect {} => {
                let ops = [
                    Op::LockSock { sock },
                    run(Path::Connect),
                    Op::StartConnect { sock },
                    Op::AwaitConnect { sock },
                    Op::ReleaseSock { sock },
                ];
                call(core, cpu, Call::Connect, of, ops);
            }
            Act::Close {} => {
                let ops = [
                    Op::LockSock { sock },
                    run(Path::Close),
                    Op::StartClose { sock },
                    Op::Push { sock },
                    Op::ReleaseSock { sock },
                    Op::Closed { sock },
                ];
                call(core, cpu, Call::Close, of, ops);
            }
            _ => {}
        }
    }

    /// `send(2)` of `bytes` bytes.
    fn send(&self, core: &mut Core, cpu: usize, sock: SockId, bytes: u32) {
        let of = Some(sock);
        if self.is_udp {
            let ops = [Op::SendDatagram { sock, bytes }];
            call(core, cpu, Call::Send, of, ops);
            return;
        }
        let ops = [
            Op::LockSock { sock },
            Op::run(Path::TcpSendmsg, About::sock(sock)),
            Op::SendLoop { sock, left: bytes },
            Op::ReleaseSock { sock },
        ];
        call(core, cpu, Call::Send, of, ops);
    }

    /// The task's script restarts its loop.
    pub fn start_over(&self, core: &mut Core, cpu: usize) {
        if let Some(task) = core.current(cpu) {
            task.at = self.scripts[task.script].once.len();
        }
    }

    /// The task's script continues at its next yield, or restarts its loop.
    pub fn skip_to_yield(&self, core: &mut Core, cpu: usize) {
        if let Some(task) = core.current(cpu) {
            task.at = self.scripts[task.script].next_yield(task.at);
        }
    }

    /// Sets the task's room: `size` connections that include its own; 0: all.
    fn enter_room(&self, core: &mut Core, task: TaskId, size: u32) {
        let (first, count) = self.pairs;
        let size = if size == 0 { count } else { size };
        let task = &mut core.tasks[task];
        let before = task.connection / size.max(1) * size;
        task.room = (first + before * 2, size.min(count.saturating_sub(before)));
    }

    /// Sends the message to the next connection of the task's room.
    pub fn broadcast_next(&self, core: &mut Core, cpu: usize, next: u32, bytes: u32) {
        let Some(task) = core.current(cpu) else {
            return;
        };
        let (first, count) = task.room;
        if next >= count {
            return;
        }
        task.moved = 0;
        let sock = first + next * 2 + u32::from(task.is_server);
        let again = Op::BroadcastNext {
            next: next + 1,
            bytes,
        };
        core.push(cpu, again);
        self.send(core, cpu, SockId::from_index(sock as usize), bytes);
    }
}

/// The object of a path of a task with or without a socket.
fn about(sock: Option<SockId>) -> About {
    sock.map_or(About::NOTHING, About::sock)
}

/// A system call: its entry, its operations in order, its exit.
fn call<const N: usize>(
    core: &mut Core,
    cpu: usize,
    call: Call,
    sock: Option<SockId>,
    ops: [Op; N],
) {
    let about = about(sock);
    begin_call(core, cpu, call);
    let exit = Op::run(Path::SyscallExit, about);
    core.then(cpu, [exit, Op::CallEnds]);
    core.then(cpu, ops);
    core.push(cpu, Op::run(Path::SyscallEntry, about));
}

/// A receive call, whose exit path comes with [`Op::Return`].
fn receive_call<const N: usize>(core: &mut Core, cpu: usize, sock: SockId, ops: [Op; N]) {
    begin_call(core, cpu, Call::Receive);
    core.push(cpu, Op::CallEnds);
    core.then(cpu, ops);
    core.push(cpu, Op::run(Path::SyscallEntry, About::sock(sock)));
}

fn begin_call(core: &mut Core, cpu: usize, call: Call) {
    if let Some(task) = core.current(cpu) {
        task.call = call;
    }
}

/// The current system call has returned.
pub fn call_ends(core: &mut Core, cpu: usize) {
    if let Some(task) = core.current(cpu) {
        let call = std::mem::take(&mut task.call);
        core.host_of_mut(cpu).profile.call(call).calls += 1;
    }
}

/// `read(2)` of `bytes` bytes from a random offset of the file, page by page.
fn read_file(core: &mut Core, cpu: usize, bytes: u32) {
    let whole = file_bytes(core, cpu);
    let places = (whole / bytes.clamp(1, whole)).max(1);
    let at = core.rng.below(u64::from(places)) as u32 * bytes;
    if let Some(task) = core.current(cpu) {
        task.file_at = at;
    }
    let ops = [Op::ReadPage { left: bytes }];
    call(core, cpu, Call::Read, None, ops);
}

/// Reads the rest of a page of the file, then the next page, until `left` bytes are read.
pub fn read_page(core: &mut Core, cpu: usize, left: u32) {
    let at = core.current(cpu).map_or(0, |task| task.file_at);
    let bytes = left.min(PAGE_BYTES - at % PAGE_BYTES);
    let rest = (left > bytes).then_some(Op::ReadPage { left: left - bytes });
    let read = Op::run(Path::ReadFile, About::NOTHING.counting(bytes));
    let ops = [Some(read), Some(Op::PageRead { bytes }), rest];
    core.then(cpu, ops.into_iter().flatten());
}

/// `bytes` bytes of the file have been copied to the process.
pub fn page_read(core: &mut Core, cpu: usize, bytes: u32) {
    let whole = file_bytes(core, cpu);
    if let Some(task) = core.current(cpu) {
        task.file_at = (task.file_at + bytes) % whole;
        task.moved += bytes;
    }
}

/// Computes in user space for `cycles` base cycles.
pub fn compute(core: &mut Core, cpu: usize, cycles: u32) {
    let host = core.host_of(cpu);
    let scale = u64::from(host.machine.processors.core_permille);
    let cost = u64::from(cycles) * host.code.cycle * scale / 1000;
    let cost = core.beside_sibling(cpu, cost);
    let charge = Charge {
        task: core.cpus[cpu].current,
        ..Charge::to(Context::User)
    };
    core.charge(cpu, charge, cost);
    core.cpus[cpu].in_user = true;
    core.enter_user(cpu);
    core.cpus[cpu].until = core.now() + SimTime(cost);
}

#[cfg(test)]
mod tests;
