//! An event's fields in words, for lists that people read.

use std::fmt::Write as _;

use crate::import::kperf::value;
use crate::kernel::{Event, EventIdx};
use crate::run::Run;

/// `dev eth0 len 1500 ip_id 0xa78d`: the fields of an event as kperf 2 writes them.
pub fn fields_in_words(run: &Run, index: EventIdx) -> String {
    let event = run.event(index);
    let mut text = String::new();
    if event.skb.is_some() {
        let _ = write!(text, "skb {:x} ", run.addresses.value(event.skb));
    }
    if event.sk.is_some() {
        let _ = write!(text, "sk {:x} ", run.addresses.value(event.sk));
    }
    if event.len != Event::NO_LEN {
        let _ = write!(text, "len {} ", event.len);
    }
    for (field, number) in run.fields(index) {
        let _ = write!(text, "{field} ");
        value::write(run, field, number, &mut text);
        text.push(' ');
    }
    text.truncate(text.trim_end().len());
    text
}
