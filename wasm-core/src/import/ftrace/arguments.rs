//! The arguments of an event, `key=value` after `key=value`, into what an event
//! carries. The keys are those of the tracepoints of kernels 5.x to 6.18 and of the
//! kprobe events that the captures use; a key that no field holds is passed over.
//!
//! `*_be` are network-order values that the kprobe printed as a little-endian number.

use super::values::{address, be16, be32, clipped, intern, ipv4, number, signed, unquoted};
use crate::import::words::Words;
use crate::kernel::{AddrId, DropReason, Event, Field};
use crate::run::RunBuilder;

/// How the value of a key is read and where it goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Skb,
    Sk,
    Len,
    Number(Field),
    Signed(Field),
    Name(Field),
    Addr(Field),
    Ipv4(Field),
    /// 16 bits in network order.
    Be16(Field),
    /// 32 bits in network order.
    Be32(Field),
    /// An ethertype as a number, or a transport by name (`IPPROTO_TCP`).
    Protocol,
    /// `handled`, `unhandled` or a number.
    Ret,
    /// `a.b.c.d:port` of this side.
    Source,
    /// `a.b.c.d:port` of the other side.
    Dest,
    Reason,
    /// Bytes of payload at `tcp_probe`, bytes out of line elsewhere.
    DataLen,
    FragOff,
    SportBe,
    DportBe,
    Mark,
    ThreadBe,
    PacketBe,
}

/// All keys that a field holds.
pub(crate) fn keys() -> Words<Key> {
    use Key::{Addr, Be16, Be32, Ipv4, Name, Number, Signed};
    Words::new([
        ("skbaddr", Key::Skb),
        ("skb", Key::Skb),
        ("skb_addr", Key::Skb),
        ("sk", Key::Sk),
        ("skaddr", Key::Sk),
        ("rx_sk", Key::Sk),
        ("len", Key::Len),
        ("dev", Name(Field::Dev)),
        ("func", Name(Field::Func)),
        ("function", Name(Field::Func)),
        ("name", Name(Field::Dev)), // trace-cmd's raw fields
        ("location", Name(Field::Location)),
        ("oldstate", Name(Field::Oldstate)),
        ("newstate", Name(Field::Newstate)),
        ("napi", Addr(Field::Napi)),
        ("into", Addr(Field::Into)),
        ("q", Addr(Field::Q)),
        ("sock_cookie", Addr(Field::Cookie)),
        ("irq", Number(Field::Irq)),
        ("vec", Number(Field::Vec)),
        ("vector", Number(Field::Vector)),
        ("work", Number(Field::Work)),
        ("budget", Number(Field::Budget)),
        ("quota", Number(Field::Budget)),
        ("cpu", Number(Field::TargetCpu)),
        ("target_cpu", Number(Field::TargetCpu)),
        ("orig_cpu", Number(Field::OrigCpu)),
        ("dest_cpu", Number(Field::DestCpu)),
        ("prio", Number(Field::Prio)),
        ("pid", Number(Field::TargetPid)),
        ("child_pid", Number(Field::ChildPid)),
        ("queue_mapping", Number(Field::Queue)),
        ("queue", Number(Field::Queue)),
        ("protocol", Key::Protocol),
        ("hash", Number(Field::Hash)),
        ("ip_id", Number(Field::IpId)),
        ("ipid_be", Be16(Field::IpId)),
        ("frag_be", Key::FragOff),
        ("proto", Number(Field::Proto)),
        ("saddr", Ipv4(Field::Saddr)),
        ("daddr", Ipv4(Field::Daddr)),
        ("src", Key::Source),
        ("dest", Key::Dest),
        ("sport", Number(Field::Sport)),
        ("dport", Number(Field::Dport)),
        ("sport_be", Key::SportBe),
        ("dport_be", Key::DportBe),
        ("seq_be", Be32(Field::SeqNo)),
        ("ack_be", Be32(Field::AckNo)),
        ("mark", Key::Mark),
        ("thr_be", Key::ThreadBe),
        ("pkt_be", Key::PacketBe),
        ("data_len", Key::DataLen),
        ("gso_size", Number(Field::GsoSize)),
        ("gso_segs", Number(Field::GsoSegs)),
        ("mss", Number(Field::Mss)),
        ("off", Number(Field::Off)),
        ("offset", Number(Field::Off)),
        ("end", Number(Field::End)),
        ("size", Number(Field::Size)),
        ("count", Number(Field::Count)),
        ("copied", Signed(Field::Copied)),
        ("clone", Number(Field::Clone)),
        ("packets", Number(Field::Packets)),
        ("num", Number(Field::Num)),
        ("port", Number(Field::Num)),
        ("rmem", Number(Field::Rmem)),
        ("rmem_alloc", Number(Field::Rmem)),
        ("rcvbuf", Number(Field::Rcvbuf)),
        ("sk_rcvbuf", Number(Field::Rcvbuf)),
        ("rqlen", Number(Field::Rqlen)),
        ("backlog", Number(Field::Backlog)),
        ("owned", Number(Field::Owned)),
        ("wqueued", Number(Field::Wqueued)),
        ("fd", Number(Field::Fd)),
        ("snd_nxt", Number(Field::SndNxt)),
        ("snd_una", Number(Field::SndUna)),
        ("snd_cwnd", Number(Field::SndCwnd)),
        ("ssthresh", Number(Field::Ssthresh)),
        ("snd_wnd", Number(Field::SndWnd)),
        ("srtt", Number(Field::Srtt)),
        ("rcv_wnd", Number(Field::RcvWnd)),
        ("ret", Key::Ret),
        ("rc", Signed(Field::Rc)),
        ("err", Signed(Field::Error)),
        ("error", Signed(Field::Error)),
        ("reason", Key::Reason),
    ])
}

/// What the arguments of one line gave; used again for the next line.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub skb: Option<AddrId>,
    pub sk: Option<AddrId>,
    pub len: Option<u32>,
    pub fields: Vec<(Field, u32)>,
    pub data_len: Option<u32>,
    frag_off: Option<u32>,
    sport: Option<u32>,
    dport: Option<u32>,
    is_marked: bool,
    thread: Option<u32>,
    packet: Option<u32>,
}

impl Arguments {
    /// Forgets the line before.
    pub fn clear(&mut self) {
        let fields = std::mem::take(&mut self.fields);
        *self = Self {
            fields,
            ..Self::default()
        };
        self.fields.clear();
    }

    /// Adds a field.
    pub fn field(&mut self, field: Field, value: u32) {
        self.fields.push((field, value));
    }

    /// Adds a field that holds a name.
    pub fn name(&mut self, field: Field, text: &[u8], run: &mut RunBuilder) {
        let id = intern(text, run);
        self.fields.push((field, id));
    }

    /// Reads arguments; gives how many keys there were.
    pub fn read(&mut self, text: &[u8], keys: &Words<Key>, run: &mut RunBuilder) -> usize {
        let mut count = 0;
        let mut at = 0;
        if text.first() == Some(&b'(') {
            // A kprobe event's place: `(ip_rcv+0x0/0x1d0)`, `(ffffffff817d9d00)`.
            at = memchr::memchr(b')', text).map_or(0, |end| end + 1);
        }
        while at < text.len() {
            let from = at;
            while at < text.len() && !matches!(text[at], b'=' | b' ') {
                at += 1;
            }
            let key = &text[from..at];
            if text.get(at) == Some(&b'=') {
                let value_from = at + 1;
                at = value_from;
                while at < text.len() && text[at] != b' ' {
                    at += 1;
                }
                count += 1;
                if let Some(key) = keys.find(key) {
                    self.value(key, &text[value_from..at], run);
                }
            } else if key == b"reason:" {
                // skb:kfree_skb ends in prose: `reason: NO_SOCKET`.
                let value = text.get(at + 1..).unwrap_or_default();
                self.value(Key::Reason, value, run);
                return count + 1;
            }
            at += 1;
        }
        count
    }

    /// Takes one value.
    pub fn value(&mut self, key: Key, value: &[u8], run: &mut RunBuilder) {
        match key {
            Key::Skb => self.skb = Some(address(value, run)),
            Key::Sk => self.sk = Some(address(value, run)),
            Key::Len => self.len = clipped(value),
            Key::DataLen => self.data_len = clipped(value),
            Key::Number(field) => self.push(field, clipped(value)),
            Key::Signed(field) => self.push(field, signed(value)),
            Key::Name(field) => self.name(field, value, run),
            Key::Addr(field) => {
                let id = address(value, run);
                if id.is_some() {
                    self.field(field, id.0);
                }
            }
            Key::Ipv4(field) => self.push(field, ipv4(value)),
            Key::Be16(field) => self.push(field, be16(value)),
            Key::Be32(field) => self.push(field, be32(value)),
            Key::FragOff => {
                self.frag_off = be16(value);
                self.push(Field::FragOff, self.frag_off);
            }
            Key::SportBe => self.sport = be16(value),
            Key::DportBe => self.dport = be16(value),
            Key::Mark => self.is_marked = number(value) == Some(u64::MAX),
            Key::ThreadBe => self.thread = be32(value),
            Key::PacketBe => self.packet = be32(value),
            Key::Protocol => match unquoted(value) {
                b"IPPROTO_TCP" => self.field(Field::Proto, 6),
                b"IPPROTO_UDP" => self.field(Field::Proto, 17),
                b"IPPROTO_ICMP" => self.field(Field::Proto, 1),
                // sock:sk_data_ready prints a number too; no EtherType is that small.
                value => match clipped(value) {
                    Some(proto @ 1..=255) => self.field(Field::Proto, proto),
                    protocol => self.push(Field::Protocol, protocol),
                },
            },
            Key::Ret => match unquoted(value) {
                b"handled" => self.field(Field::Ret, 1),
                b"unhandled" => self.field(Field::Ret, 0),
                value => self.push(Field::Ret, signed(value)),
            },
            Key::Source => self.endpoint(Field::Saddr, Field::Sport, value),
            Key::Dest => self.endpoint(Field::Daddr, Field::Dport, value),
            Key::Reason => self.reason(value, run),
        }
    }

    /// Resolves what depends on more than one key: ports are in a datagram's first
    /// fragment only, and the marker's numbers are real only behind the marker.
    pub fn settle(&mut self) {
        const OFFSET: u32 = 0x1fff; // RFC 791 section 3.1, in units of 8 bytes
        if self.frag_off.is_none_or(|frag_off| frag_off & OFFSET == 0) {
            self.push(Field::Sport, self.sport);
            self.push(Field::Dport, self.dport);
        }
        if self.is_marked {
            self.push(Field::Thread, self.thread);
            self.push(Field::Packet, self.packet);
        }
    }

    /// Puts the leading columns into an event.
    pub fn apply_to(&self, event: &mut Event) {
        if let Some(skb) = self.skb {
            event.skb = skb;
        }
        if let Some(sk) = self.sk {
            event.sk = sk;
        }
        if let Some(len) = self.len {
            event.len = len;
        }
    }

    fn push(&mut self, field: Field, value: Option<u32>) {
        if let Some(value) = value {
            self.fields.push((field, value));
        }
    }

    /// `192.0.2.1:5001`, `[2001:db8::1]:443`.
    pub fn endpoint(&mut self, address: Field, port: Field, value: &[u8]) {
        let Some(colon) = memchr::memrchr(b':', value) else {
            return;
        };
        self.push(address, ipv4(&value[..colon]));
        self.push(port, clipped(&value[colon + 1..]));
    }

    fn reason(&mut self, value: &[u8], run: &mut RunBuilder) {
        let value = unquoted(value.trim_ascii());
        let value = value.strip_prefix(b"SKB_DROP_REASON_").unwrap_or(value);
        let known = std::str::from_utf8(value)
            .ok()
            .and_then(DropReason::from_name);
        self.field(
            Field::Reason,
            known.unwrap_or(DropReason::Unrecognised) as u32,
        );
        if known.is_none() {
            self.name(Field::Name, value, run);
        }
    }
}
