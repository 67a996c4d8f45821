//! The format of the captures' own bpftrace script: one line for each probe that a marked packet passes, `N id P
//! packet S thread T ns SEC.USEC xFLAGS cpu C ctx K skb ADDR len L`. The ids are the script's own, not the 2005
//! toolkit's (captures/README.md).

use super::Ledger;
use super::ftrace::values::{address, clipped, number};
use crate::kernel::{Context, CpuId, Event, Field, Nanos, Probe};
use crate::run::RunBuilder;

/// The parser.
#[derive(Debug, Default)]
pub(crate) struct Bpftrace {
    last: Nanos,
}

const WHY: &str = "no line of the bpftrace script";

impl Bpftrace {
    /// Reads a line and enters it in the ledger.
    pub fn line(&mut self, number: u64, line: &[u8], run: &mut RunBuilder, ledger: &mut Ledger) {
        let text = line.trim_ascii();
        if text.is_empty() {
            ledger.skip("(blank line)", number, line);
        } else if let Some(lost) = lost(text) {
            ledger.lose(CpuId::UNKNOWN, lost);
            run.push(Event {
                line: u32::try_from(number).unwrap_or(u32::MAX),
                ..Event::new(self.last, Probe::LostEvents)
            });
            run.count(lost);
        } else if text.starts_with(b"#") || text.starts_with(b"Attach") {
            ledger.understood += 1;
        } else if let Some(id) = self.event(number, text, run) {
            if id {
                ledger.understood += 1;
            } else {
                let name = text.split(|&byte| byte == b' ').nth(1).unwrap_or_default();
                let name = format!("id {}", String::from_utf8_lossy(name));
                ledger.unknown(&name, number, line);
            }
        } else {
            ledger.malformed(number, line, WHY);
        }
    }

    /// Reads an event; `None` if the line is malformed, `Some(false)` if its id is unknown.
    fn event(&mut self, line: u64, text: &[u8], run: &mut RunBuilder) -> Option<bool> {
        let mut words = text.split(|&byte| byte == b' ');
        let mut value = |key: &[u8]| (words.next()? == key).then(|| words.next())?;
        let id = number(value(b"N")?)?;
        let packet = clipped(value(b"P")?)?;
        let thread = clipped(value(b"S")?)?;
        let time = Nanos::of_clock(number(value(b"T")?)?)?;
        // The same time in readable form, then the flags.
        let flags = words.nth(1)?.strip_prefix(b"x")?;
        let is_tcp = clipped(flags)? & 1 != 0;
        let mut value = |key: &[u8]| (words.next()? == key).then(|| words.next())?;
        let cpu = u16::try_from(clipped(value(b"cpu")?)?).ok()?;
        let context = match value(b"ctx")? {
            b"H" => Context::Hardirq,
            b"S" => Context::Softirq,
            b"P" => Context::Kernel,
            _ => return None,
        };
        let skb = address(value(b"skb")?, run);
        let len = clipped(value(b"len")?)?;
        let Some(probe) = probe(id, is_tcp) else {
            return Some(false);
        };
        self.last = time;
        run.push(Event {
            cpu: CpuId(cpu),
            context,
            skb,
            len,
            line: u32::try_from(line).unwrap_or(u32::MAX),
            ..Event::new(time, probe)
        });
        run.field(Field::Thread, thread);
        run.field(Field::Packet, packet);
        Some(true)
    }
}

/// `Lost 12 events`, which bpftrace prints when its buffer is full.
fn lost(text: &[u8]) -> Option<u64> {
    let count = text.strip_prefix(b"Lost ")?.strip_suffix(b" events")?;
    number(count)
}

const fn probe(id: u64, is_tcp: bool) -> Option<Probe> {
    Some(match id {
        1 => Probe::NapiGroReceive,
        2 => Probe::IpRcvCore,
        3 => Probe::IpLocalDeliver,
        4 if is_tcp => Probe::TcpV4Rcv,
        4 => Probe::UdpRcv,
        5 => Probe::TcpAddBacklog,
        6 if is_tcp => Probe::TcpQueueRcv,
        6 => Probe::UdpEnqueueScheduleSkb,
        7 => Probe::SkbCopyDatagramIter,
        8 => Probe::SkbConsumeUdp,
        11 => Probe::IpLocalOut,
        12 => Probe::IpOutput,
        13 => Probe::DevQueueXmit,
        14 => Probe::DevHardStartXmit,
        _ => return None,
    })
}
