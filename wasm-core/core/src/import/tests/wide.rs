//! Text in UTF-16, as Windows PowerShell's `>` writes it, is read as what it is.

use super::{import, import_in};

const TRACE: &str = "\
# tracer: nop
#
          <idle>-0       [001] ..s1.   100.000001: softirq_entry: vec=3 [action=NET_RX]
           lüft\u{1f980}-17      [001] .....   100.000002: netif_receive_skb: dev=eth0 skbaddr=0xffff888008476400 len=92
          <idle>-0       [001] ..s1.   100.000003: softirq_exit: vec=3 [action=NET_RX]
";

fn bytes(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn either_order_of_bytes_with_and_without_a_mark() {
    let plain = import(TRACE).expect("a trace");
    for order in [u16::to_le_bytes, u16::to_be_bytes] {
        for mark in ["", "\u{feff}"] {
            for end in ["\n", "\r\n"] {
                let text = format!("{mark}{}", TRACE.replace('\n', end));
                for size in [1, 3, 600, usize::MAX] {
                    let wide = import_in(&bytes(&text, order), &[size]).expect("a trace");
                    assert_eq!(wide.run.fingerprint(), plain.run.fingerprint());
                    assert_eq!(wide.ledger, plain.ledger);
                }
            }
        }
    }
}

/// A file that was cut within a character, and halves of characters.
#[test]
fn what_is_no_character_costs_no_line() {
    let mut units: Vec<u16> = TRACE.replace('ü', "\u{1}\u{1}").encode_utf16().collect();
    for (at, unit) in units.iter_mut().filter(|unit| **unit == 1).enumerate() {
        *unit = [0xd800, 0xdc00][1 - at % 2];
    }
    let mut cut: Vec<u8> = units.into_iter().flat_map(u16::to_le_bytes).collect();
    cut.pop();
    for size in [1, usize::MAX] {
        let imported = import_in(&cut, &[size]).expect("a trace");
        assert_eq!((imported.run.len(), imported.ledger.total()), (3, 5));
    }
}
