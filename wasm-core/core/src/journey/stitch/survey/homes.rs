//! The sockets that tasks read.

use std::collections::BTreeMap;

use crate::journey::stitch::packet::headers::is_udp;
use crate::kernel::{AddrId, Field, Pid, Probe};
use crate::run::Run;

/// The socket from which each task reads datagrams; `None` if it reads several.
pub fn homes(run: &Run) -> BTreeMap<Pid, Option<AddrId>> {
    let mut homes = BTreeMap::new();
    let returns = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::SockRecvLength);
    for index in returns.filter(|&index| is_udp(run.field(index, Field::Proto))) {
        let event = run.event(index);
        let home = homes.entry(event.pid).or_insert(Some(event.sk));
        *home = home.filter(|&home| home == event.sk);
    }
    homes
}
