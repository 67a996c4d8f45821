//! Reads one event whose columns are known: its name gives the probe, its arguments the fields. ftrace, trace-cmd and
//! perf print the same text here (formats.md 3 and 5.3).

use super::arguments::{Arguments, ProtocolIs};
use super::comms::Comms;
use super::keys::{Key, keys};
use super::names::{self, Known, Shape, by_form, name_length, names};
use super::prefix::{Layout, Prefix, Unit};
use super::prose::Prose;
use super::values::{self, bare_hex, identifier, is_placed, signed};
use crate::import::words::Words;
use crate::import::{Ledger, says};
use crate::kernel::{AddrId, CpuId, Event, Field, Nanos, Pid, Probe};
use crate::run::RunBuilder;

/// Reads events.
#[derive(Debug)]
pub(crate) struct Events {
    names: Words<Known>,
    keys: Words<Key>,
    pub(super) arguments: Arguments,
    comms: Comms,
    /// Lost-events markers that wait for the time of the next event: CPU, count, line.
    lost: Vec<(CpuId, u64, u64)>,
    last: Nanos,
    clipped: says::OfFirst,
    /// Warnings about a number in place of a drop reason's name, about text after a reason, and about a remark after an
    /// event.
    numbers: says::OfFirst,
    reason_tails: says::OfFirst,
    remarks: says::OfFirst,
    /// The line of the last event with plain arguments, which a mail program may have wrapped; 0 for none.
    open: u64,
}

impl Default for Events {
    fn default() -> Self {
        Self {
            names: names(),
            keys: keys(),
            arguments: Arguments::default(),
            comms: Comms::default(),
            lost: Vec::new(),
            last: Nanos(0),
            clipped: says::OfFirst::new(says::clipped),
            numbers: says::OfFirst::new(says::reason_is_number),
            reason_tails: says::OfFirst::new(says::reason_tail),
            remarks: says::OfFirst::new(says::remark),
            open: 0,
        }
    }
}

impl Events {
    /// Reads an event and enters its line in the ledger.
    pub fn read(
        &mut self,
        number: u64,
        line: &[u8],
        prefix: &Prefix<'_>,
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) {
        let text = values::without_difference(prefix.text.trim_ascii());
        let (name, rest) = text.split_at(name_length(text));
        match rest {
            [b':', args @ ..] if !name.is_empty() => {
                let args = args.trim_ascii_start();
                self.event(number, line, prefix, name, args, run, ledger);
            }
            _ => self.nameless(number, line, prefix, name, rest, run, ledger),
        }
    }

    #[expect(clippy::too_many_arguments, reason = "the parts of one line")]
    fn event(
        &mut self,
        number: u64,
        line: &[u8],
        prefix: &Prefix<'_>,
        name: &[u8],
        args: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) {
        if name[0].is_ascii_digit() {
            // Kernels before 4.20 print the caller's address instead of a name.
            ledger.skip("bpf_trace_printk", number, line);
            return;
        }
        let known = self
            .names
            .find(name)
            .or_else(|| by_form(name, &self.names))
            .or_else(|| self.by_syscall(name))
            .or_else(|| self.by_place(args));
        let (probe, shape) = match known {
            Some(Known::Probe(probe, shape)) => (probe, shape),
            Some(Known::Driver(probe)) => (probe, Shape::Arguments),
            Some(Known::Skip) => {
                ledger.skip(&String::from_utf8_lossy(name), number, line);
                return;
            }
            None if prefix.layout == Layout::Perf
                && (self.is_known(identifier(args)) || values::is_of_perf(line, name, args)) =>
            {
                ledger.malformed(number, line, values::OF_PERF);
                return;
            }
            None => {
                ledger.unknown(&String::from_utf8_lossy(name), number, line);
                return;
            }
        };
        let (args, has_remark) = values::without_remark(args, shape.names_tasks());
        if has_remark {
            self.remarks.tell(number, ledger);
        }
        if let Some(why) = values::not_as_printed(args) {
            ledger.malformed(number, line, why);
            return;
        }
        if args.is_empty() && prefix.layout == Layout::Perf {
            ledger.malformed(number, line, values::NO_ARGUMENTS);
            return;
        }
        self.arguments.clear();
        if let Some(Known::Driver(_)) = known {
            let function = name.strip_suffix(b"_ret").unwrap_or(name);
            self.arguments.name(Field::Func, function, run);
        }
        // An event with a location is a kprobe's, even if a tracepoint with prose arguments has that name.
        let shape = if is_placed(args) {
            Shape::Arguments
        } else {
            shape
        };
        self.arguments.named_reason = (probe == Probe::TcpSendReset).then_some(Field::ResetReason);
        self.arguments.protocol_is = if names::HAVE_ETHERTYPE.has(probe) {
            ProtocolIs::Ethertype
        } else {
            ProtocolIs::AnyNumber
        };
        let is_call = matches!(probe, Probe::SysEnter | Probe::SysExit) && name[0] != b'.';
        let is_read = if is_call {
            self.syscall(name, args, run)
        } else {
            self.arguments(shape, args, run)
        };
        if is_read.is_none() {
            let why = values::why_unread(probe, args);
            ledger.malformed(number, line, &why);
            return;
        }
        if probe == Probe::TcpProbe
            && let Some(data_len) = self.arguments.data_len
        {
            self.arguments.field(Field::Payload, data_len);
        }
        if matches!(probe, Probe::XdpRedirect | Probe::XdpException) {
            self.arguments.ifindexes_as(Field::FromIfindex);
        }
        self.push(number, prefix, probe, run, ledger);
        if shape == Shape::Arguments {
            self.open = number;
        }
        if probe == Probe::LostEvents {
            let cpu = prefix.cpu.map_or(CpuId::UNKNOWN, CpuId);
            ledger.lose(cpu, self.arguments.count());
        } else {
            ledger.understood += 1;
        }
    }

    /// Whether an event of this name is known.
    pub fn is_known(&self, name: &[u8]) -> bool {
        self.names.find(name).is_some()
    }

    /// Reads a line that continues the arguments of the previous line, as wrapped by a mail program. Returns whether
    /// it is one.
    pub fn goes_on(&mut self, number: u64, text: &[u8], run: &mut RunBuilder) -> bool {
        let key = name_length(text);
        if self.open == 0 || self.open + 1 != number || text.get(key) != Some(&b'=') {
            return false;
        }
        self.arguments.clear();
        self.arguments.read(text, &self.keys, run);
        self.arguments.settle();
        run.amend(|event| self.arguments.apply_to(event));
        for &(field, value) in &self.arguments.fields {
            run.field(field, value);
        }
        self.open = number;
        true
    }

    fn arguments(&mut self, shape: Shape, args: &[u8], run: &mut RunBuilder) -> Option<()> {
        if shape == Shape::Arguments {
            self.arguments.read(args, &self.keys, run);
            return Some(());
        }
        let mut prose = Prose {
            arguments: &mut self.arguments,
            keys: &self.keys,
            comms: &mut self.comms,
            run,
        };
        match shape {
            Shape::Arguments => Some(()),
            Shape::IrqHandlerEntry => prose.irq_handler_entry(args),
            Shape::SchedSwitch => prose.sched_switch(args),
            Shape::SchedTask => prose.sched_task(args),
            Shape::SchedFork => prose.sched_fork(args),
            Shape::SchedExec => prose.sched_exec(args),
            Shape::NapiPoll => prose.napi_poll(args),
            Shape::SockLength => prose.sock_length(args),
            Shape::IcmpSend => prose.icmp_send(args),
            Shape::SendmsgLocked => prose.sendmsg_locked(args),
        }
    }

    /// Reads lines without `name:`: system calls, function tracers, stack traces.
    #[expect(clippy::too_many_arguments, reason = "the parts of one line")]
    fn nameless(
        &mut self,
        number: u64,
        line: &[u8],
        prefix: &Prefix<'_>,
        name: &[u8],
        rest: &[u8],
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) {
        let probe = match rest {
            [b'(', ..] if name.starts_with(b"sys_") => Probe::SysEnter,
            [b' ', b'-', b'>', ..] if name.starts_with(b"sys_") => Probe::SysExit,
            _ => {
                let text = prefix.text.trim_ascii();
                if matches!(text, b"<stack trace>" | b"<user stack trace>") {
                    ledger.skip("(stack trace)", number, line);
                } else if !name.is_empty()
                    && (rest.is_empty() || rest.starts_with(b" <-") || rest.starts_with(b"("))
                {
                    ledger.skip("(function)", number, line);
                } else {
                    ledger.malformed(number, line, "no event behind the time");
                }
                return;
            }
        };
        self.arguments.clear();
        if self.syscall(name, rest, run).is_none() {
            ledger.malformed(
                number,
                line,
                "a system call without its arguments or result",
            );
            return;
        }
        self.push(number, prefix, probe, run, ledger);
        ledger.understood += 1;
    }

    /// `sys_enter_sendto` and `sys_exit_sendto`, as perf and trace-cmd name them.
    #[expect(clippy::unused_self, reason = "one of a chain of look-ups")]
    fn by_syscall(&self, name: &[u8]) -> Option<Known> {
        let probe = if name.starts_with(b"sys_enter_") {
            Probe::SysEnter
        } else if name.starts_with(b"sys_exit_") {
            Probe::SysExit
        } else {
            return None;
        };
        Some(Known::Probe(probe, Shape::Arguments))
    }

    /// A kprobe event with a user-defined name, recognised by its location, `(ip_rcv+0x0/0x1d0)` or `(caller+0x1/0x2
    /// <- ip_rcv)`.
    fn by_place(&self, args: &[u8]) -> Option<Known> {
        let place = args.strip_prefix(b"(")?;
        let place = &place[..memchr::memchr(b')', place)?];
        if let Some(arrow) = memchr::memmem::find(place, b" <- ") {
            let returned = [&place[arrow + 4..], b"_ret"].concat();
            return self
                .names
                .find(&returned)
                .or_else(|| by_form(&returned, &self.names));
        }
        let function = &place[..memchr::memmem::find(place, b"+0x0/")?];
        self.names
            .find(function)
            .or_else(|| by_form(function, &self.names))
    }

    /// `sys_sendto(fd: 4, buff: 7ffe, len: 12)`, `sys_sendto -> 0x12`,
    /// `sys_enter_sendto: fd: 0x00000004, ...`, `sys_exit_sendto: 0x12`.
    fn syscall(&mut self, name: &[u8], rest: &[u8], run: &mut RunBuilder) -> Option<()> {
        let call = name.strip_prefix(b"sys_")?;
        let (call, is_exit) = if let Some(call) = call.strip_prefix(b"exit_") {
            (call, true)
        } else {
            let call = call.strip_prefix(b"enter_").unwrap_or(call);
            (call, rest.starts_with(b" ->"))
        };
        self.arguments.name(Field::Func, call, run);
        if is_exit {
            let result = rest.strip_prefix(b" ->").unwrap_or(rest).trim_ascii();
            self.arguments.field(Field::Ret, signed(result)?);
            return Some(());
        }
        let list = rest.strip_prefix(b"(").unwrap_or(rest);
        for argument in values::parted(list) {
            if let Some(value) = argument.strip_prefix(b"fd: ") {
                self.arguments.field(Field::Fd, bare_hex(value)?);
            }
            let size = [&b"len: "[..], b"size: ", b"count: "]
                .iter()
                .find_map(|key| argument.strip_prefix(*key));
            if let Some(value) = size {
                self.arguments.field(Field::Size, bare_hex(value)?);
            }
        }
        Some(())
    }

    /// Pushes the event with the arguments read so far.
    fn push(
        &mut self,
        number: u64,
        prefix: &Prefix<'_>,
        probe: Probe,
        run: &mut RunBuilder,
        ledger: &mut Ledger,
    ) {
        if prefix.unit == Unit::Ticks {
            ledger.warn(says::clock_is_counter());
        }
        if self.arguments.is_clipped {
            self.clipped.tell(number, ledger);
        }
        if self.arguments.reason_number.is_some() {
            self.numbers.tell(number, ledger);
        }
        if self.arguments.reason_tail > 0 {
            self.reason_tails.tell(number, ledger);
        }
        let time = Nanos(prefix.time);
        if !self.lost.is_empty() {
            self.flush_lost(time, run);
        }
        self.last = time;
        let mut event = Event {
            time,
            cpu: prefix.cpu.map_or(CpuId::UNKNOWN, CpuId),
            context: prefix.context(),
            probe,
            pid: prefix.pid.map_or(Pid::UNKNOWN, Pid),
            skb: AddrId::NONE,
            sk: AddrId::NONE,
            len: Event::NO_LEN,
            line: u32::try_from(number).unwrap_or(u32::MAX),
        };
        if let Some(pid) = prefix.pid {
            self.comms.learn(Pid(pid), prefix.comm, run);
        }
        self.arguments.settle();
        self.arguments.apply_to(&mut event);
        run.push(event);
        for &(field, value) in &self.arguments.fields {
            run.field(field, value);
        }
    }

    /// Enters a line in which the kernel or perf reports lost events of a CPU. Its event gets the time of the next
    /// event, where the gap ends.
    pub fn lose(&mut self, number: u64, cpu: CpuId, events: u64, ledger: &mut Ledger) {
        ledger.lose(cpu, events);
        self.lost.push((cpu, events, number));
    }

    /// Ends the input.
    pub fn finish(&mut self, run: &mut RunBuilder) {
        self.flush_lost(self.last, run);
    }

    fn flush_lost(&mut self, time: Nanos, run: &mut RunBuilder) {
        for (cpu, events, number) in self.lost.drain(..) {
            run.push(Event {
                cpu,
                line: u32::try_from(number).unwrap_or(u32::MAX),
                ..Event::new(time, Probe::LostEvents)
            });
            if events > 0 {
                run.count(events);
            }
        }
    }
}
