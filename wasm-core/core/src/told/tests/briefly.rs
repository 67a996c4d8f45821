//! Which few words say all that their sentence does.

use crate::kernel::PacketId;
use crate::replay::tests::replay_of;
use crate::told::{Told, said};

#[test]
fn the_few_words_about_a_drop_have_its_reason_and_no_others_say_it_all() {
    let trace = "
        1 ev netif_receive_skb ts 1.000000 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92 dev eth0
        2 ev ip_rcv_core ts 1.000004 cpu 0 ctx softirq pid 0 skb ffff888005000100 len 92
        3 ev kfree_skb ts 1.000006 cpu 0 ctx softirq pid 0 skb ffff888005000100 reason NETFILTER_DROP";
    let replay = replay_of(trace);
    let told = Told::of(&replay, Some(PacketId(0)));
    let beats = told.beats.iter().map(|beat| said(&replay, &told, beat));
    let said: Vec<_> = beats
        .map(|said| (said.plain.code, said.is_said_short))
        .collect();
    assert!(said.len() > 2, "{said:?}");
    let (last, before) = said.split_last().unwrap();
    assert_eq!(*last, ("told.dropped", true));
    assert!(before.iter().all(|(_, is_short)| !is_short), "{said:?}");
}
