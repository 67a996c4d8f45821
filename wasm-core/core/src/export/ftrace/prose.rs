//! Events whose text is no list of keys: sentences, the scheduler's, system calls.
//! Each is written only where an event has exactly what its sentence holds. A run without any
//! priority, a model's, has the default one in its sentences, and its header says so.

use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::spelling::is_tail;
use super::tasks::Tasks;
use super::{Line, pairs};
use crate::kernel::{AddrId, Field, MPTCP, NameId, Probe};

/// The event's text in its own words, if they hold it.
pub(super) fn write(line: &Line<'_>, tasks: &Tasks<'_>) -> Option<String> {
    match line.event.probe {
        Probe::IrqHandlerEntry if line.is_bare() => irq_handler_entry(line),
        Probe::SchedSwitch if line.is_bare() => sched_switch(line, tasks),
        Probe::SchedWakeup
        | Probe::SchedWakeupNew
        | Probe::SchedWaking
        | Probe::SchedMigrateTask
        | Probe::SchedProcessExit
            if line.is_bare() =>
        {
            sched_task(line, tasks)
        }
        Probe::SchedProcessFork if line.is_bare() => sched_fork(line, tasks),
        Probe::SchedProcessExec if line.is_bare() => sched_exec(line),
        Probe::NapiPoll if line.is_bare() => napi_poll(line),
        Probe::SockRecvLength | Probe::SockSendLength => sock_length(line),
        Probe::IcmpSend => icmp_send(line),
        Probe::TcpSendmsgLocked => sendmsg_locked(line),
        Probe::SysEnter if line.is_bare() => sys_enter(line),
        Probe::SysExit if line.is_bare() => sys_exit(line),
        _ => None,
    }
}

/// The events that have a sentence, so that their keys stand behind a place.
pub(super) const fn has_sentence(probe: Probe) -> bool {
    matches!(
        probe,
        Probe::IrqHandlerEntry
            | Probe::SchedSwitch
            | Probe::SchedWakeup
            | Probe::SchedWakeupNew
            | Probe::SchedWaking
            | Probe::SchedMigrateTask
            | Probe::SchedProcessExit
            | Probe::SchedProcessFork
            | Probe::SchedProcessExec
            | Probe::NapiPoll
            | Probe::SockRecvLength
            | Probe::SockSendLength
            | Probe::IcmpSend
            | Probe::TcpSendmsgLocked
    )
}

/// A name that the end of its part of the sentence ends.
fn tail<'a>(line: &Line<'a>, value: u32) -> Option<&'a str> {
    Some(line.run.names.text(NameId(value))).filter(|name| is_tail(name))
}

fn irq_handler_entry(line: &Line<'_>) -> Option<String> {
    let &[(Field::Irq, irq), (Field::Name, name)] = line.fields else {
        return None;
    };
    let name = tail(line, name)?;
    Some(format!("irq_handler_entry: irq={irq} name={name}"))
}

fn sched_switch(line: &Line<'_>, tasks: &Tasks<'_>) -> Option<String> {
    // A model of a kernel that has no such priorities records none.
    let (prev, prev_prio, rest) = match *line.fields {
        [
            (Field::PrevPid, pid),
            (Field::PrevPrio, prio),
            ref rest @ ..,
        ] => (pid, Some(prio), rest),
        [(Field::PrevPid, pid), ref rest @ ..] => (pid, None, rest),
        _ => return None,
    };
    let (state, next, next_prio) = match *rest {
        [
            (Field::PrevState, state),
            (Field::NextPid, pid),
            (Field::NextPrio, prio),
        ] => (state, pid, Some(prio)),
        [(Field::PrevState, state), (Field::NextPid, pid)] => (state, pid, None),
        _ => return None,
    };
    let state = tail(line, state).filter(|state| !state.contains(' '))?;
    let prev_prio = priority(line, prev_prio)?;
    let next_prio = priority(line, next_prio)?;
    Some(format!(
        "sched_switch: prev_comm={} prev_pid={prev} prev_prio={prev_prio} prev_state={state} \
         ==> next_comm={} next_pid={next} next_prio={next_prio}",
        tasks.comm(prev, line.cpu()),
        tasks.comm(next, line.cpu()),
    ))
}

/// A task's priority, as the kernel prints one for every task; none where it cannot stand there.
fn priority(line: &Line<'_>, known: Option<u32>) -> Option<u32> {
    known.or((!line.has_priorities).then_some(DEFAULT_PRIO))
}

/// The priority of a task that nobody made nicer or less nice (`include/linux/sched/prio.h`, v6.12).
const DEFAULT_PRIO: u32 = 120;

fn sched_task(line: &Line<'_>, tasks: &Tasks<'_>) -> Option<String> {
    let [(Field::TargetPid, pid), rest @ ..] = line.fields else {
        return None;
    };
    let is_plain = |field: Field| {
        matches!(
            field,
            Field::Prio | Field::TargetCpu | Field::OrigCpu | Field::DestCpu
        )
    };
    if !rest.iter().all(|&(field, _)| is_plain(field)) {
        return None;
    }
    let comm = tasks.comm(*pid, line.cpu());
    let (prio, rest) = match rest {
        [(Field::Prio, prio), rest @ ..] => (Some(*prio), rest),
        _ => (None, rest),
    };
    let prio = priority(line, prio)?;
    let mut text = format!("{}: comm={comm} pid={pid} prio={prio}", line.event.probe);
    pairs::fields(line, rest, &mut text).ok()?;
    Some(text)
}

fn sched_fork(line: &Line<'_>, tasks: &Tasks<'_>) -> Option<String> {
    let &[(Field::TargetPid, pid), (Field::ChildPid, child)] = line.fields else {
        return None;
    };
    Some(format!(
        "sched_process_fork: comm={} pid={pid} child_comm={} child_pid={child}",
        tasks.comm(pid, line.cpu()),
        tasks.comm(child, line.cpu()),
    ))
}

fn sched_exec(line: &Line<'_>) -> Option<String> {
    let &[(Field::Name, name), (Field::TargetPid, pid)] = line.fields else {
        return None;
    };
    let name = tail(line, name).filter(|name| !name.contains(" pid="))?;
    Some(format!("sched_process_exec: filename={name} pid={pid}"))
}

fn napi_poll(line: &Line<'_>) -> Option<String> {
    let (napi, rest) = match *line.fields {
        [(Field::Napi, napi), ref rest @ ..] => {
            let napi = line.run.addresses.value(AddrId(napi));
            (Some(napi).filter(|&napi| napi != 0)?, rest)
        }
        // A null pointer is read as none.
        ref rest => (0, rest),
    };
    let (dev, work, budget) = match *rest {
        [(Field::Dev, dev)] => (dev, None, None),
        [
            (Field::Dev, dev),
            (Field::Work, work),
            (Field::Budget, budget),
        ] => (dev, Some(work), Some(budget)),
        _ => return None,
    };
    let dev = tail(line, dev).filter(|dev| !dev.contains(" work "))?;
    let mut text = format!("napi_poll: napi poll on napi struct {napi:016x} for device {dev}");
    if let (Some(work), Some(budget)) = (work, budget) {
        write!(text, " work {work} budget {budget}").ok()?;
    }
    Some(text)
}

fn sock_length(line: &Line<'_>) -> Option<String> {
    let (told, flags) = match *line.fields {
        [ref told @ .., (Field::Flags, flags)] => (told, Some(flags)),
        ref told => (told, None),
    };
    let [(Field::Ret, ret), ref socket @ ..] = *told else {
        return None;
    };
    let (family, proto) = match *socket {
        [] => ("", None),
        [(Field::Proto, proto @ (1..=255 | MPTCP))] => ("", Some(proto)),
        [
            (Field::Family, family),
            (Field::Proto, proto @ (1..=255 | MPTCP)),
        ] => (family_name(family)?, Some(proto)),
        _ => return None,
    };
    if line.skb().is_some() || line.len().is_some() {
        return None;
    }
    let ret = ret.cast_signed();
    let sk = line.sk().unwrap_or(0);
    let mut text = format!("{}: sk address = {sk:016x},", line.event.probe);
    if let Some(proto) = proto {
        write!(text, "{family} protocol = {proto:#x},").ok()?;
    }
    let (length, error) = (ret.max(0), ret.min(0));
    write!(text, " length = {length}, error = {error}").ok()?;
    if let Some(flags) = flags {
        write!(text, ", flags = {flags:#x}").ok()?;
    }
    Some(text)
}

/// A family whose protocols are IP's, as `sock_recv_length` prints it.
const fn family_name(family: u32) -> Option<&'static str> {
    match family {
        2 => Some(" family = AF_INET"),
        10 => Some(" family = AF_INET6"),
        _ => None,
    }
}

fn icmp_send(line: &Line<'_>) -> Option<String> {
    let &[
        (Field::Saddr, saddr),
        (Field::Sport, sport),
        (Field::Daddr, daddr),
        (Field::Dport, dport),
    ] = line.fields
    else {
        return None;
    };
    if line.sk().is_some() || line.len().is_some() {
        return None;
    }
    let (from, to) = (Ipv4Addr::from_bits(saddr), Ipv4Addr::from_bits(daddr));
    let skb = line.skb().unwrap_or(0);
    Some(format!(
        "icmp_send: From {from}:{sport} to {to}:{dport} skbaddr={skb:016x}"
    ))
}

fn sendmsg_locked(line: &Line<'_>) -> Option<String> {
    let (&[(Field::Size, left)], Some(len), None) = (line.fields, line.len(), line.sk()) else {
        return None;
    };
    let skb = line.skb().unwrap_or(0);
    Some(format!(
        "tcp_sendmsg_locked: skb_addr {skb:016x} skb_len {len} msg_left {left}"
    ))
}

/// The name of a system call, if it looks like one on its line.
fn call<'a>(line: &Line<'a>, value: u32) -> Option<&'a str> {
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    Some(line.run.names.text(NameId(value)))
        .filter(|name| !name.starts_with("enter_") && !name.starts_with("exit_"))
        .filter(|name| name.bytes().all(is_letter))
}

fn sys_enter(line: &Line<'_>) -> Option<String> {
    let [(Field::Func, name), rest @ ..] = line.fields else {
        return None;
    };
    let arguments: Option<Vec<String>> = rest
        .iter()
        .map(|&(field, value)| match field {
            Field::Fd => Some(format!("fd: {value:#x}")),
            Field::Size => Some(format!("size: {value:#x}")),
            _ => None,
        })
        .collect();
    Some(format!(
        "sys_{}({})",
        call(line, *name)?,
        arguments?.join(", ")
    ))
}

fn sys_exit(line: &Line<'_>) -> Option<String> {
    let &[(Field::Func, name), (Field::Ret, ret)] = line.fields else {
        return None;
    };
    let ret = i64::from(ret.cast_signed());
    Some(format!("sys_{} -> {ret:#x}", call(line, name)?))
}
