//! Parses the arguments of an event, a sequence of `key=value`, into the event's columns and fields. The keys are
//! those of the tracepoints of kernels 5.x to 6.18 and of the kprobe events that the captures use; keys without a
//! field are skipped.
//!
//! `*_be` are network-order values that the kprobe printed as a little-endian number.

mod settle;

use super::keys::Key;
use super::values::{
    address, be16, be32, clipped, end_of_value, identifier, intern, ipv4, ipv6, number,
    protocol_of_name, signed, unquoted, until,
};
use crate::import::kperf::value::{self, decode};
use crate::import::words::Words;
use crate::kernel::{AddrId, Context, DropReason, Event, Field, MPTCP};
use crate::run::RunBuilder;

/// Address families of IP (`include/linux/socket.h`).
pub(super) const AF_INET: u64 = 2;
pub(super) const AF_INET6: u64 = 10;

/// What an event prints as `protocol`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) enum ProtocolIs {
    /// A transport's number, or an ethertype, which is larger.
    #[default]
    AnyNumber,
    /// An ethertype, however small: events of frames print that one, and of them LLC's frames have a 4
    /// (`include/uapi/linux/if_ether.h: ETH_P_802_2`, v6.18), which is IPIP as a transport.
    Ethertype,
}

/// The result for one line; reused for the next.
#[derive(Debug, Default)]
pub(crate) struct Arguments {
    pub skb: Option<AddrId>,
    pub sk: Option<AddrId>,
    pub len: Option<u32>,
    pub fields: Vec<(Field, u32)>,
    pub data_len: Option<u32>,
    /// Interface indexes, each with the position in `fields` before which it stood.
    pub ifindexes: Vec<(usize, u32)>,
    context: Option<Context>,
    frag_off: Option<u32>,
    sport: Option<u32>,
    dport: Option<u32>,
    is_marked: bool,
    /// Zero if the hash covers two hosts only, and is the same for all their flows (`include/linux/skbuff.h:
    /// l4_hash`).
    l4_hash: Option<u64>,
    /// The address family of a socket, if printed as a number.
    family: Option<u64>,
    /// Whether a number exceeded 32 bits and was clipped.
    pub is_clipped: bool,
    /// A drop reason printed as a number instead of a name.
    pub reason_number: Option<u64>,
    /// The text after a drop reason that follows it without a blank, in bytes.
    pub reason_tail: usize,
    /// The text has priorities that are not real ones.
    pub has_no_priorities: bool,
    /// The field of the event's `reason`, where that is no drop reason.
    pub named_reason: Option<Field>,
    /// What the event's `protocol` is.
    pub protocol_is: ProtocolIs,
    thread: Option<u32>,
    packet: Option<u32>,
    /// Offsets in the frame of the network header and of the transport header, in bytes.
    network_offset: Option<u32>,
    transport_offset: Option<u32>,
}

impl Arguments {
    /// Clears the result of the previous line.
    pub fn clear(&mut self) {
        let fields = std::mem::take(&mut self.fields);
        let ifindexes = std::mem::take(&mut self.ifindexes);
        *self = Self {
            fields,
            ifindexes,
            has_no_priorities: self.has_no_priorities,
            named_reason: self.named_reason,
            protocol_is: self.protocol_is,
            ..Self::default()
        };
        self.fields.clear();
        self.ifindexes.clear();
    }

    /// Adds a field.
    pub fn field(&mut self, field: Field, value: u32) {
        self.fields.push((field, value));
    }

    /// Adds the interface indexes as this field, each at its position.
    pub fn ifindexes_as(&mut self, field: Field) {
        if self.ifindexes.is_empty() {
            return;
        }
        let others = std::mem::take(&mut self.fields);
        let mut numbers = self.ifindexes.iter().peekable();
        for (at, &other) in others.iter().enumerate() {
            while let Some((_, number)) = numbers.next_if(|(before, _)| *before <= at) {
                self.fields.push((field, *number));
            }
            self.fields.push(other);
        }
        self.fields
            .extend(numbers.map(|&(_, number)| (field, number)));
    }

    /// Adds a field that holds a name.
    pub fn name(&mut self, field: Field, text: &[u8], run: &mut RunBuilder) {
        let id = intern(text, run);
        self.fields.push((field, id));
    }

    /// The number of lost events, if the arguments give it; else 0.
    pub fn count(&self) -> u64 {
        let value = |key| {
            let found = self.fields.iter().find(|&&(field, _)| field == key);
            found.map_or(0, |&(_, value)| u64::from(value))
        };
        value(Field::CountHigh) << 32 | value(Field::Count)
    }

    /// Reads arguments and returns the number of keys.
    pub fn read(&mut self, text: &[u8], keys: &Words<Key>, run: &mut RunBuilder) -> usize {
        let mut count = 0;
        let mut at = 0;
        let is_placed = text.first() == Some(&b'(');
        if is_placed {
            // The location of a kprobe event: `(ip_rcv+0x0/0x1d0)`, `(ffffffff817d9d00)`.
            at = memchr::memchr(b')', text).map_or(0, |end| end + 1);
        }
        while at < text.len() {
            let from = at;
            at = until(text, at, [b'=', b' ']);
            let key = &text[from..at];
            if text.get(at) == Some(&b'=') {
                let value_from = at + 1;
                at = end_of_value(text, value_from, key);
                count += 1;
                let value = &text[value_from..at];
                if is_placed && key == b"name" {
                    self.name(Field::Name, value, run);
                } else if let Some(key) = keys.find(key) {
                    self.value(key, value, run);
                }
            } else if key == b"reason:" {
                // skb:kfree_skb ends with `reason: NO_SOCKET` instead of a pair.
                let value = text.get(at + 1..).unwrap_or_default();
                self.value(Key::Reason, value, run);
                return count + 1;
            }
            at += 1;
        }
        count
    }

    /// A number that should fit into 32 bits; otherwise it is clipped and `is_clipped` set.
    fn clip(&mut self, value: &[u8]) -> Option<u32> {
        let value = number(value)?;
        let fits = u32::try_from(value).ok();
        self.is_clipped |= fits.is_none();
        Some(fits.unwrap_or(u32::MAX))
    }

    /// Takes the value of one key.
    pub fn value(&mut self, key: Key, value: &[u8], run: &mut RunBuilder) {
        match key {
            Key::Skb => self.skb = Some(address(value, run)),
            Key::Sk => self.sk = Some(address(value, run)),
            // A negative length is in 32 bits larger than any packet.
            Key::Len => self.len = self.clip(value).or_else(|| signed(value)),
            Key::DataLen => self.data_len = self.clip(value),
            Key::Ifindex => {
                let number = self.clip(value);
                let at = self.fields.len();
                self.ifindexes.extend(number.map(|own| (at, own)));
            }
            Key::Number(field) => {
                let value = self.clip(value);
                self.push(field, value);
            }
            Key::Signed(field) => self.push(field, signed(value)),
            Key::Name(field) => self.name(field, value, run),
            Key::Addr(field) => {
                let id = address(value, run);
                if id.is_some() {
                    self.field(field, id.0);
                }
            }
            Key::Ipv4(field) => self.push(field, ipv4(value)),
            Key::Ipv6(field) => self.ipv6(field, value, run),
            Key::Be16(field) => self.push(field, be16(value)),
            Key::Be32(field) => self.push(field, be32(value)),
            Key::FragOff => {
                self.frag_off = be16(value);
                self.push(Field::FragOff, self.frag_off);
            }
            Key::NetworkOffset => self.network_offset = clipped(value),
            Key::TransportOffset => self.transport_offset = clipped(value),
            Key::SportBe => self.sport = be16(value),
            Key::DportBe => self.dport = be16(value),
            Key::L4Hash => self.l4_hash = number(value),
            Key::Mark => self.is_marked = number(value) == Some(u64::MAX),
            Key::ThreadBe => self.thread = be32(value),
            Key::PacketBe => self.packet = be32(value),
            Key::Family => {
                if let Some(family) = number(value) {
                    self.family(family);
                }
            }
            Key::Protocol => {
                let value = unquoted(value);
                if let Some(protocol) = protocol_of_name(value).or_else(|| clipped(value)) {
                    self.protocol(protocol);
                }
            }
            Key::Ret => match unquoted(value) {
                b"handled" => self.field(Field::Ret, 1),
                b"unhandled" => self.field(Field::Ret, 0),
                value => self.push(Field::Ret, signed(value)),
            },
            Key::Source => self.source(value, run),
            Key::Dest => self.destination(value, run),
            Key::Reason => match self.named_reason {
                Some(field) => self.name(field, value, run),
                None => self.reason(value, run),
            },
            Key::Own(field) => self.own(field, value, run),
            Key::Context => {
                let name = std::str::from_utf8(value).ok();
                self.context = name.and_then(Context::from_name);
            }
        }
    }

    /// Takes the number of a socket's address family.
    pub fn family(&mut self, family: u64) {
        self.family = Some(family);
        self.push(Field::Family, u32::try_from(family).ok());
    }

    /// Takes the number of a transport, or an ethertype. An event of a socket prints either as a number, the latter for a
    /// packet socket. Those of other families are not IP's: netlink's 6 is XFRM.
    pub fn protocol(&mut self, protocol: u32) {
        let is_of_ip = matches!(self.family, None | Some(AF_INET | AF_INET6));
        match protocol {
            _ if !is_of_ip => self.field(Field::Protocol, 0),
            1..=255 | MPTCP if self.protocol_is == ProtocolIs::AnyNumber => {
                self.field(Field::Proto, protocol);
            }
            _ => self.field(Field::Protocol, protocol),
        }
    }

    fn own(&mut self, field: Field, word: &[u8], run: &mut RunBuilder) {
        let value = match value::Value::read(field, word) {
            Ok(value::Value::Number(number)) => number,
            Ok(value::Value::Clipped(nearest)) => {
                self.is_clipped = true;
                nearest
            }
            Ok(value::Value::Address(address)) => run.address(address).0,
            Ok(value::Value::Name(name)) => run.name(&decode(name)).0,
            Err(_) => return,
        };
        self.field(field, value);
    }

    /// Copies the leading columns into an event.
    pub fn apply_to(&self, event: &mut Event) {
        if let Some(skb) = self.skb {
            event.skb = skb;
        }
        if let Some(sk) = self.sk {
            event.sk = sk;
        }
        if let Some(len) = self.len {
            // The largest number means "unknown", so it is clipped to the next lower one; no packet has either
            // length.
            event.len = len.min(Event::NO_LEN - 1);
        }
        if let Some(context) = self.context {
            event.context = context;
        }
    }

    fn push(&mut self, field: Field, value: Option<u32>) {
        if let Some(value) = value {
            self.fields.push((field, value));
        }
    }

    /// The source of a packet: `192.0.2.1:5001`, `[2001:db8::1]:443`.
    pub fn source(&mut self, value: &[u8], run: &mut RunBuilder) {
        if let Some(port) = self.endpoint([Field::Saddr, Field::Saddrv6], value, run) {
            self.push(Field::Sport, clipped(port));
        }
    }

    /// The destination of a packet, likewise.
    pub fn destination(&mut self, value: &[u8], run: &mut RunBuilder) {
        if let Some(port) = self.endpoint([Field::Daddr, Field::Daddrv6], value, run) {
            self.push(Field::Dport, clipped(port));
        }
    }

    /// Takes the address and returns the text of the port.
    fn endpoint<'a>(
        &mut self,
        [v4, v6]: [Field; 2],
        value: &'a [u8],
        run: &mut RunBuilder,
    ) -> Option<&'a [u8]> {
        let colon = memchr::memrchr(b':', value)?;
        let address = &value[..colon];
        if let [b'[', address @ .., b']'] = address {
            match ipv6(address).and_then(|address| address.to_ipv4_mapped()) {
                Some(mapped) => self.field(v4, mapped.to_bits()),
                None => self.ipv6(v6, address, run),
            }
        } else {
            self.push(v4, ipv4(address));
        }
        Some(&value[colon + 1..])
    }

    fn ipv6(&mut self, field: Field, value: &[u8], run: &mut RunBuilder) {
        let address = ipv6(unquoted(value))
            .filter(|address| !address.is_unspecified() && address.to_ipv4_mapped().is_none());
        if let Some(address) = address {
            self.name(field, address.to_string().as_bytes(), run);
        }
    }

    fn reason(&mut self, value: &[u8], run: &mut RunBuilder) {
        let value = unquoted(value.trim_ascii());
        let value = value.strip_prefix(b"SKB_DROP_REASON_").unwrap_or(value);
        // A drop reason of a subsystem has the subsystem's number in the upper 16 bits, and the core has no name for
        // it.
        self.reason_number = number(value).filter(|number| number >> 16 == 0);
        // What follows a reason is a program's or a person's: perf's addresses after a blank, a quotation mark.
        let (name, tail) = match value.split_at(identifier(value).len()) {
            (b"", other) => (other, &b""[..]),
            parts => parts,
        };
        self.reason_tail = if tail.starts_with(b" ") {
            0
        } else {
            tail.len()
        };
        let known = std::str::from_utf8(name)
            .ok()
            .and_then(DropReason::from_name);
        self.field(
            Field::Reason,
            known.unwrap_or(DropReason::Unrecognised) as u32,
        );
        if known.is_none() {
            self.name(Field::Name, name, run);
        }
    }
}
