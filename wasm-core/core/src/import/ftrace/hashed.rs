//! Maps hashed pointers of a trace to the real ones.
//!
//! Tracepoints print `%p`, hashed unless the kernel was told `no_hash_pointers`; a
//! kprobe event prints the register, and from 5.15 to 5.19 some tracepoints printed
//! `%px`. One packet then has two addresses. The hash is a bijection within a boot
//! (`lib/vsprintf.c: ptr_to_id`, v6.12), so each pair is learnt where two probes that
//! pass the same packet stand next to each other on a CPU, by the most votes, and
//! every hashed address becomes the real one. An address may be learnt late and be
//! used early: this runs when all events are there.

use std::collections::BTreeMap;

use crate::import::{Ledger, says};
use crate::kernel::{AddrId, Event, EventIdx, Field, Probe};
use crate::order;
use crate::run::Run;

/// Pairs of probes that a packet passes directly after each other.
const NEIGHBOURS: [(Probe, Probe); 10] = [
    (Probe::NapiGroReceive, Probe::NapiGroReceiveEntry),
    (Probe::NetifReceiveSkbCore, Probe::NetifReceiveSkb),
    (Probe::NetifReceiveSkbEntry, Probe::NetifReceiveSkb),
    (Probe::NetifRxEntry, Probe::NetifRx),
    (Probe::DevQueueXmit, Probe::NetDevQueue),
    (Probe::DevHardStartXmit, Probe::NetDevStartXmit),
    (Probe::NetDevStartXmit, Probe::NdoStartXmit),
    (Probe::SkbConsumeUdp, Probe::ConsumeSkb),
    (Probe::SkbCopyDatagramIter, Probe::SkbCopyDatagramIovec),
    (Probe::TcpRcvEstablished, Probe::TcpProbe),
];

/// How often a hashed and a real address were adjacent.
type Votes = BTreeMap<(AddrId, AddrId), u32>;

/// Gives each skb, socket and NAPI context one address.
pub(crate) fn unify(mut run: Run, ledger: &mut Ledger) -> Run {
    let hashed = |id: AddrId| is_hashed(&run, id);
    let real = |id: AddrId| id.is_some() && !is_hashed(&run, id);
    if !packets(&run).any(hashed) || !packets(&run).any(real) {
        return run;
    }
    let learnt = learn(&run);
    if learnt.is_empty() {
        return run;
    }
    let renamed = |id: AddrId| learnt.get(&id).copied().unwrap_or(id);
    let (matched, unmatched): (Vec<_>, Vec<_>) = distinct(packets(&run))
        .filter(|&id| is_hashed(&run, id))
        .partition(|id| learnt.contains_key(id));
    // A few addresses pass no pair of probes: an skb of a netlink socket, or a packet at the edge of the recording.
    let is_partial = unmatched.len() * 20 > matched.len();
    run.rename(renamed);
    if is_partial {
        let (unmatched, matched) = (unmatched.len() as u64, matched.len() as u64);
        ledger.warn(says::hashed_pointers(unmatched, unmatched + matched));
    }
    run
}

/// The skb address of each event.
fn packets(run: &Run) -> impl Iterator<Item = AddrId> + '_ {
    run.indices().map(|index| run.skb(index))
}

/// A hashed pointer is 32 bits of a hash (`lib/vsprintf.c: ptr_to_id`, v6.12).
fn is_hashed(run: &Run, id: AddrId) -> bool {
    id.is_some() && run.addresses.value(id) >> 32 == 0
}

fn distinct(ids: impl Iterator<Item = AddrId>) -> impl Iterator<Item = AddrId> {
    ids.collect::<std::collections::BTreeSet<_>>().into_iter()
}

/// The real address of each hashed one, as far as learned.
fn learn(run: &Run) -> BTreeMap<AddrId, AddrId> {
    let mut votes = Votes::new();
    let mut before: BTreeMap<u16, Event> = BTreeMap::new();
    let mut polled: BTreeMap<u16, AddrId> = BTreeMap::new();
    run.each(|index| {
        let event = run.event(index);
        let cpu = event.cpu.0;
        if let Some(first) = before.insert(cpu, event)
            && NEIGHBOURS.contains(&(first.probe, event.probe))
        {
            vote(run, &mut votes, first.skb, event.skb);
            vote(run, &mut votes, first.sk, event.sk);
        }
        match event.probe {
            Probe::DriverPoll | Probe::ProcessBacklog => {
                if let Some(napi) = napi(run, index) {
                    polled.insert(cpu, napi);
                }
            }
            // Polls of a CPU do not nest, and this event reports the end of one.
            Probe::NapiPoll => {
                if let (Some(first), Some(second)) = (polled.remove(&cpu), napi(run, index)) {
                    vote(run, &mut votes, first, second);
                }
            }
            _ => {}
        }
    });
    elect(&votes)
}

fn napi(run: &Run, index: EventIdx) -> Option<AddrId> {
    run.field(index, Field::Napi).map(AddrId)
}

fn vote(run: &Run, votes: &mut Votes, first: AddrId, second: AddrId) {
    if !first.is_some() || !second.is_some() {
        return;
    }
    let pair = match (is_hashed(run, first), is_hashed(run, second)) {
        (true, false) => (first, second),
        (false, true) => (second, first),
        _ => return,
    };
    *votes.entry(pair).or_default() += 1;
}

/// The pairs with the most votes, each address once, as the mapping is a bijection.
fn elect(votes: &Votes) -> BTreeMap<AddrId, AddrId> {
    let mut pairs: Vec<_> = votes.iter().map(|(&pair, &count)| (count, pair)).collect();
    order::sort_by_key(&mut pairs, |&(count, pair)| {
        (std::cmp::Reverse(count), pair)
    });
    let mut learnt = BTreeMap::new();
    let mut taken = std::collections::BTreeSet::new();
    for (_, (hashed, real)) in pairs {
        if !learnt.contains_key(&hashed) && taken.insert(real) {
            learnt.insert(hashed, real);
        }
    }
    learnt
}
