//! The cost of copying a packet's bytes to and from a process, by routine and alignment, and the cache lines
//! accessed.

use crate::cache::{Accessed, ObjectId};
use crate::config::kernel::{Checksum, Copying, Routine};
use crate::config::machine::Rate;
use crate::engine::Engine;
use crate::engine::cpu::op::About;
use crate::engine::ids::{BufferId, Device};
use crate::engine::memory::Access;
use crate::engine::memory::skbuff::{Buffer, Pieces, SkBuff};

/// Index of the name of user memory in [`Code::objects`]; that of packet data is 0.
const USER: u8 = 1;

impl Engine {
    /// The cost of copying `about.count` bytes, in fs.
    pub fn copy(&mut self, cpu: usize, copying: Copying, site: u16, about: About) -> u64 {
        let rate = self.rate(cpu, copying, about);
        let host = self.core.host_of(cpu);
        let cycles = u64::from(rate.start_cycles)
            + u64::from(about.count) * u64::from(rate.cycles_per_kib) / 1024;
        let mut cost = cycles * host.code.cycle;
        if !host.memory.has_caches {
            return cost;
        }
        let piece = host.memory.piece_bytes;
        let (reads_user, writes_user) = match copying {
            Copying::FromUser | Copying::ChecksumFromUser => (true, false),
            Copying::ToUser | Copying::ChecksumToUser => (false, true),
            Copying::Checksum | Copying::FromDevice | Copying::ToDevice => (false, false),
        };
        let mut access = Access {
            is_write: reads_user || copying == Copying::FromDevice,
            name: 0,
            site,
            about,
            stream_permille: rate.miss_permille,
        };
        cost += self.access_data(cpu, access);
        if let Some(task) = self.core.current(cpu).filter(|_| reads_user || writes_user) {
            let (first, pages) = task.user;
            let offset = task.moved % (pages * piece);
            let bytes = about.count.min(pages * piece - offset);
            access.is_write = writes_user;
            access.name = USER;
            cost += self.access_bytes(cpu, first, offset, bytes, access);
        }
        cost
    }

    /// The rate of a copy: by routine, by alignment, and by whether it computes the checksum.
    fn rate(&self, cpu: usize, copying: Copying, about: About) -> Rate {
        let core = &self.core;
        let host = core.host_of(cpu);
        let stack = self.net.stack_of(core, cpu);
        let device = match (about.skb, about.sock) {
            (Some(skb), _) => core.skbs[skb].device,
            (None, Some(sock)) => core.socks[sock].device,
            (None, None) => Device::Loopback,
        };
        let is_in = matches!(copying, Copying::ToUser | Copying::ChecksumToUser);
        let is_aligned = match device {
            Device::Nic(nic) if is_in => stack.nics[nic].driver.aligned,
            Device::Nic(_) | Device::Loopback => true,
        };
        let is_left = about.skb.is_some_and(|skb| core.skbs[skb].sum_with_copy);
        let is_summed = match copying {
            // If the NIC does not or cannot compute the checksum, the sender does while it copies.
            Copying::FromUser => stack.offloads(device).checksum != Checksum::Nic || is_left,
            Copying::ToUser => is_left,
            _ => false,
        };
        let rates = &host.machine.copy;
        let plain = match (host.routine, is_aligned) {
            (Routine::Movsd, true) => rates.movsd_aligned,
            (Routine::Movsd, false) => rates.movsd_unaligned.unwrap_or(rates.movsd_aligned),
            (Routine::Integer, true) => rates.integer_aligned,
            (Routine::Integer, false) => rates.integer_unaligned.unwrap_or(rates.integer_aligned),
        };
        match copying {
            Copying::Checksum => rates.checksum,
            Copying::ChecksumToUser | Copying::ChecksumFromUser | Copying::ToDevice => {
                rates.checksum_and_copy
            }
            Copying::FromUser | Copying::ToUser if is_summed => rates.checksum_and_copy,
            Copying::FromUser | Copying::ToUser | Copying::FromDevice => plain,
        }
    }

    /// Accesses the bytes that a copy concerns: a packet's, along its chain of fragments, or those at the tail
    /// of the write queue, or of the file.
    fn access_data(&mut self, cpu: usize, access: Access) -> u64 {
        let About {
            skb, sock, count, ..
        } = access.about;
        let Some(skb) = skb else {
            let place = if let Some(sock) = sock {
                let tail = self.net.sockets[sock].chunks.back();
                tail.map(|chunk| (chunk.buffer, chunk.len))
            } else {
                let file = self.core.host_of(cpu).file;
                let at = self.core.current(cpu).map_or(0, |task| task.file_at);
                file.map(|file| (file.buffer, at))
            };
            return place.map_or(0, |(buffer, offset)| {
                self.access_buffer(cpu, buffer, offset, count, access)
            });
        };
        let packet = &self.core.skbs[skb];
        if packet.next.is_none() {
            let skip = packet.len().saturating_sub(packet.unread);
            let (buffer, offset) = (packet.buffer, packet.offset + skip);
            return buffer.map_or(0, |buffer| {
                self.access_buffer(cpu, buffer, offset, count, access)
            });
        }
        let (mut pieces, mut cost) = (Pieces::of(packet, skb, count), 0);
        while let Some((piece, skip, bytes)) = pieces.next(&self.core.skbs) {
            let SkBuff { buffer, offset, .. } = self.core.skbs[piece];
            if let Some(buffer) = buffer {
                cost += self.access_buffer(cpu, buffer, offset + skip, bytes, access);
            }
        }
        cost
    }

    fn access_buffer(
        &mut self,
        cpu: usize,
        buffer: BufferId,
        offset: u32,
        bytes: u32,
        access: Access,
    ) -> u64 {
        // A segment that spans two buffers of the write queue is accessed only within the first.
        let Buffer { first, pages, .. } = self.core.buffers[buffer];
        let piece = self.core.host_of(cpu).memory.piece_bytes;
        let bytes = bytes.min((pages * piece).saturating_sub(offset));
        self.access_bytes(cpu, first, offset, bytes, access)
    }

    fn access_bytes(
        &mut self,
        cpu: usize,
        first: ObjectId,
        offset: u32,
        bytes: u32,
        access: Access,
    ) -> u64 {
        let core = &mut self.core;
        let host = core.cpus[cpu].host;
        let (line, piece) = (
            core.hosts[host].memory.line_bytes,
            core.hosts[host].memory.piece_bytes,
        );
        let cache = core.cpus[cpu].cache;
        let (mut at, end) = (offset, offset + bytes);
        let (mut sum, mut waited) = (Accessed::default(), 0);
        while at < end {
            let page = at / piece;
            let stop = end.min((page + 1) * piece);
            let lines = (stop - at).div_ceil(line);
            let id = ObjectId(first.0 + page);
            // The page is accessed up to `stop`; what follows is left for a later copy.
            let upto = (stop - page * piece).div_ceil(line) as u8;
            let memory = &mut core.hosts[host].memory;
            memory.caches.set_lines(id, upto);
            let part = part(memory.caches.access(cache, id, access.is_write), lines);
            if let Some(first) = memory.first.get_mut(usize::from(cache)) {
                let cycles = first.touch(id, upto, lines);
                // What comes from further away is paid for by its way.
                if part.hits == lines {
                    waited += cycles;
                }
            }
            core.credit_lines(cpu, id, access.name, part);
            sum.add(part);
            at = stop;
        }
        if sum.misses + sum.transfers + sum.upgrades == 0 {
            core.tell_changes();
            return waited * core.hosts[host].code.cycle;
        }
        let cost = core.priced(cpu, sum, access);
        core.tell_evictions();
        cost + waited * core.hosts[host].code.cycle
    }
}

/// The cost share of the last `lines` lines in an access of a page from its start: earlier lines are cached by
/// now, or were paid for by an earlier access.
fn part(upto: Accessed, lines: u32) -> Accessed {
    let new = upto.misses + upto.transfers + upto.upgrades;
    let share = |count: u32| (count * lines).div_ceil(new.max(lines)).min(count);
    let (misses, transfers, upgrades) = (
        share(upto.misses),
        share(upto.transfers),
        share(upto.upgrades),
    );
    Accessed {
        from_shared: share(upto.from_shared).min(misses),
        hits: lines.saturating_sub(misses + transfers + upgrades),
        misses,
        transfers,
        upgrades,
        ..upto
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_page_whose_beginning_was_accessed_only_the_new_lines_cost() {
        let upto = |misses, transfers| Accessed {
            misses,
            transfers,
            ..Accessed::default()
        };
        let of = |upto, lines| {
            let part = part(upto, lines);
            (part.hits, part.misses, part.transfers)
        };
        assert_eq!(of(upto(4, 0), 4), (0, 4, 0), "all are new");
        assert_eq!(of(upto(2, 0), 4), (2, 2, 0), "two were there");
        assert_eq!(of(upto(10, 0), 4), (0, 4, 0), "six were wanted before");
        assert_eq!(of(upto(8, 8), 4), (0, 2, 2), "both kinds have their share");
        assert_eq!(of(upto(0, 0), 4), (4, 0, 0));
    }
}
