//! Events as `name: key=value ...`, tracepoints and kprobe events alike. A value that
//! its usual key cannot hold stands under the field's own name behind a dot, in the
//! words of kperf 2, so that there is no value that cannot be written.

use std::fmt::{self, Write as _};
use std::net::Ipv4Addr;

use super::spelling::{
    BEFORE_SKB, be16, be32, is_identifier, is_ipv6, is_quotable, is_tracepoint, is_word, key,
};
use super::{Line, prose};
use crate::import::ftrace::names::{HAVE_ETHERTYPE, Known, by_form};
use crate::import::kperf::value;
use crate::import::words::Words;
use crate::kernel::protocol::has_ports;
use crate::kernel::softirq;
use crate::kernel::{AddrId, DropReason, Field, FieldKind, MPTCP, NameId, Probe};

/// Which of the fragment's 16 bits are its offset (RFC 791 section 3.1).
const OFFSET: u32 = 0x1fff;

/// Writes the event's name and all it has.
pub(super) fn write(line: &Line<'_>, names: &Words<Known>, text: &mut String) -> fmt::Result {
    let probe = line.event.probe;
    let mut fields = line.fields;
    if let Some((name, rest)) = driver(line, names) {
        fields = rest;
        write!(text, "{name}:")?;
        place(&name, text)?;
    } else {
        // These three have no events of their own names in a trace.
        if matches!(probe, Probe::SysEnter | Probe::SysExit | Probe::LostEvents) {
            text.push('.');
        }
        write!(text, "{probe}:")?;
        match probe {
            Probe::QdiscEnqueue => text.push_str(" enqueue"),
            Probe::QdiscDequeue => text.push_str(" dequeue"),
            Probe::XdpDevmapXmit => text.push_str(" ndo_xdp_xmit"),
            _ if is_placed(probe) => place(probe.name(), text)?,
            _ => {}
        }
    }
    let (fields, reason) = last_words(line, fields);
    leading(line, fields, text)?;
    if !line.is_told() {
        write!(text, " .ctx={}", line.event.context)?;
    }
    if let Some(reason) = reason {
        write!(text, " reason: {reason}")?;
    }
    Ok(())
}

/// Whether the event stands as a kprobe event.
const fn is_placed(probe: Probe) -> bool {
    !is_tracepoint(probe) || prose::has_sentence(probe)
}

fn place(name: &str, text: &mut String) -> fmt::Result {
    write!(text, " ({})", name.strip_suffix("_ret").unwrap_or(name))
}

/// A driver's function by its own name, where the importer knows it, and the other fields.
fn driver<'a>(line: &Line<'a>, names: &Words<Known>) -> Option<(String, &'a [(Field, u32)])> {
    let [(Field::Func, name), rest @ ..] = line.fields else {
        return None;
    };
    let mut name = line.run.names.text(NameId(*name)).to_owned();
    if line.event.probe == Probe::DriverPollRet {
        name.push_str("_ret");
    }
    let is_letter = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
    let known = names
        .find(name.as_bytes())
        .or_else(|| by_form(name.as_bytes(), names));
    let is_own = known == Some(Known::Driver(line.event.probe)) && name.bytes().all(is_letter);
    is_own.then_some((name, rest))
}

/// `reason: NO_SOCKET` ends the text of skb:kfree_skb; what stands before it.
fn last_words<'a>(
    line: &Line<'a>,
    fields: &'a [(Field, u32)],
) -> (&'a [(Field, u32)], Option<&'a str>) {
    if line.event.probe != Probe::KfreeSkb {
        return (fields, None);
    }
    let unrecognised = DropReason::Unrecognised as u32;
    match *fields {
        [ref rest @ .., (Field::Reason, reason)] => {
            let reason = u8::try_from(reason).ok().and_then(DropReason::from_index);
            match reason {
                Some(reason) => (rest, Some(reason.name())),
                None => (fields, None),
            }
        }
        [ref rest @ .., (Field::Reason, reason), (Field::Name, name)]
            if reason == unrecognised && is_unknown_reason(line.run.names.text(NameId(name))) =>
        {
            (rest, Some(line.run.names.text(NameId(name))))
        }
        _ => (fields, None),
    }
}

/// Whether the importer reads an unknown reason back as it is.
fn is_unknown_reason(name: &str) -> bool {
    is_identifier(name)
        && !name.starts_with("SKB_DROP_REASON_")
        && DropReason::from_name(name).is_none()
}

/// The fields, with the packet, its length and the socket where tracepoints and the
/// captures' kprobe events have them.
fn leading(line: &Line<'_>, fields: &[(Field, u32)], text: &mut String) -> fmt::Result {
    let is_kprobe = is_placed(line.event.probe);
    if is_kprobe && let Some(sk) = line.sk() {
        write!(text, " sk={sk:#x}")?;
    }
    let is_before = |&&(field, _): &&(Field, u32)| BEFORE_SKB.contains(&field);
    let (before, rest) = fields.split_at(fields.iter().take_while(is_before).count());
    self::fields(line, before, text)?;
    if let Some(skb) = line.skb() {
        if is_kprobe {
            write!(text, " skb={skb:#x}")?;
        } else {
            write!(text, " skbaddr={skb:016x}")?;
        }
    }
    if !is_kprobe && let Some(sk) = line.sk() {
        let key = match line.event.probe {
            Probe::KfreeSkb => "rx_sk",
            _ => "skaddr",
        };
        write!(text, " {key}={sk:016x}")?;
    }
    let is_header = |&&(field, _): &&(Field, u32)| matches!(field, Field::Protocol | Field::Hash);
    let headers = rest.iter().take_while(is_header).count();
    let (headers, rest) = rest.split_at(if is_kprobe { 0 } else { headers });
    self::fields(line, headers, text)?;
    if let Some(len) = line.len() {
        write!(text, " len={len}")?;
    }
    self::fields(line, rest, text)
}

/// Fields in their order.
pub(super) fn fields(line: &Line<'_>, fields: &[(Field, u32)], text: &mut String) -> fmt::Result {
    if line.event.probe == Probe::TcpProbe {
        return tcp_probe(line, fields, text);
    }
    let settled = settled(line, fields);
    let (first, last) = fields.split_at(fields.len() - settled);
    for &(field, value) in first {
        pair(line, field, value, text)?;
    }
    for &(field, value) in last {
        match field {
            Field::Sport => be16("sport_be", value, text)?,
            Field::Dport => be16("dport_be", value, text)?,
            Field::Thread => {
                text.push_str(" mark=0xffffffffffffffff");
                be32("thr_be", value, text)?;
            }
            _ => be32("pkt_be", value, text)?,
        }
    }
    Ok(())
}

/// How many fields at the end are those that the importer takes from a kprobe event
/// when it has read all of its line: ports, then the marker's numbers.
fn settled(line: &Line<'_>, fields: &[(Field, u32)]) -> usize {
    if !is_placed(line.event.probe) || prose::has_sentence(line.event.probe) {
        return 0;
    }
    let mut rest = match fields {
        [rest @ .., (Field::Thread, _), (Field::Packet, _)] => rest,
        _ => fields,
    };
    // A later fragment and some protocols have no ports: the importer takes what stands there for something else.
    let is_without = |&(field, value): &(Field, u32)| match field {
        Field::FragOff => value <= 0xffff && value & OFFSET != 0,
        Field::Proto => value != 0 && !u8::try_from(value).is_ok_and(has_ports),
        _ => false,
    };
    if !line.fields.iter().any(is_without) {
        if let [head @ .., (Field::Dport, ..=0xffff)] = rest {
            rest = head;
        }
        if let [head @ .., (Field::Sport, ..=0xffff)] = rest {
            rest = head;
        }
    }
    fields.len() - rest.len()
}

/// `src=192.0.2.2:5002 dest=192.0.2.1:53202 data_len=1448 snd_nxt=0x1 ...`: the payload's length,
/// which the importer takes last, stands behind the ends (`include/trace/events/tcp.h`, v6.1).
fn tcp_probe(line: &Line<'_>, fields: &[(Field, u32)], text: &mut String) -> fmt::Result {
    let (mut fields, mut payload) = match *fields {
        [ref rest @ .., (Field::Payload, payload)] => (rest, Some(payload)),
        _ => (fields, None),
    };
    loop {
        let at_end = matches!(
            fields,
            [(Field::Saddr, _), (Field::Sport, _), ..] | [(Field::Daddr, _), (Field::Dport, _), ..]
        );
        if !at_end && let Some(payload) = payload.take() {
            write!(text, " data_len={payload}")?;
        }
        fields = match *fields {
            [] => return Ok(()),
            [(Field::Saddr, from), (Field::Sport, port), ref rest @ ..] => {
                write!(text, " src={}:{port}", Ipv4Addr::from_bits(from))?;
                rest
            }
            [(Field::Daddr, to), (Field::Dport, port), ref rest @ ..] => {
                write!(text, " dest={}:{port}", Ipv4Addr::from_bits(to))?;
                rest
            }
            [
                (field @ (Field::SndNxt | Field::SndUna), value),
                ref rest @ ..,
            ] => {
                write!(text, " {field}={value:#x}")?;
                rest
            }
            [(field, value), ref rest @ ..] => {
                pair(line, field, value, text)?;
                rest
            }
        };
    }
}

/// One field.
fn pair(line: &Line<'_>, field: Field, value: u32, text: &mut String) -> fmt::Result {
    let probe = line.event.probe;
    let is_kprobe = is_placed(probe);
    let key = key(field, probe);
    match field.kind() {
        FieldKind::Number => match (field, value) {
            (Field::SeqNo, _) if is_kprobe => be32("seq_be", value, text),
            (Field::AckNo, _) if is_kprobe => be32("ack_be", value, text),
            (Field::Proto, 6) if probe == Probe::InetSockSetState => {
                write!(text, " protocol=IPPROTO_TCP")
            }
            (Field::Proto, 1..=255 | MPTCP) if !is_kprobe && !HAVE_ETHERTYPE.has(probe) => {
                write!(text, " protocol={value}")
            }
            (Field::Vec, _) => write!(text, " vec={value}{}", action(value)),
            (Field::TargetCpu, _) if key == "target_cpu" => write!(text, " {key}={value:03}"),
            _ => write!(text, " {key}={value}"),
        },
        FieldKind::Signed => match (probe, field, value) {
            (Probe::IrqHandlerExit, Field::Ret, 1) => write!(text, " ret=handled"),
            (Probe::IrqHandlerExit, Field::Ret, 0) => write!(text, " ret=unhandled"),
            _ => write!(text, " {key}={}", value.cast_signed()),
        },
        FieldKind::Hex => match (field, value) {
            (Field::IpId, ..=0xffff) if is_kprobe => be16("ipid_be", value, text),
            (Field::FragOff, ..=0xffff) if is_kprobe => be16("frag_be", value, text),
            // The importer takes a small one for the protocol of the transport, but where a frame's stands.
            (Field::Protocol, 1..=255 | MPTCP) if !HAVE_ETHERTYPE.has(probe) => {
                dotted(line, field, value, text)
            }
            (Field::Protocol, _) if probe == Probe::KfreeSkb => write!(text, " {key}={value}"),
            (Field::Protocol, _) => write!(text, " {key}={value:#06x}"),
            (Field::Hash, _) => write!(text, " {key}={value:#010x}"),
            _ => write!(text, " {key}={value:#x}"),
        },
        FieldKind::Name => {
            let name = line.run.names.text(NameId(value));
            // Outside of a kprobe event `name` is a device's.
            let is_told_otherwise = match field {
                Field::Name => !is_kprobe,
                Field::Saddrv6 | Field::Daddrv6 => !is_ipv6(name),
                _ => false,
            };
            if is_told_otherwise || !is_quotable(name) {
                dotted(line, field, value, text)
            } else if !is_kprobe && is_word(name) {
                write!(text, " {key}={name}")
            } else {
                write!(text, " {key}=\"{name}\"")
            }
        }
        FieldKind::Addr => match line.run.addresses.value(AddrId(value)) {
            0 => dotted(line, field, value, text),
            address if field == Field::Cookie => write!(text, " {key}={address:x}"),
            address if is_kprobe => write!(text, " {key}={address:#x}"),
            address => write!(text, " {key}={address:016x}"),
        },
        FieldKind::Ipv4 => write!(text, " {key}={}", Ipv4Addr::from_bits(value)),
        FieldKind::Reason => match u8::try_from(value).ok().and_then(DropReason::from_index) {
            // Of a reset the importer takes it for the reset's own.
            Some(reason) if probe != Probe::TcpSendReset => write!(text, " {key}={reason}"),
            _ => dotted(line, field, value, text),
        },
    }
}

/// A field under its own name, in the words of kperf 2.
fn dotted(line: &Line<'_>, field: Field, value: u32, text: &mut String) -> fmt::Result {
    write!(text, " .{field}=")?;
    value::write(line.run, field, value, text);
    // At the end of a line an arrow is taken for the edge of a screen.
    if text.ends_with('>') {
        text.pop();
        text.push_str("%3E");
    }
    Ok(())
}

/// A softirq's name as `softirq_entry` prints it.
fn action(vec: u32) -> String {
    let name = softirq::name(vec);
    name.map_or_else(String::new, |name| format!(" [action={name}]"))
}
