//! Which packet of a run is which of another: by what they carry in their flow, and where too little
//! of that is known by the moment at which they begin, or by those before them.

use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;

use super::{Cargo, Ends, Route, Routes};
use crate::kernel::PacketId;

/// So many packets ahead the like of one is looked for by order.
const FAR: usize = 64;

/// How much two flows have in common, the most first.
#[derive(Debug, Clone, Copy)]
enum Likeness {
    /// Both ends.
    All,
    /// The hosts and one port: the client's is another for each connection.
    OnePort,
    /// One port, between other hosts.
    OnePortElsewhere,
    Protocol,
}

impl Likeness {
    const ALL: [Self; 4] = [
        Self::All,
        Self::OnePort,
        Self::OnePortElsewhere,
        Self::Protocol,
    ];
}

/// Protocol, addresses and ports, as far as they have to be the same.
type Common = (u8, Option<[Option<IpAddr>; 2]>, [Option<u16>; 2]);

impl Ends {
    /// What another flow has to have in common with it to be as much alike, in any of these ways.
    fn common(&self, likeness: Likeness) -> Vec<Common> {
        let [source, destination] = self.ports;
        let one_port = [[Some(source), None], [None, Some(destination)]];
        let common = |addresses, ports| (self.protocol, addresses, ports);
        match likeness {
            Likeness::All => vec![common(
                Some(self.addresses),
                [Some(source), Some(destination)],
            )],
            Likeness::OnePort => one_port.map(|it| common(Some(self.addresses), it)).to_vec(),
            Likeness::OnePortElsewhere => one_port.map(|it| common(None, it)).to_vec(),
            Likeness::Protocol => vec![common(None, [None; 2])],
        }
    }
}

/// For each packet of each run its like in the other.
pub(super) fn likes(runs: &[Routes; 2]) -> [Vec<PacketId>; 2] {
    let flows = flows_alike(runs);
    let unlike = |run: &Routes| vec![PacketId::NONE; run.packets.len()];
    let mut likes = [unlike(&runs[0]), unlike(&runs[1])];
    let mut waiting: BTreeMap<(Option<u32>, Cargo), VecDeque<PacketId>> = BTreeMap::new();
    for (there, route) in runs[1].packets.iter().enumerate() {
        let key = (route.flow, route.cargo);
        let queue = waiting.entry(key).or_default();
        queue.push_back(PacketId(there as u32));
    }
    for (here, route) in runs[0].packets.iter().enumerate() {
        let flow = route.flow.map(|flow| flows[flow as usize]);
        // Of a flow that the other run does not have there is none.
        let Some(flow) = flow.map_or(Some(None), |like| like.map(Some)) else {
            continue;
        };
        let queue = waiting
            .get_mut(&(flow, route.cargo))
            .filter(|_| route.is_known());
        if let Some(there) = queue.and_then(VecDeque::pop_front) {
            likes[0][here] = there;
            likes[1][there.at()] = PacketId(here as u32);
        }
    }
    likes_by_moment(runs, &flows, &mut likes);
    likes_by_order(runs, &flows, &mut likes);
    likes
}

/// What begins in the same nanosecond in both is the same: of a fork all frames that were under way when
/// something was done to one of them.
fn likes_by_moment(runs: &[Routes; 2], flows: &[Option<u32>], likes: &mut [Vec<PacketId>; 2]) {
    let mut waiting: BTreeMap<(bool, i64), VecDeque<usize>> = BTreeMap::new();
    for (there, route) in runs[1].packets.iter().enumerate() {
        if !likes[1][there].is_some() {
            let key = (route.cargo.is_sent, route.start);
            waiting.entry(key).or_default().push_back(there);
        }
    }
    for (here, route) in runs[0].packets.iter().enumerate() {
        let key = (route.cargo.is_sent, route.start);
        let Some(queue) = waiting.get_mut(&key).filter(|_| !likes[0][here].is_some()) else {
            continue;
        };
        let is_alike = |&there: &usize| may_be_alike(route, &runs[1].packets[there], flows);
        let found = queue.iter().position(is_alike);
        if let Some(there) = found.and_then(|found| queue.remove(found)) {
            likes[0][here] = PacketId(there as u32);
            likes[1][there] = PacketId(here as u32);
        }
    }
}

/// Of a packet that was dropped or merged early a run may know neither flow nor sequence number: it is
/// told by those before it.
fn likes_by_order(runs: &[Routes; 2], flows: &[Option<u32>], likes: &mut [Vec<PacketId>; 2]) {
    for is_sent in [false, true] {
        let ranked = |run: &Routes| -> Vec<usize> {
            let all = run.packets.iter().enumerate();
            all.filter(|(_, route)| route.cargo.is_sent == is_sent)
                .map(|(at, _)| at)
                .collect()
        };
        let [first, second] = [ranked(&runs[0]), ranked(&runs[1])];
        let mut next = 0;
        for here in first {
            let like = likes[0][here];
            if like.is_some() {
                next = second.partition_point(|&there| there <= like.at());
                continue;
            }
            let a = &runs[0].packets[here];
            let mut ahead = second.iter().enumerate().skip(next).take(FAR);
            let found = ahead.find(|&(_, &there)| {
                let b = &runs[1].packets[there];
                !likes[1][there].is_some() && may_be_alike(a, b, flows)
            });
            if let Some((rank, &there)) = found {
                likes[0][here] = PacketId(there as u32);
                likes[1][there] = PacketId(here as u32);
                next = rank + 1;
            }
        }
    }
}

/// Whether nothing that is known of both packets differs, and of one of them not all is known.
fn may_be_alike(a: &Route, b: &Route, flows: &[Option<u32>]) -> bool {
    let flow = a.flow.map(|flow| flows[flow as usize]);
    let is_unknown = a.flow.is_none() || b.flow.is_none();
    let is_flow = is_unknown || flow == Some(b.flow);
    let byte = a.cargo.byte.zip(b.cargo.byte);
    let mark = a.cargo.mark.zip(b.cargo.mark);
    let is_cargo = byte.is_none_or(|(a, b)| a == b) && mark.is_none_or(|(a, b)| a == b);
    let is_piece = (a.cargo.fragment, a.cargo.is_cut) == (b.cargo.fragment, b.cargo.is_cut);
    is_flow && is_cargo && is_piece && (is_unknown || byte.is_none())
}

/// For each flow of the first run its like in the second, the most alike first.
fn flows_alike([first, second]: &[Routes; 2]) -> Vec<Option<u32>> {
    let mut likes: Vec<Option<u32>> = vec![None; first.flows.len()];
    let mut is_taken = vec![false; second.flows.len()];
    for likeness in Likeness::ALL {
        // In the order in which they begin.
        let mut free: BTreeMap<Common, VecDeque<usize>> = BTreeMap::new();
        for (there, ends) in second.flows.iter().enumerate() {
            let commons = ends.common(likeness).into_iter();
            for common in commons.filter(|_| !is_taken[there]) {
                free.entry(common).or_default().push_back(there);
            }
        }
        for (here, ends) in first.flows.iter().enumerate() {
            if likes[here].is_some() {
                continue;
            }
            let like = ends.common(likeness).into_iter().find_map(|common| {
                let queue = free.get_mut(&common)?;
                std::iter::from_fn(|| queue.pop_front()).find(|&there| !is_taken[there])
            });
            if let Some(there) = like {
                is_taken[there] = true;
                likes[here] = Some(there as u32);
            }
        }
    }
    likes
}
