//! Connection tracking: each packet of a tracked host is looked up in a table of connections. A first packet makes an
//! entry, which counts at once and is in the table when the packet has passed the last hook. A packet that finds the
//! table full is dropped.
//!
//! Source: `net/netfilter/nf_conntrack_core.c: nf_conntrack_in`, `nf_conntrack_proto.c: ipv4_conntrack_in, nf_confirm,
//! ipv4_conntrack_local` (v6.1).
//!
//! Simplified ("tracked connections"): the entries' memory costs no cache lines, and what this host sends is confirmed
//! when it is looked up.

mod table;
#[cfg(test)]
mod tests;

use crate::config::settings::Settings;
use crate::engine::core::Core;
use crate::engine::cpu::code::Path;
use crate::engine::cpu::op::{About, Op};
use crate::engine::ids::{Device, SkbId};
use crate::engine::memory::skbuff::Nfct;
use crate::engine::net::Net;
use crate::simplification::Simplification;
use crate::tcp::Flags;

pub use table::Table;
use table::{Found, Kind, Packet};

/// What it leaves out or does in another way than Linux.
pub const LEFT_OUT: Simplification = Simplification {
    about: "tracked connections",
    linux: "An entry of TCP expires too, the soonest ten seconds after a reset and half a minute after a last ACK that was \
            lost, and a worker collects what has expired, or could make room in a full table, once a second or less often. \
            Entries are memory, which CPUs share; what a host sends is confirmed after routing; segments outside their \
            window are invalid.",
    here: "Only entries of UDP expire, and one that has is found and removed by who looks through its chain. The lookup \
           has its time and no cache lines, what is sent is confirmed at once, and every segment is in its window. There \
           are as many chains as entries, as by default.",
    seen: "A closed connection keeps its place to the end of a run, as it does on Linux for two minutes in TIME_WAIT; a full \
           table stays full where Linux would find room after a second. CPUs do not wait for each other's entries.",
};

impl Table {
    /// The table of a host that tracks connections, if a scenario says that it does.
    pub fn of(settings: &Settings) -> Option<Self> {
        settings.nf_conntrack_max.map(Self::new)
    }
}

/// What the table is told of a packet.
fn packet_of(core: &Core, skb: SkbId, is_sent: bool) -> Packet {
    let frame = &core.skbs[skb].frame;
    let flags = frame.segment.flags;
    let kind = if frame.is_udp {
        Kind::Datagram
    } else if flags.contains(Flags::RST) {
        Kind::End
    } else if flags.contains(Flags::SYN) && flags.contains(Flags::ACK) {
        Kind::SynAck
    } else if flags.contains(Flags::SYN) {
        Kind::Syn
    } else if flags.contains(Flags::FIN) {
        Kind::End
    } else {
        Kind::Ack
    };
    Packet {
        flow: frame.from.map_or(0, |from| core.socks[from].flow),
        is_sent,
        kind,
    }
}

/// The code that looks a packet up, and the drop of one for which there is no room.
fn ops_of(found: Found, packet: Packet, skb: SkbId) -> impl DoubleEndedIterator<Item = Op> {
    let about = About::skb(skb);
    let (scanned, is_new, is_full) = match found {
        Found::Known => (0, false, false),
        Found::New { scanned } | Found::Invalid { scanned } => (scanned, true, false),
        Found::Full { scanned } => (scanned, false, true),
    };
    let of_protocol = if packet.kind == Kind::Datagram {
        Path::ConntrackUdp
    } else {
        Path::ConntrackTcp
    };
    let scan = Op::run(Path::ConntrackEarlyDrop, about.counting(scanned));
    let rest = if is_full {
        Op::NetfilterDrop { skb }
    } else {
        Op::run(of_protocol, about)
    };
    let ops = [
        Some(Op::run(Path::ConntrackIn, about)),
        (scanned > 0).then_some(scan),
        is_new.then(|| Op::run(Path::ConntrackNew, about)),
        Some(rest),
    ];
    ops.into_iter().flatten()
}

impl Net {
    /// The table of a CPU's host, if it tracks connections.
    fn table(&mut self, core: &Core, cpu: usize) -> Option<&mut Table> {
        let stack = &mut self.stacks[core.cpus[cpu].host];
        stack.netfilter.conntrack.as_mut()
    }

    /// Whether a packet's host tracks connections. Of a packet that takes the loopback device it knows when it comes what
    /// it looked up when it left; such packets are not modelled here.
    pub fn is_tracked(&self, core: &Core, cpu: usize, skb: SkbId) -> bool {
        let is_of_nic = matches!(core.skbs[skb].device, Device::Nic(_));
        is_of_nic && self.stack_of(core, cpu).netfilter.conntrack.is_some()
    }

    /// `nf_conntrack_in` at `NF_INET_PRE_ROUTING`, on a host that tracks connections: looks up a received packet; false if it
    /// is dropped.
    pub fn conntrack_in(&mut self, core: &mut Core, cpu: usize, skb: SkbId) -> bool {
        let Some(table) = self.table(core, cpu) else {
            return true;
        };
        let packet = packet_of(core, skb, false);
        let found = table.look_up(packet, core.now());
        if matches!(found, Found::New { .. }) {
            core.skbs[skb].nfct = Nfct::Unconfirmed;
        }
        core.then(cpu, ops_of(found, packet, skb));
        !matches!(found, Found::Full { .. })
    }

    /// The same at `NF_INET_LOCAL_OUT` for a packet that this host sends: the code that runs, after which it is dropped or
    /// goes on; and whether it goes on.
    pub fn conntrack_out(
        &mut self,
        core: &Core,
        cpu: usize,
        skb: SkbId,
    ) -> (impl DoubleEndedIterator<Item = Op> + use<>, bool) {
        let is_tracked = self.is_tracked(core, cpu, skb);
        let table = self.table(core, cpu);
        let packet = packet_of(core, skb, true);
        let found = table.filter(|_| is_tracked).map(|table| {
            let found = table.look_up(packet, core.now());
            if matches!(found, Found::New { .. }) {
                table.confirm(packet, core.now());
            }
            found
        });
        let goes_on = !matches!(found, Some(Found::Full { .. }));
        let ops = found.map(|found| ops_of(found, packet, skb));
        (ops.into_iter().flatten(), goes_on)
    }

    /// `nf_confirm`, the last at `NF_INET_LOCAL_IN`: the new entry of a packet joins the table.
    pub fn conntrack_confirm(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        core.skbs[skb].nfct = Nfct::Settled;
        let packet = packet_of(core, skb, false);
        let table = self.table(core, cpu);
        let verdict = if table.is_none_or(|table| table.confirm(packet, core.now())) {
            Op::ToProtocol { skb }
        } else {
            Op::NetfilterDrop { skb }
        };
        let confirm = Op::run(Path::ConntrackConfirm, About::skb(skb));
        core.then(cpu, [confirm, verdict]);
    }

    /// A packet is dropped at a hook, and with it its entry if that is not confirmed.
    pub fn conntrack_put(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        if std::mem::take(&mut core.skbs[skb].nfct) == Nfct::Unconfirmed
            && let Some(table) = self.table(core, cpu)
        {
            table.put_back();
        }
    }
}
