//! Which fragments are freed together: those of one datagram.
//!
//! The whole datagram is in the `sk_buff` of the fragment that came last, and all others but the first are in its
//! `frag_list` (`net/ipv4/inet_fragment.c: inet_frag_reasm_prepare`, v6.18). `net/core/skbuff.c: skb_release_data` frees
//! that list with the whole, so its frees follow that of the whole, or the copy of a reader who frees the whole without an
//! event. If the first fragment was not the last to come, its `sk_buff` is freed when the datagram is complete, and the list
//! has a clone of the last at an address of its own.

use std::collections::{BTreeMap, BTreeSet};

use crate::journey::stitch::packet::location::freeing_function;
use crate::kernel::{AddrId, Context, CpuId, EventIdx, Pid, Probe};
use crate::run::Run;

/// The function that frees the list.
const FREES_LIST: &str = "skb_release_data";

/// What is freed with a whole datagram.
#[derive(Debug, Default)]
pub struct FragmentLists {
    /// The addresses in the list of each datagram, by the event with which the core received what came last of it.
    of_whole: BTreeMap<EventIdx, Vec<AddrId>>,
    /// The events with which the core received the packets that were freed with another one and had no event in between.
    freed: BTreeSet<EventIdx>,
}

/// The datagram that is freed on a CPU.
#[derive(Debug)]
struct Freed {
    place: (Pid, Context),
    /// The event with which the core received it.
    came: EventIdx,
}

impl FragmentLists {
    /// Collects the lists of a run.
    pub fn of(run: &Run) -> Self {
        let mut lists = Self::default();
        if !run.names.iter().any(|name| name.starts_with(FREES_LIST)) {
            return lists;
        }
        let mut came: BTreeMap<AddrId, EventIdx> = BTreeMap::new();
        let mut waiting: BTreeMap<AddrId, EventIdx> = BTreeMap::new();
        let mut freed: BTreeMap<CpuId, Freed> = BTreeMap::new();
        for index in run.indices() {
            let event = run.event(index);
            let place = (event.pid, event.context);
            let is_free = matches!(event.probe, Probe::ConsumeSkb | Probe::KfreeSkb);
            let is_of_list = is_free && freeing_function(run, index) == Some(FREES_LIST);
            let is_copy = matches!(
                event.probe,
                Probe::SkbCopyDatagramIovec | Probe::SkbCopyDatagramIter
            );
            let whole = freed.get(&event.cpu).filter(|it| it.place == place);
            if is_of_list {
                lists.freed.extend(waiting.get(&event.skb));
                if let Some(whole) = whole {
                    let list = lists.of_whole.entry(whole.came).or_default();
                    list.push(event.skb);
                }
            } else if whole.is_some() {
                freed.remove(&event.cpu);
            }
            if (is_copy || is_free && !is_of_list)
                && let Some(&came) = came.get(&event.skb)
            {
                freed.insert(event.cpu, Freed { place, came });
            }
            match event.probe {
                Probe::NetifReceiveSkb => {
                    came.insert(event.skb, index);
                    waiting.insert(event.skb, index);
                }
                // Its sender's CPU may record it after the other CPU has received it.
                Probe::NetDevXmit => {}
                _ => {
                    waiting.remove(&event.skb);
                }
            }
        }
        lists
    }

    /// The addresses of what was freed with the datagram of which the core received the last fragment at this event.
    pub fn of_whole(&self, came: EventIdx) -> Option<&[AddrId]> {
        self.of_whole.get(&came).map(Vec::as_slice)
    }

    /// Whether the packet that the core received with this event is freed next, with the one whose part it had become.
    pub fn is_freed_with_head(&self, came: EventIdx) -> bool {
        self.freed.contains(&came)
    }
}
