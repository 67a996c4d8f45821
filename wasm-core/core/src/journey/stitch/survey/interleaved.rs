//! Which fragments are of one datagram, where two datagrams' fragments came by turns and neither a hash nor a sender on
//! this host tells them apart.
//!
//! `inet_frag_reasm_prepare` frees the `sk_buff` of a datagram's first fragment once the datagram is complete (v6.18), so
//! a fragment that is freed there later begins another datagram. And the fragments of one datagram add up to what a read
//! returns. Which of several fragments of one length are the datagram's is not told; those that came first are taken.

use std::collections::BTreeSet;

use crate::journey::stitch::packet::headers::is_udp;
use crate::journey::stitch::packet::location::freeing_function;
use crate::journey::stitch::packet::uapi::{ERRQUEUE, PEEK};
use crate::kernel::{AddrId, EventIdx, Field, Probe};
use crate::run::Run;

/// The function that frees the `sk_buff` of a datagram's first fragment.
const PREPARES: &str = "inet_frag_reasm_prepare";
/// How many events ahead the free of another datagram's first fragment is searched for.
const SEARCH_WINDOW: usize = 512;

/// A fragment between the first and the last of a datagram, which may be another datagram's.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub skb: AddrId,
    /// Its IP payload in bytes.
    pub bytes: u32,
}

/// What tells the fragments of two datagrams apart.
#[derive(Debug, Default)]
pub struct Interleaved {
    /// The lengths in bytes that reads of datagrams returned; empty if nothing is reassembled.
    lengths: BTreeSet<u32>,
}

impl Interleaved {
    /// Collects the lengths of a run's reads.
    pub fn of(run: &Run) -> Self {
        if !run.names.iter().any(|name| name.starts_with(PREPARES)) {
            return Self::default();
        }
        let returns = run
            .indices()
            .filter(|&index| run.probe[index.at()] == Probe::SockRecvLength);
        let length = |index: EventIdx| {
            let field = |field| run.field(index, field);
            let is_taken = field(Field::Flags).unwrap_or(0) & (ERRQUEUE | PEEK) == 0;
            let is_of_udp = is_udp(field(Field::Proto));
            let returned = field(Field::Ret).filter(|&it| it.cast_signed() > 0);
            returned.filter(|_| is_taken && is_of_udp)
        };
        Self {
            lengths: returns.filter_map(length).collect(),
        }
    }

    /// Which of the fragments that came after the first one, in order of arrival, belong to the datagram that is
    /// complete at `index`; `others` are the bytes of its payload in its first and its last fragment.
    pub fn own(&self, run: &Run, index: EventIdx, others: u32, parts: &[Part]) -> Vec<bool> {
        let all = parts.iter().map(|part| part.bytes);
        let all = all.fold(others, u32::saturating_add);
        if parts.is_empty() || self.lengths.is_empty() || self.lengths.contains(&all) {
            return vec![true; parts.len()];
        }
        let firsts = firsts_of_others(run, index, parts);
        let mut own: Vec<bool> = parts
            .iter()
            .map(|part| !firsts.contains(&part.skb))
            .collect();
        if firsts.is_empty() {
            return own;
        }
        let mut bytes = others;
        let mut fitting = Vec::new();
        let mut count = 0;
        for part in parts.iter().filter(|part| !firsts.contains(&part.skb)) {
            fitting.extend(self.lengths.contains(&bytes).then_some(count));
            bytes = bytes.saturating_add(part.bytes);
            count += 1;
        }
        fitting.extend(self.lengths.contains(&bytes).then_some(count));
        if let [count] = fitting[..] {
            let mut left = count;
            for is_own in own.iter_mut().filter(|is_own| **is_own) {
                *is_own = left > 0;
                left = usize::saturating_sub(left, 1);
            }
        }
        own
    }
}

/// The addresses of those fragments whose next event shows that they began another datagram.
fn firsts_of_others(run: &Run, index: EventIdx, parts: &[Part]) -> BTreeSet<AddrId> {
    let mut waiting: BTreeSet<AddrId> = parts.iter().map(|part| part.skb).collect();
    let mut firsts = BTreeSet::new();
    let near = index.at() + 1..run.len().min(index.at() + SEARCH_WINDOW);
    for at in near.map(|at| EventIdx(at as u32)) {
        let probe = run.probe[at.at()];
        if !matches!(
            probe,
            Probe::ConsumeSkb | Probe::KfreeSkb | Probe::NetifReceiveSkb
        ) {
            continue;
        }
        let skb = run.skb(at);
        let is_first = probe == Probe::ConsumeSkb && freeing_function(run, at) == Some(PREPARES);
        if waiting.remove(&skb) && is_first {
            firsts.insert(skb);
        }
    }
    firsts
}
