//! The states one by one. `any_order` holds them against a slow model, for any order.

mod any_order;

use super::*;

/// What leaves a core's cache for want of room is found in the last one, by any core; a device's write
/// voids it there too.
#[test]
fn a_shared_last_cache_gives_back_what_had_no_room() {
    let mut caches = Caches::new(&[8; 2], false).with_shared(12);
    let ids: Vec<ObjectId> = (0..4).map(|_| caches.object(4)).collect();
    let from = |caches: &mut Caches, cache, id: usize| {
        let accessed = caches.access(cache, ids[id], false);
        (accessed.hits, accessed.misses, accessed.from_shared)
    };
    assert_eq!(from(&mut caches, 0, 0), (0, 4, 0), "memory at first");
    assert_eq!(from(&mut caches, 0, 1), (0, 4, 0));
    // The third makes the first leave.
    assert_eq!(from(&mut caches, 0, 2), (0, 4, 0));
    assert_eq!(
        from(&mut caches, 0, 0),
        (0, 4, 4),
        "the second has left for it"
    );
    assert_eq!(
        from(&mut caches, 1, 1),
        (0, 4, 4),
        "another core finds it as well"
    );
    assert_eq!(from(&mut caches, 1, 3), (0, 4, 0));
    assert_eq!(
        from(&mut caches, 1, 2),
        (0, 4, 0),
        "the first core has it: nothing lies between"
    );
    assert_eq!(from(&mut caches, 1, 1), (0, 4, 4));
    caches.dma_write(ids[3]);
    assert_eq!(from(&mut caches, 0, 3), (0, 4, 0));
}

/// Plays a line of accesses on one object of 4 lines and compares what each did.
///
/// `0r` and `1w` are a read and a write under that cache, `D` and `d` a device's write
/// and read. The picture says for each access its lines as `hit`, `fill`, `up`, or
/// `move<source` with `+` if the source keeps them.
fn check_states(clean_lines_move: bool, accesses: &str, picture: &str) {
    let mut caches = Caches::new(&[64; 4], clean_lines_move);
    let id = caches.object(4);
    let mut drawn = Vec::new();
    for word in accesses.split_whitespace() {
        match word {
            "D" => drawn.push(format!("void{}", caches.dma_write(id))),
            "d" => caches.dma_read(id),
            _ => {
                let cache = word[..1].parse().unwrap();
                drawn.push(draw(caches.access(cache, id, word.ends_with('w'))));
            }
        }
    }
    assert_eq!(drawn.join(" "), picture, "{accesses}");
}

fn draw(accessed: Accessed) -> String {
    let keeps = if accessed.source_keeps { "+" } else { "" };
    let mut parts = Vec::new();
    for (lines, part) in [
        (accessed.hits, format!("hit{}", accessed.hits)),
        (accessed.misses, format!("fill{}", accessed.misses)),
        (
            accessed.transfers,
            format!("move{}<{}{keeps}", accessed.transfers, accessed.from_cache),
        ),
        (
            accessed.upgrades,
            format!("up{}<{}", accessed.upgrades, accessed.from_cache),
        ),
    ] {
        if lines > 0 {
            parts.push(part);
        }
    }
    parts.join(",")
}

/// A page is read in two parts: the second one is still in the last cache, where the first one came from.
#[test]
fn what_is_not_asked_for_stays_in_the_last_cache() {
    let mut caches = Caches::new(&[8], false).with_shared(64);
    let page = caches.object(8);
    let other = caches.object(8);
    caches.access(0, page, true);
    caches.access(0, other, true);
    caches.set_lines(page, 3);
    let first = caches.access(0, page, false);
    assert_eq!((first.misses, first.from_shared), (3, 3));
    caches.set_lines(page, 8);
    let second = caches.access(0, page, false);
    assert_eq!((second.hits, second.misses, second.from_shared), (3, 5, 5));
    // Both parts leave together, and are found together.
    caches.access(0, other, false);
    let again = caches.access(0, page, false);
    assert_eq!((again.misses, again.from_shared), (8, 8));
}

#[test]
fn a_first_access_fills_and_a_second_hits() {
    check_states(false, "0r 0r 0w 0w", "fill4 hit4 hit4 hit4");
    check_states(false, "0w 0r", "fill4 hit4");
}

#[test]
fn modified_lines_move_to_a_reader_and_stay_shared() {
    check_states(false, "0w 1r 1r 0r", "fill4 move4<0+ hit4 hit4");
}

#[test]
fn modified_lines_move_to_a_writer_and_are_gone_from_the_source() {
    check_states(false, "0w 1w 0w 1r", "fill4 move4<0 move4<1 move4<0+");
}

#[test]
fn a_write_of_shared_lines_invalidates_the_other_copies() {
    check_states(false, "0w 1r 1w 0r", "fill4 move4<0+ up4<0 move4<1+");
    check_states(false, "1r 2r 3r 3w 1r", "fill4 fill4 fill4 up4<1 move4<3+");
}

#[test]
fn clean_lines_come_from_memory_on_a_front_side_bus_only() {
    check_states(false, "0r 1r", "fill4 fill4");
    check_states(true, "0r 1r", "fill4 move4<0+");
    check_states(false, "0r 1w 0r", "fill4 fill4 move4<1+");
    check_states(true, "0r 1w", "fill4 move4<0");
}

#[test]
fn a_device_voids_what_it_writes_and_cleans_what_it_reads() {
    check_states(false, "0w D 1r D 0r", "fill4 void4 fill4 void4 fill4");
    check_states(false, "0r 1r D D", "fill4 fill4 void8 void0");
    check_states(false, "0w d 1r 0r", "fill4 fill4 hit4");
}

#[test]
fn the_object_accessed_longest_ago_makes_room() {
    let mut caches = Caches::new(&[10], false);
    caches.record_evictions(true);
    let [first, second, third] = [4, 4, 4].map(|lines| caches.object(lines));
    caches.access(0, first, true);
    caches.access(0, second, false);
    caches.access(0, first, false);
    assert_eq!(caches.access(0, third, false).evicted, 4);
    assert_eq!((caches.lines_in(0, second), caches.owned_lines(0)), (0, 8));
    assert_eq!(caches.owner(first), Some(0));

    let mut taken = Vec::new();
    caches.take_evictions(&mut taken);
    let eviction = |object, lines, why| Eviction {
        cache: 0,
        object,
        lines,
        why,
    };
    assert_eq!(taken, [eviction(second, 4, Why::Capacity)]);

    caches.free(first);
    caches.dma_write(third);
    caches.take_evictions(&mut taken);
    assert_eq!(
        taken,
        [eviction(first, 4, Why::Freed), eviction(third, 4, Why::Dma)]
    );
    assert_eq!(caches.object(1), first, "an id is used again");
}

#[test]
fn an_object_larger_than_the_cache_is_kept_alone() {
    let mut caches = Caches::new(&[16], false);
    let small = caches.object(4);
    let page = caches.object(64);
    caches.access(0, small, false);
    let accessed = caches.access(0, page, false);
    assert_eq!((accessed.misses, accessed.evicted), (64, 4 + 48));
    assert_eq!((caches.owned_lines(0), caches.lines_in(0, small)), (16, 0));
    let accessed = caches.access(0, page, false);
    assert_eq!(
        (accessed.hits, accessed.misses, accessed.evicted),
        (16, 48, 48)
    );
}

#[test]
fn an_access_concerns_the_lines_that_are_set() {
    let mut caches = Caches::new(&[128; 2], false);
    let page = caches.object(64);
    caches.set_lines(page, 23);
    assert_eq!(draw(caches.access(0, page, true)), "fill23");
    caches.set_lines(page, 30);
    assert_eq!(draw(caches.access(0, page, false)), "hit23,fill7");
    caches.set_lines(page, 10);
    assert_eq!(draw(caches.access(1, page, false)), "move10<0+");
    assert_eq!((caches.owned_lines(0), caches.owned_lines(1)), (30, 10));
    caches.set_lines(page, 0);
    assert_eq!(caches.access(1, page, true), Accessed::default());
}

#[test]
fn a_range_adds_up() {
    let mut caches = Caches::new(&[1024; 2], false);
    let pages = [64, 64, 23].map(|lines| caches.object(lines));
    caches.access(1, pages[1], true);
    let accessed = caches.access_range(0, pages[0], 3, false);
    assert_eq!(draw(accessed), "fill87,move64<1+");
}
