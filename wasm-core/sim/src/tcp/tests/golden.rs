//! A whole transfer with one lost segment, as text: `>` the sender, `<` the receiver.
//! Milliseconds, the segment, its sender's congestion window; a way takes 5 ms.

use expect_test::{Expect, expect};

use super::*;

fn check_transfer(config: &TcpConfig, bytes: u32, lost: &[u64], expected: &Expect) {
    let mut pipe = Pipe::connected(config, config, 5);
    pipe.ends[0].to_write = bytes;
    let mut fates = |from: usize, segment: &Segment, _: u64| {
        let is_lost = from == 0 && lost.contains(&segment.seq) && !segment.is_retransmission;
        if is_lost && segment.len > 0 {
            Fate::Lost
        } else {
            Fate::After(5 * MS)
        }
    };
    pipe.run(&mut fates);
    pipe.assert_all_arrived();
    expected.assert_eq(&pipe.log);
}

#[test]
fn one_lost_segment_with_sack() {
    check_transfer(
        &config(),
        25_500,
        &[3_001],
        &expect![[r#"
            15.0 > [.] 1:1001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 1001:2001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 2001:3001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 3001:4001 ack 1 win 64000  cwnd 10000  LOST
            15.0 > [.] 4001:5001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 5001:6001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 6001:7001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 7001:8001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 8001:9001 ack 1 win 64000  cwnd 10000
            15.0 > [.] 9001:10001 ack 1 win 64000  cwnd 10000
            20.0 < [.] 1:1 ack 1001 win 64000  cwnd 10000
            20.0 < [.] 1:1 ack 2001 win 64000  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000 sack 4001:5001  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000 sack 4001:6001  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000 sack 4001:7001  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000 sack 4001:8001  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000 sack 4001:9001  cwnd 10000
            20.0 < [.] 1:1 ack 3001 win 64000 sack 4001:10001  cwnd 10000
            25.0 > [.] 10001:11001 ack 1 win 64000  cwnd 11000
            25.0 > [.] 11001:12001 ack 1 win 64000  cwnd 11000
            25.0 > [.] 12001:13001 ack 1 win 64000  cwnd 12000
            25.0 > [.] 13001:14001 ack 1 win 64000  cwnd 12000
            25.0 > [.] 14001:15001 ack 1 win 64000  cwnd 13000
            25.0 > [.] 15001:16001 ack 1 win 64000  cwnd 13000
            25.0 > [.] 16001:17001 ack 1 win 64000  cwnd 13000  TCP_CA_Disorder
            25.0 > [.] 17001:18001 ack 1 win 64000  cwnd 13000  TCP_CA_Disorder
            25.0 > [.] 3001:4001 ack 1 win 64000 retransmission  cwnd 6500  TCP_CA_Recovery
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:11001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:12001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:13001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:14001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:15001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:16001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:17001  cwnd 10000
            30.0 < [.] 1:1 ack 3001 win 64000 sack 4001:18001  cwnd 10000
            30.0 < [.] 1:1 ack 18001 win 64000  cwnd 10000
            35.0 > [.] 18001:19001 ack 1 win 64000  cwnd 6500  TCP_CA_Recovery
            35.0 > [.] 19001:20001 ack 1 win 64000  cwnd 6500  TCP_CA_Recovery
            35.0 > [.] 20001:21001 ack 1 win 64000  cwnd 6500  TCP_CA_Recovery
            35.0 > [.] 21001:22001 ack 1 win 64000  cwnd 6500  TCP_CA_Recovery
            35.0 > [.] 22001:23001 ack 1 win 64000  cwnd 6500  TCP_CA_Recovery
            35.0 > [.] 23001:24001 ack 1 win 64000  cwnd 6500
            40.0 < [.] 1:1 ack 20001 win 64000  cwnd 10000
            40.0 < [.] 1:1 ack 22001 win 64000  cwnd 10000
            40.0 < [.] 1:1 ack 24001 win 64000  cwnd 10000
            45.0 > [.] 24001:25001 ack 1 win 64000  cwnd 6500
            45.0 > [FP.] 25001:25502 ack 1 win 64000  cwnd 6500
            50.0 < [F.] 1:2 ack 25502 win 64000  cwnd 10000
            55.0 > [.] 25502:25502 ack 2 win 64000  cwnd 7500
        "#]],
    );
}

#[test]
fn one_lost_segment_without_sack_and_with_a_small_first_window() {
    let old = config().with(|kernel| {
        kernel.sack = false;
        kernel.initial_window_segments = 3;
        kernel.slow_start_limit_segments = 1;
    });
    check_transfer(
        &old,
        12_000,
        &[4_001],
        &expect![[r#"
           15.0 > [.] 1:1001 ack 1 win 64000  cwnd 3000
           15.0 > [.] 1001:2001 ack 1 win 64000  cwnd 3000
           15.0 > [.] 2001:3001 ack 1 win 64000  cwnd 3000
           20.0 < [.] 1:1 ack 1001 win 64000  cwnd 3000
           20.0 < [.] 1:1 ack 2001 win 64000  cwnd 3000
           20.0 < [.] 1:1 ack 3001 win 64000  cwnd 3000
           25.0 > [.] 3001:4001 ack 1 win 64000  cwnd 4000
           25.0 > [.] 4001:5001 ack 1 win 64000  cwnd 4000  LOST
           25.0 > [.] 5001:6001 ack 1 win 64000  cwnd 5000
           25.0 > [.] 6001:7001 ack 1 win 64000  cwnd 5000
           25.0 > [.] 7001:8001 ack 1 win 64000  cwnd 6000
           25.0 > [.] 8001:9001 ack 1 win 64000  cwnd 6000
           30.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           30.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           30.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           30.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           30.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           35.0 > [.] 9001:10001 ack 1 win 64000  cwnd 7000
           35.0 > [.] 10001:11001 ack 1 win 64000  cwnd 7000
           35.0 > [FP.] 11001:12002 ack 1 win 64000  cwnd 7000  TCP_CA_Disorder
           35.0 > [.] 4001:5001 ack 1 win 64000 retransmission  cwnd 3500  TCP_CA_Recovery
           40.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           40.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           40.0 < [.] 1:1 ack 4001 win 64000  cwnd 3000
           40.0 < [F.] 1:2 ack 12002 win 64000  cwnd 3000
           45.0 > [.] 12002:12002 ack 2 win 64000  cwnd 3500
    "#]],
    );
}

#[test]
fn the_last_segment_lost() {
    check_transfer(
        &config(),
        3_000,
        &[2_001],
        &expect![[r#"
        15.0 > [.] 1:1001 ack 1 win 64000  cwnd 10000
        15.0 > [.] 1001:2001 ack 1 win 64000  cwnd 10000
        15.0 > [FP.] 2001:3002 ack 1 win 64000  cwnd 10000  LOST
        20.0 < [.] 1:1 ack 1001 win 64000  cwnd 10000
        20.0 < [.] 1:1 ack 2001 win 64000  cwnd 10000
        235.0 > [FP.] 2001:3002 ack 1 win 64000 retransmission  cwnd 1000  TCP_CA_Loss
        240.0 < [F.] 1:2 ack 3002 win 64000  cwnd 10000
        245.0 > [.] 3002:3002 ack 2 win 64000  cwnd 2000
    "#]],
    );
}
