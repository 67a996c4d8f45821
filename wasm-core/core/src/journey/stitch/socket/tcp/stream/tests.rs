//! Streams by themselves: reads behind what can wait.

use super::*;

#[test]
fn a_read_behind_more_than_can_wait_leaves_what_stands_before_it() {
    let mut stream = Stream::default();
    for packet in 0..200 {
        stream.enqueue_tentative(ArrivedSegment::unreported(PacketId(packet), 10), |_| false);
        stream.ready();
    }
    let read = |taken: Vec<ReadSegment>| taken.into_iter().map(|taken| taken.packet.0);
    let first = read(stream.copy(PacketId(150), 20));
    assert_eq!(first.collect::<Vec<_>>(), [150, 151]);
    let next = read(stream.copy(PacketId(152), 10));
    assert_eq!(next.collect::<Vec<_>>(), [152]);
    assert_eq!(stream.unread().count(), 47);
}
