//! The subflows of multipath TCP sockets.

use std::collections::{BTreeMap, BTreeSet};

use crate::kernel::{AddrId, EventIdx, Field, MPTCP, Pid, Probe};
use crate::run::Run;

/// The first and the last `tcp_probe` event of each subflow, by its cookie.
type Spans = BTreeMap<u32, (EventIdx, EventIdx)>;

/// The multipath TCP sockets that read several subflows at a time.
pub fn of_several(run: &Run) -> BTreeSet<AddrId> {
    let is_read = |index: EventIdx| {
        run.probe[index.at()] == Probe::SockRecvLength
            && run.field(index, Field::Proto) == Some(MPTCP)
    };
    if !run.indices().any(is_read) {
        return BTreeSet::new();
    }
    let (mut spans, mut looked_at) = (Spans::new(), BTreeMap::new());
    let mut copied = BTreeMap::<Pid, Vec<AddrId>>::new();
    let mut subflows = BTreeMap::<AddrId, BTreeSet<u32>>::new();
    for index in run.indices() {
        let probe = run.probe[index.at()];
        match probe {
            Probe::TcpProbe => {
                if let Some(cookie) = run.field(index, Field::Cookie) {
                    looked_at.insert(run.skb(index), cookie);
                    spans.entry(cookie).or_insert((index, index)).1 = index;
                }
            }
            Probe::SkbCopyDatagramIovec => {
                let event = run.event(index);
                copied.entry(event.pid).or_default().push(event.skb);
            }
            Probe::SockRecvLength => {
                let event = run.event(index);
                let copied = copied.remove(&event.pid).unwrap_or_default();
                if is_read(index) {
                    let cookies = copied.iter().filter_map(|skb| looked_at.get(skb));
                    subflows.entry(event.sk).or_default().extend(cookies);
                }
            }
            _ => {}
        }
    }
    let are_several = |cookies: &BTreeSet<u32>| {
        let spans = cookies.iter().filter_map(|cookie| spans.get(cookie));
        let mut spans: Vec<_> = spans.collect();
        spans.sort_unstable();
        spans.windows(2).any(|pair| pair[1].0 < pair[0].1)
    };
    let several = subflows.iter().filter(|(_, cookies)| are_several(cookies));
    several.map(|(&socket, _)| socket).collect()
}
