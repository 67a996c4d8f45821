//! Events whose text is not `key=value`: sentences, and the scheduler's events, in which a task's name may contain
//! anything. Each reader returns `None` if it cannot read the arguments.

use memchr::memmem;

use super::arguments::{AF_INET, AF_INET6, Arguments};
use super::comms::Comms;
use super::keys::Key;
use super::values::{address, clipped, identifier, number, protocol_of_name, signed};
use crate::import::words::Words;
use crate::kernel::{Field, Pid};
use crate::run::RunBuilder;

/// What the readers read into.
pub(crate) struct Prose<'a> {
    pub arguments: &'a mut Arguments,
    pub keys: &'a Words<Key>,
    pub comms: &'a mut Comms,
    pub run: &'a mut RunBuilder,
}

/// Limit of arrows ` ==> ` searched: a name of 15 characters contains at most three, and one follows it.
const MOST_ARROWS: usize = 4;

/// The text before and after the first `mark`.
fn split<'a>(text: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    memmem::find(text, mark).map(|at| (&text[..at], &text[at + mark.len()..]))
}

/// The text before and after the last `mark`.
fn split_last<'a>(text: &'a [u8], mark: &[u8]) -> Option<(&'a [u8], &'a [u8])> {
    memmem::rfind(text, mark).map(|at| (&text[..at], &text[at + mark.len()..]))
}

/// The first word.
fn word(text: &[u8]) -> &[u8] {
    let end = memchr::memchr(b' ', text).unwrap_or(text.len());
    &text[..end]
}

impl Prose<'_> {
    /// `irq=30 name=virtio1-requests`
    pub fn irq_handler_entry(&mut self, text: &[u8]) -> Option<()> {
        let (irq, name) = split(text, b" name=")?;
        self.arguments.read(irq, self.keys, self.run);
        self.arguments.name(Field::Name, name, self.run);
        Some(())
    }

    /// `prev_comm=urecv prev_pid=325 prev_prio=120 prev_state=S ==> next_comm=swapper/1 next_pid=0 next_prio=120`, or
    /// in trace-cmd's form `urecv:325 [120] S ==> swapper/1:0 [120]`. A priority `?` is unknown.
    pub fn sched_switch(&mut self, text: &[u8]) -> Option<()> {
        let (prev_task, state, next_task);
        if let Some(tasks) = text.strip_prefix(b"prev_comm=") {
            let (prev, next) = split(tasks, b" ==> next_comm=")?;
            let (comm, rest) = split_last(prev, b" prev_pid=")?;
            let (numbers, prev_state) = split(rest, b" prev_state=")?;
            let (pid, prio) = split(numbers, b" prev_prio=")?;
            let (next_comm, rest) = split_last(next, b" next_pid=")?;
            let (next_pid, next_prio) = split(rest, b" next_prio=")?;
            if !is_priority(prio) || !is_priority(next_prio) {
                return None;
            }
            prev_task = (comm, clipped(pid)?, priority(prio));
            next_task = (next_comm, clipped(next_pid)?, priority(next_prio));
            state = prev_state;
        } else {
            // A name may contain the arrow too: the one between two tasks counts.
            let between = |at| Some((plugin_task(&text[..at])?, plugin_task(&text[at + 5..])?));
            let mut arrows = memmem::find_iter(text, b" ==> ").take(MOST_ARROWS);
            let (prev, next) = arrows.find_map(between)?;
            prev_task = (prev.0, prev.1, Some(prev.2));
            state = prev.3;
            next_task = (next.0, next.1, Some(next.2));
        }
        self.task(prev_task.0, prev_task.1);
        self.task(next_task.0, next_task.1);
        self.arguments.field(Field::PrevPid, prev_task.1);
        if let Some(prio) = prev_task.2 {
            self.arguments.field(Field::PrevPrio, prio);
        }
        self.arguments.name(Field::PrevState, word(state), self.run);
        self.arguments.field(Field::NextPid, next_task.1);
        if let Some(prio) = next_task.2 {
            self.arguments.field(Field::NextPrio, prio);
        }
        Some(())
    }

    /// `comm=rcu_preempt pid=15 prio=120 target_cpu=000`, or in trace-cmd's form `rcu_preempt:15 [120] CPU:000`
    /// (older ones with `success=1` before the CPU).
    pub fn sched_task(&mut self, text: &[u8]) -> Option<()> {
        if let Some(task) = text.strip_prefix(b"comm=") {
            let (comm, rest) = split_last(task, b" pid=")?;
            let pid = clipped(rest)?;
            self.task(comm, pid);
            self.arguments.field(Field::TargetPid, pid);
            self.arguments.read(rest, self.keys, self.run);
            return Some(());
        }
        let (comm, pid, prio, rest) = plugin_task(text)?;
        self.task(comm, pid);
        self.arguments.field(Field::TargetPid, pid);
        self.arguments.field(Field::Prio, prio);
        if let Some(cpu) = split(rest, b"CPU:").and_then(|(_, cpu)| clipped(cpu)) {
            self.arguments.field(Field::TargetCpu, cpu);
        }
        Some(())
    }

    /// `comm=bash pid=380 child_comm=bash child_pid=384`
    pub fn sched_fork(&mut self, text: &[u8]) -> Option<()> {
        let (parent, child) = split(text, b" child_comm=")?;
        let (comm, pid) = split_last(parent.strip_prefix(b"comm=")?, b" pid=")?;
        let (child_comm, child_pid) = split_last(child, b" child_pid=")?;
        let (pid, child_pid) = (clipped(pid)?, clipped(child_pid)?);
        self.task(comm, pid);
        self.task(child_comm, child_pid);
        self.arguments.field(Field::TargetPid, pid);
        self.arguments.field(Field::ChildPid, child_pid);
        Some(())
    }

    /// `filename=/usr/bin/sleep pid=384 old_pid=384`; the path may contain text that looks like the following pairs
    /// (`include/trace/events/sched.h: sched_process_exec`, v6.18).
    pub fn sched_exec(&mut self, text: &[u8]) -> Option<()> {
        let (name, rest) = split_last(text.strip_prefix(b"filename=")?, b" pid=")?;
        self.arguments.name(Field::Name, name, self.run);
        self.arguments.field(Field::TargetPid, clipped(rest)?);
        Some(())
    }

    /// `napi poll on napi struct ffff88800694ec30 for device eth0 work 4 budget 64`
    pub fn napi_poll(&mut self, text: &[u8]) -> Option<()> {
        let (_, rest) = split(text, b"napi struct ")?;
        let (napi, rest) = split(rest, b" for device ")?;
        self.arguments.value(Key::Addr(Field::Napi), napi, self.run);
        // Before 4.8 neither work nor budget is printed.
        let (device, numbers) = split_last(rest, b" work ").unwrap_or((rest, b""));
        self.arguments.name(Field::Dev, device, self.run);
        if let Some((work, budget)) = split(numbers, b" budget ") {
            self.arguments.field(Field::Work, clipped(work)?);
            self.arguments.field(Field::Budget, clipped(budget)?);
        }
        Some(())
    }

    /// `sk address = 00000000a1, family = AF_INET protocol = IPPROTO_TCP, length = 64, error = 0, flags = 0x0`
    pub fn sock_length(&mut self, text: &[u8]) -> Option<()> {
        let (_, sk) = split(text, b"sk address = ")?;
        self.arguments.sk = Some(address(sk, self.run));
        let (_, length) = split(sk, b"length = ")?;
        // The call returned either of them; the tracepoint prints zero for the other.
        let error = split(sk, b"error = ").and_then(|(_, error)| signed(error));
        let returned = error.filter(|&error| error != 0).or(signed(length));
        self.arguments.field(Field::Ret, returned?);
        if let Some((_, protocol)) = split(sk, b"protocol = ") {
            // Protocol numbers of other families are not IP's: netlink's 6 is XFRM.
            if let Some((_, family)) = split(sk, b"family = ") {
                self.arguments.family(family_number(family)?);
            }
            self.arguments.protocol(protocol_number(protocol)?);
        }
        if let Some((_, flags)) = split(sk, b"flags = ") {
            self.arguments
                .value(Key::Number(Field::Flags), flags, self.run);
        }
        Some(())
    }

    /// `icmp_send: type=3, code=3. From 127.0.0.1:5001 to 127.0.0.1:4000 ulen=36 skbaddr=00000000a1`
    pub fn icmp_send(&mut self, text: &[u8]) -> Option<()> {
        let (_, rest) = split(text, b"From ")?;
        let (from, rest) = split(rest, b" to ")?;
        self.arguments.source(from, self.run);
        self.arguments.destination(word(rest), self.run);
        self.arguments.read(rest, self.keys, self.run);
        // For all but UDP the event prints no ports but zeros, and the same for the datagram's length
        // (`include/trace/events/icmp.h: icmp_send`, v6.18).
        if split(rest, b" ulen=").and_then(|(_, ulen)| number(ulen)) == Some(0) {
            let is_port = |field| matches!(field, Field::Sport | Field::Dport);
            self.arguments.fields.retain(|&(field, _)| !is_port(field));
        }
        Some(())
    }

    /// `skb_addr 00000000a1 skb_len 0 msg_left 16384 size_goal 65160`
    pub fn sendmsg_locked(&mut self, text: &[u8]) -> Option<()> {
        let (_, skb) = split(text, b"skb_addr ")?;
        self.arguments.skb = Some(address(skb, self.run));
        if let Some((_, len)) = split(skb, b"skb_len ") {
            self.arguments.len = clipped(len);
        }
        if let Some((_, left)) = split(skb, b"msg_left ") {
            self.arguments
                .value(Key::Number(Field::Size), left, self.run);
        }
        Some(())
    }

    fn task(&mut self, comm: &[u8], pid: u32) {
        self.comms.learn(Pid(pid), comm, self.run);
    }
}

/// `swapper/0:0 [120] R`: comm, pid, priority and what follows.
fn plugin_task(text: &[u8]) -> Option<(&[u8], u32, u32, &[u8])> {
    let (task, rest) = split_last(text, b" [")?;
    let (prio, rest) = split(rest, b"]")?;
    let (comm, pid) = split_last(task, b":")?;
    number(pid)?;
    Some((comm, clipped(pid)?, priority(prio)?, rest.trim_ascii()))
}

/// A priority. SCHED_DEADLINE tasks have -1 (`include/linux/sched/deadline.h`, v6.12), ahead of all others; as the
/// field is unsigned, it is clipped to 0.
fn priority(text: &[u8]) -> Option<u32> {
    if text.starts_with(b"-") {
        Some(0)
    } else {
        clipped(text)
    }
}

/// The number of an address family at the start of a text: `include/trace/events/sock.h` (v6.18) names those of IP and
/// prints others as numbers.
fn family_number(text: &[u8]) -> Option<u64> {
    match identifier(text) {
        b"AF_INET" => Some(AF_INET),
        b"AF_INET6" => Some(AF_INET6),
        _ => number(text),
    }
}

/// The number of a protocol at the start of a text, likewise.
fn protocol_number(text: &[u8]) -> Option<u32> {
    protocol_of_name(identifier(text)).or_else(|| clipped(text))
}

/// Whether a priority can be read, or is given as unknown.
fn is_priority(text: &[u8]) -> bool {
    text == b"?" || priority(text).is_some()
}
