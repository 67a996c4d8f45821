//! Which fragments are of one datagram, where two datagrams' fragments came by turns and neither a hash nor a sender on
//! this host tells them apart.
//!
//! `inet_frag_reasm_prepare` frees the `sk_buff` of a datagram's first fragment once the datagram is complete (v6.18), so
//! a fragment that is freed there later begins another datagram. And the fragments of one datagram add up to what a read
//! returns. Which of several fragments of one length are the datagram's is not told; those that came first are taken.
//!
//! Fragments may also come in another order than they were sent in. Then those that came last are the datagram's that add
//! up to what a read returned. All this is asked only where the fragments are not freed together (`fragment_lists`).

use std::collections::BTreeSet;

use crate::journey::stitch::packet::headers::{UDP_HEADER, is_udp};
use crate::journey::stitch::packet::location::freeing_function;
use crate::journey::stitch::packet::uapi::{ERRQUEUE, PEEK};
use crate::journey::stitch::survey::fragment_lists::FragmentLists;
use crate::kernel::{AddrId, EventIdx, Field, Probe};
use crate::run::Run;

/// The function that frees the `sk_buff` of a datagram's first fragment.
const PREPARES: &str = "inet_frag_reasm_prepare";
/// The function that frees what a datagram was put together of, where its first fragment came last.
const FREES_LIST: &str = "skb_release_data";
/// How many events ahead the free of another datagram's first fragment is searched for.
const SEARCH_WINDOW: usize = 512;

/// A fragment that came before the last of a datagram, and which may be another datagram's.
#[derive(Debug, Clone, Copy)]
pub struct Part {
    pub skb: AddrId,
    /// The event with which the core received it.
    pub came: Option<EventIdx>,
    /// Its IP payload in bytes.
    pub bytes: u32,
}

/// What tells the fragments of two datagrams apart.
#[derive(Debug, Default)]
pub struct Interleaved {
    /// The lengths in bytes that reads of datagrams returned; empty if nothing is reassembled.
    lengths: BTreeSet<u32>,
    /// Which fragments are freed together.
    pub lists: FragmentLists,
}

impl Interleaved {
    /// Collects the lengths of a run's reads.
    pub fn of(run: &Run) -> Self {
        let tells_of_fragments =
            |name: &str| name.starts_with(PREPARES) || name.starts_with(FREES_LIST);
        if !run.names.iter().any(tells_of_fragments) {
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
            lists: FragmentLists::of(run),
        }
    }

    /// Whether the fragment is freed next, with the datagram whose part it had become.
    pub fn is_freed_with_head(&self, part: &Part) -> bool {
        part.came
            .is_some_and(|came| self.lists.is_freed_with_head(came))
    }

    /// Whether some read returned so many bytes.
    pub fn is_read(&self, bytes: u32) -> bool {
        self.lengths.contains(&bytes)
    }

    /// How many of `parts`, the latest, are the datagram's whose last fragment to come has `last` bytes of IP payload: the
    /// only number of them with which a read returned all its bytes. `first`: the fragment with its beginning; without
    /// it that came last. All but the one with the end are as long as a multiple of 8 bytes (RFC 791 section 3.2).
    pub fn reordered(&self, last: u32, first: Option<AddrId>, parts: &[Part]) -> Option<usize> {
        let is_end = |bytes: u32| !bytes.is_multiple_of(8);
        let (mut has_begun, mut has_ended) = (first.is_none(), is_end(last));
        if has_begun && has_ended {
            return None;
        }
        let mut bytes = last;
        let mut fitting = None;
        for (before, part) in parts.iter().rev().enumerate() {
            if is_end(part.bytes) && std::mem::replace(&mut has_ended, true) {
                break;
            }
            has_begun |= first == Some(part.skb);
            bytes = bytes.saturating_add(part.bytes);
            let is_whole = has_begun && self.is_read(bytes.saturating_sub(UDP_HEADER));
            if is_whole && fitting.replace(before + 1).is_some() {
                return None;
            }
        }
        fitting
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
