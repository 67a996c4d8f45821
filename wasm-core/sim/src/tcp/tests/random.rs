//! Any loss, reordering and doubling: every byte arrives once and in order.
//!
//! What must hold at every step is checked by the pipe itself.

use proptest::prelude::*;

use super::*;

fn any_config() -> impl Strategy<Value = TcpConfig> {
    let rule = prop::sample::select(vec![config(), cubic(false)]);
    let sizes = (
        1_u32..=10,
        300_u32..=1_500,
        500_u32..100_000,
        2_000_u32..100_000,
    );
    (rule, any::<[bool; 3]>(), 0_u32..=16, sizes, 0_u32..=20).prop_map(
        |(rule, [sack, nagle, timestamps], quick_acks, sizes, initial_receive_window_segments)| {
            let (initial_window_segments, mss, window, send_buffer_bytes) = sizes;
            let parameters = Parameters {
                sack,
                nagle,
                quick_acks,
                initial_window_segments,
                receive_buffer_bytes: 2 * window,
                send_buffer_bytes,
                initial_receive_window_segments,
                retries: 100,
                ..rule.parameters
            };
            TcpConfig {
                parameters,
                mss,
                timestamps,
                ..rule
            }
        },
    )
}

/// Fates from a seed: per mille lost, doubled, delayed.
fn fates(
    seed: u64,
    lost: u64,
    doubled: u64,
    late: u64,
) -> impl FnMut(usize, &Segment, u64) -> Fate {
    let mut state = seed;
    let mut draw = move |below: u64| {
        // SplitMix64
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        (z ^ (z >> 31)) % below
    };
    move |_, _, _| {
        let delay = 5 * MS + if draw(1_000) < late { draw(30 * MS) } else { 0 };
        match draw(1_000) {
            n if n < lost => Fate::Lost,
            n if n < lost + doubled => Fate::Twice(delay, delay + draw(50 * MS)),
            _ => Fate::After(delay),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn every_byte_arrives_once_and_in_order(
        client in any_config(),
        server in any_config(),
        written in (1_u32..150_000, 0_u32..50_000),
        read_size in 0_u32..400,
        train in prop_oneof![Just(1_u32), 2_u32..20],
        seed in any::<u64>(),
        trouble in (0_u64..200, 0_u64..100, 0_u64..300),
    ) {
        let mut pipe = Pipe::connected(&client, &server, 5);
        pipe.max_payload = train * client.mss.min(server.mss);
        pipe.ends[0].to_write = written.0;
        pipe.ends[1].to_write = written.1;
        pipe.ends[1].read_size = read_size;
        pipe.run(&mut fates(seed, trouble.0, trouble.1, trouble.2));
        pipe.assert_all_arrived();
        for end in &pipe.ends {
            prop_assert_eq!(end.tcb.state(), State::Closed);
            prop_assert_eq!(end.tcb.out_of_order_bytes(), 0);
        }
    }

    #[test]
    fn a_flawless_pipe_needs_no_retransmission(
        client in any_config(),
        server in any_config(),
        written in 1_u32..150_000,
        train in prop_oneof![Just(1_u32), 2_u32..20],
    ) {
        let mut pipe = Pipe::connected(&client, &server, 5);
        pipe.max_payload = train * client.mss.min(server.mss);
        pipe.ends[0].to_write = written;
        pipe.run(&mut fates(0, 0, 0, 0));
        pipe.assert_all_arrived();
        prop_assert!(!pipe.log.contains("retransmission"), "{}", pipe.log);
        prop_assert!(pipe.now < ms(60_000 + 40_000), "it took until {:?}", pipe.now);
    }

    #[test]
    fn the_same_run_twice_is_the_same(config in any_config(), seed in any::<u64>()) {
        let run = || {
            let mut pipe = Pipe::connected(&config, &config, 5);
            pipe.ends[0].to_write = 50_000;
            pipe.run(&mut fates(seed, 50, 50, 100));
            pipe.log
        };
        prop_assert_eq!(run(), run());
    }
}
