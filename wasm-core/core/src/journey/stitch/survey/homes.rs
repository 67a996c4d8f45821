//! The sockets that tasks read, and who reads datagrams of a length.

use std::collections::BTreeMap;

use crate::journey::stitch::packet::headers::is_udp;
use crate::kernel::{AddrId, Field, Pid, Probe};
use crate::run::Run;

/// Who reads datagrams.
#[derive(Debug, Default)]
pub struct Homes {
    /// The socket from which each task reads datagrams; `None` if it reads several.
    pub of_task: BTreeMap<Pid, Option<AddrId>>,
    /// The socket and the task of all reads that returned so many bytes; `None` if there are several.
    pub of_length: BTreeMap<u32, (Option<AddrId>, Option<Pid>)>,
}

/// Who reads datagrams in a run.
pub fn homes(run: &Run) -> Homes {
    let mut homes = Homes::default();
    let returns = run
        .indices()
        .filter(|&index| run.probe[index.at()] == Probe::SockRecvLength);
    for index in returns.filter(|&index| is_udp(run.field(index, Field::Proto))) {
        let event = run.event(index);
        let home = homes.of_task.entry(event.pid).or_insert(Some(event.sk));
        *home = home.filter(|&home| home == event.sk);
        if let Some(bytes) = run.field(index, Field::Ret) {
            let of_length = homes.of_length.entry(bytes);
            let (sk, pid) = of_length.or_insert((Some(event.sk), Some(event.pid)));
            *sk = sk.filter(|&sk| sk == event.sk);
            *pid = pid.filter(|&pid| pid == event.pid);
        }
    }
    homes
}
