//! The keys of event arguments: how each value is read, and the field that it becomes.

use crate::import::words::Words;
use crate::kernel::{Field, FieldKind};

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
    /// An IPv6 address; IPv4-mapped ones are skipped, as another key gives the IPv4 address.
    Ipv6(Field),
    /// 16 bits in network order.
    Be16(Field),
    /// 32 bits in network order.
    Be32(Field),
    /// The address family of the socket, which determines the meaning of the protocol.
    Family,
    /// An ethertype as a number, or a transport by name (`IPPROTO_TCP`).
    Protocol,
    /// `handled`, `unhandled` or a number.
    Ret,
    /// `a.b.c.d:port` of this side.
    Source,
    /// `a.b.c.d:port` of the other side.
    Dest,
    Reason,
    /// Whether the hash covers a flow's ports, not only its two hosts.
    L4Hash,
    /// An interface index; the XDP tracepoints print it instead of a name.
    Ifindex,
    /// Bytes of payload at `tcp_probe`; elsewhere the `skb->data_len` of paged data.
    DataLen,
    FragOff,
    NetworkOffset,
    TransportOffset,
    SportBe,
    DportBe,
    Mark,
    ThreadBe,
    PacketBe,
    /// A field under its own name, in the words of kperf 2.
    Own(Field),
    /// A context that the flags cannot express, likewise.
    Context,
}

/// All keys: those of the kernel and the captures, then every field under its own name, and under that name after a
/// dot.
pub(crate) fn keys() -> Words<Key> {
    let dotted: Vec<String> = Field::ALL.iter().map(|field| format!(".{field}")).collect();
    let named = Field::ALL.iter().map(|&field| (field.name(), plain(field)));
    let own = Field::ALL.iter().map(|&field| Key::Own(field));
    let dotted = dotted.iter().map(String::as_str).zip(own);
    let context = [(".ctx", Key::Context)];
    Words::new(
        spelled()
            .into_iter()
            .chain(named)
            .chain(dotted)
            .chain(context),
    )
}

/// How a field under its own name is read.
const fn plain(field: Field) -> Key {
    match field.kind() {
        FieldKind::Number | FieldKind::Hex => Key::Number(field),
        FieldKind::Signed => Key::Signed(field),
        FieldKind::Name => Key::Name(field),
        FieldKind::Addr => Key::Addr(field),
        FieldKind::Ipv4 => Key::Ipv4(field),
        FieldKind::Reason => Key::Reason,
    }
}

/// The keys of the kernel and the captures that differ from the field's name.
fn spelled() -> [(&'static str, Key); 41] {
    use Key::{Addr, Be16, Be32, Name, Number, Signed};
    [
        ("skbaddr", Key::Skb),
        ("skb", Key::Skb),
        ("skb_addr", Key::Skb),
        ("sk", Key::Sk),
        ("skaddr", Key::Sk),
        ("rx_sk", Key::Sk),
        ("len", Key::Len),
        ("function", Name(Field::Func)),
        ("name", Name(Field::Dev)), // trace-cmd's raw fields
        ("sock_cookie", Addr(Field::Cookie)),
        ("quota", Number(Field::Budget)),
        ("cpu", Number(Field::TargetCpu)),
        ("pid", Number(Field::TargetPid)),
        ("queue_mapping", Number(Field::Queue)),
        ("family", Key::Family),
        ("protocol", Key::Protocol),
        ("ipid_be", Be16(Field::IpId)),
        ("frag_be", Key::FragOff),
        ("network_offset", Key::NetworkOffset),
        ("transport_offset", Key::TransportOffset),
        ("saddrv6", Key::Ipv6(Field::Saddrv6)),
        ("daddrv6", Key::Ipv6(Field::Daddrv6)),
        ("src", Key::Source),
        ("dest", Key::Dest),
        ("sport_be", Key::SportBe),
        ("dport_be", Key::DportBe),
        ("seq_be", Be32(Field::SeqNo)),
        ("ack_be", Be32(Field::AckNo)),
        ("l4_hash", Key::L4Hash),
        ("mark", Key::Mark),
        ("thr_be", Key::ThreadBe),
        ("pkt_be", Key::PacketBe),
        ("data_len", Key::DataLen),
        ("offset", Number(Field::Off)),
        ("port", Number(Field::Num)),
        ("rmem_alloc", Number(Field::Rmem)),
        ("sk_rcvbuf", Number(Field::Rcvbuf)),
        ("ret", Key::Ret),
        ("err", Signed(Field::Error)),
        ("ifindex", Key::Ifindex),
        ("reason", Key::Reason),
    ]
}
