//! Which sockets are read with too small a buffer.

use std::collections::BTreeSet;

use super::super::facts::RecvCall;
use super::{Cuts, Facts, Queues, Socket};
use crate::kernel::AddrId;

impl Queues {
    /// The sockets that show in no other way whether something from before the recording is in their queues, and of
    /// which all reads return as much, a buffer full.
    pub(super) fn only_truncating(&self, facts: &Facts, recorded: &Cuts) -> BTreeSet<AddrId> {
        let is_alike = |pair: &[usize]| facts.reads[pair[0]].bytes == facts.reads[pair[1]].bytes;
        let is_one = |socket: &&Socket| {
            let mut pairs = socket.reads.windows(2);
            let is_unknown = !recorded.contains_key(&socket.sk);
            is_unknown && socket.reads.len() > 1 && pairs.all(is_alike)
        };
        let sockets = self.sockets.iter().filter(is_one);
        sockets.map(|socket| socket.sk).collect()
    }

    /// The sockets with reads that fit no datagram, of those made since all of the queue was recorded. Those reads are
    /// taken to be truncated ones, if too small a buffer explains all of them (`net/ipv4/udp.c: udp_recvmsg`, v6.18).
    pub(super) fn without_datagram(&self, facts: &Facts, recorded: &Cuts) -> Cuts {
        let without = |socket: &Socket| {
            let since = *recorded.get(&socket.sk)?;
            let is_without = |&read: &usize| {
                let RecvCall { at, bytes, .. } = facts.reads[read];
                at > since && bytes > 0 && !self.took_some(read)
            };
            let is_cutting = socket.reads.iter().any(is_without);
            is_cutting.then_some((socket.sk, since))
        };
        self.sockets.iter().filter_map(without).collect()
    }
}
