//! What depends on several keys of an event, once all of them are read.

use super::Arguments;
use crate::kernel::Field;
use crate::kernel::protocol::{
    ETH_P_IP, ETH_P_IPV6, ICMP, IP_HEADER, IP_HEADER_MOST, IPV6_HEADER, IPV6_HEADER_MOST, has_ports,
};

impl Arguments {
    /// Resolves what depends on several keys: only the first fragment of a datagram has ports, and thread and packet
    /// numbers are valid only with the marker.
    pub fn settle(&mut self) {
        const OFFSET: u32 = 0x1fff; // RFC 791 section 3.1, in units of 8 bytes
        if self.frag_off.is_none_or(|frag_off| frag_off & OFFSET == 0) {
            self.settle_ports();
        }
        self.settle_header();
        if self.l4_hash == Some(0) {
            let hashes = self.fields.iter_mut();
            for (_, hash) in hashes.filter(|(field, _)| *field == Field::Hash) {
                *hash = 0;
            }
        }
        if self.has_no_priorities {
            let is_one = |field| matches!(field, Field::Prio | Field::PrevPrio | Field::NextPrio);
            self.fields.retain(|&(field, _)| !is_one(field));
        }
        if self.is_marked {
            self.push(Field::Thread, self.thread);
            self.push(Field::Packet, self.packet);
        }
    }

    /// Driver events report where the IP header ends: with options it has up to 60 bytes (RFC 791 section 3.1), and with
    /// extension headers a multiple of 8 (RFC 8200 section 4). A longer one than any program adds is another's: within a
    /// tunnel.
    fn settle_header(&mut self) {
        let ends = self.transport_offset.zip(self.network_offset);
        let header = ends.and_then(|(end, begin)| end.checked_sub(begin));
        let is_of = |protocol| self.fields.contains(&(Field::Protocol, protocol));
        let is_longer = |header: &u32| {
            let has_options =
                (IP_HEADER + 4..=IP_HEADER_MOST).contains(header) && header.is_multiple_of(4);
            let is_extended =
                (IPV6_HEADER + 8..=IPV6_HEADER_MOST).contains(header) && header.is_multiple_of(8);
            has_options && is_of(ETH_P_IP) || is_extended && is_of(ETH_P_IPV6)
        };
        self.push(Field::IpHeader, header.filter(is_longer));
    }

    /// The kprobes read ports whatever the protocol. ICMP has its type and code there; what others without ports have
    /// there is left out.
    fn settle_ports(&mut self) {
        let is_proto = |&&(field, _): &&(Field, u32)| field == Field::Proto;
        let proto = self.fields.iter().rev().find(is_proto);
        // A socket's may be none that a header has: multipath TCP.
        match proto.map_or(Ok(0), |&(_, proto)| u8::try_from(proto)) {
            Ok(ICMP) => {
                self.push(Field::IcmpType, self.sport.map(|sport| sport >> 8));
                self.push(Field::IcmpCode, self.sport.map(|sport| sport & 0xff));
            }
            // The headers are not where a kprobe read zeros.
            Ok(proto) if proto == 0 || has_ports(proto) => {
                self.push(Field::Sport, self.sport);
                self.push(Field::Dport, self.dport);
            }
            _ => {}
        }
    }
}
