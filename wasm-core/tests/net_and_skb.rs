//! What `perf record -e 'net:*' -e 'skb:*'` would have recorded of the stretches in `tests/tracepoints/`, as many a guide has
//! it: nothing reports sockets, TCP or reads but copies. The golden file says which packets end otherwise than by all events:
//! most stay open.

#![allow(
    clippy::unwrap_used,
    reason = "a recording that cannot be read fails the test"
)]

use std::collections::BTreeMap;
use std::fmt::Write as _;

use expect_test::expect_file;
use ringside::kernel::Verdict;

use crate::recordings::fewer::{Fewer, told_by};
use crate::recordings::{folder, import, packed, unpacked, with_events, without_kprobes};

/// The tracepoints of the systems net and skb in 6.18 that importers know.
const NET_AND_SKB: [&str; 15] = [
    "net_dev_queue",
    "net_dev_start_xmit",
    "net_dev_xmit",
    "netif_rx",
    "netif_rx_entry",
    "netif_rx_exit",
    "netif_receive_skb",
    "netif_receive_skb_entry",
    "netif_receive_skb_list_entry",
    "napi_gro_receive_entry",
    "napi_gro_receive_exit",
    "napi_gro_frags_entry",
    "consume_skb",
    "kfree_skb",
    "skb_copy_datagram_iovec",
];

#[test]
fn net_and_skb_events_alone_tell_the_ends_that_all_events_tell() {
    let mut told = String::new();
    for file in packed("tests/tracepoints") {
        let text = unpacked(&file);
        let (run, journeys) = import(&without_kprobes(&text));
        let fewer = told_by(&with_events(&text, &NET_AND_SKB), &run, &journeys);
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let Fewer {
            all, unknown, same, ..
        } = fewer;
        write!(told, "{name}: {same} of {all} the same").unwrap();
        if unknown > 0 {
            write!(told, ", {unknown} that all events do not show").unwrap();
        }
        let mut differing = BTreeMap::new();
        for (seen, inferred) in fewer.differing {
            let kind = |verdict: Verdict| verdict.kind().to_string();
            *differing.entry((kind(seen), kind(inferred))).or_insert(0) += 1;
        }
        told.push('\n');
        for ((seen, inferred), count) in differing {
            writeln!(told, "  {seen}, by net and skb {inferred}: {count}").unwrap();
        }
    }
    expect_file![folder("tests/tracepoints/net-and-skb.golden")].assert_eq(&told);
}
