//! Recordings of a few tracepoints: what the others would have told stays open, and what is there is told.
//!
//! The lines are of kernel 6.18.

use crate::import::Import;
use crate::journey::Journeys;

fn journeys_of(trace: &str) -> Journeys {
    let mut import = Import::new();
    import.push(trace.as_bytes());
    let imported = import.finish().expect("it is a trace");
    assert_eq!(imported.ledger.malformed_kept, []);
    Journeys::of(&imported.run)
}

/// Nothing but the length of its read tells that the datagram has a header of IPv6, which is longer by 20 bytes.
#[test]
fn a_datagram_is_as_long_as_its_read_where_its_header_may_be_of_ipv6() {
    let journeys = journeys_of(
        "
  python3-23850   [000] b.s1. 13039.435548: net_dev_queue: dev=v2a skbaddr=00000000e01c0f60 len=262
  python3-23850   [000] b.s1. 13039.435551: net_dev_xmit: dev=v2a skbaddr=00000000e01c0f60 len=262 rc=0
  python3-23850   [000] ..s1. 13039.435552: netif_receive_skb: dev=v2b skbaddr=00000000e01c0f60 len=248
  python3-23850   [000] ..s1. 13039.435559: sk_data_ready: family=10 protocol=17 func=sock_def_readable
   rd7002-23846   [000] ..... 13039.438728: sock_recv_length: sk address = 000000005e769b64, family = AF_INET6 protocol = 0x11, length = 200, error = 0, flags = 0x40
   rd7002-23846   [000] ..... 13039.438730: consume_skb: skbaddr=00000000fcf62d56 location=unix_stream_read_generic+0x5c/0x110
        ",
    );
    let lengths = journeys.packets.iter();
    let lengths: Vec<_> = lengths.map(|it| (it.bytes, it.payload, it.read)).collect();
    assert_eq!(lengths, [(262, 200, 200)]);
}
