//! Netfilter: packets for this host traverse a chain of rules before they reach their transport protocol.
//!
//! Source: `net/ipv4/ip_input.c: ip_local_deliver`, `net/netfilter/core.c: nf_hook_slow`,
//! `net/netfilter/nf_tables_core.c: nft_do_chain` (v6.1).
//!
//! Simplified ("what is around a packet"): one chain at the hook `NF_INET_LOCAL_IN`, in which each rule compares the
//! destination port and only the last one matches, and the rules' memory costs no cache lines. A learner sees what a list
//! of rules costs per packet, and where it drops. Connection tracking is [`conntrack`].

pub mod conntrack;

use crate::config::settings::Settings;
use crate::simplification::Simplification;
use ringside::kernel::DropReason;

use super::core::Core;
use super::cpu::code::Path;
use super::cpu::op::{About, Op};
use super::ids::SkbId;
use super::net::Net;

/// What the mechanisms at netfilter's hooks leave out.
pub const SIMPLIFICATIONS: &[Simplification] = &[conntrack::LEFT_OUT];

/// What a host has at netfilter's hooks (`struct net: nf, ct`).
#[derive(Debug)]
pub struct Netfilter {
    /// The rules for packets that are for this host.
    pub local_in: Option<Chain>,
    /// The table of tracked connections, if the host tracks them.
    pub conntrack: Option<conntrack::Table>,
}

impl Netfilter {
    /// What a scenario configures.
    pub fn of(settings: &Settings) -> Self {
        Self {
            local_in: Chain::of(settings),
            conntrack: conntrack::Table::of(settings),
        }
    }

    /// For the audit: what each table is called, how many entries it has, and how many it may have.
    pub fn depths(&self) -> impl Iterator<Item = (&'static str, usize, usize)> {
        let table = self.conntrack.iter();
        table.map(|table| {
            let (most, count) = table.most_and_count();
            ("the table of connections", count as usize, most as usize)
        })
    }
}

/// A chain of rules at `NF_INET_LOCAL_IN`, whose policy is to accept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Chain {
    /// Number of rules that are evaluated.
    rules: u32,
    /// The port that the last rule drops packets to, if any.
    drops_port: Option<u16>,
}

impl Chain {
    /// The chain that a scenario configures, if any.
    pub fn of(settings: &Settings) -> Option<Self> {
        settings.firewall_rules.map(|rules| Self {
            rules,
            drops_port: settings.firewall_drops_port,
        })
    }

    /// Whether a packet to `port` is dropped.
    fn drops(self, port: Option<u16>) -> bool {
        self.drops_port.is_some() && self.drops_port == port
    }

    /// `nf_hook_slow`: evaluates the rules, then hands the packet to its protocol or drops it.
    pub fn local_in(self, core: &mut Core, cpu: usize, skb: SkbId) {
        let to = core.skbs[skb].frame.to;
        let verdict = if self.drops(to.map(|sock| core.socks[sock].port)) {
            Op::NetfilterDrop { skb }
        } else {
            Op::ToProtocol { skb }
        };
        let about = About::skb(skb).counting(self.rules);
        core.then(cpu, [Op::run(Path::NetfilterLocalIn, about), verdict]);
    }
}

impl Net {
    /// `NF_DROP`: a rule drops a packet, or there is no room in the table of connections.
    pub fn netfilter_drop(&mut self, core: &mut Core, cpu: usize, skb: SkbId) {
        self.conntrack_put(core, cpu, skb);
        core.drop_skb(cpu, skb, DropReason::NetfilterDrop, |place| {
            &place.netfilter
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_port_of_the_last_rule_is_dropped() {
        let chain = |drops_port| Chain {
            rules: 10,
            drops_port,
        };
        assert!(chain(Some(9)).drops(Some(9)));
        assert!(!chain(Some(9)).drops(Some(53)));
        assert!(!chain(Some(9)).drops(None));
        assert!(!chain(None).drops(None), "a policy to accept");
    }
}
