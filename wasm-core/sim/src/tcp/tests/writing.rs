//! What a write becomes: pieces of the write queue, what ends them, and what waits for memory.

use super::*;

/// Appends a whole write; how many of its bytes found room, and how many pieces they began.
fn write(tcb: &mut Tcb, bytes: u32) -> (u32, u32) {
    let (mut written, mut begun) = (0, 0);
    while written < bytes
        && let Some(part) = tcb.append(bytes - written, MSS)
    {
        written += part.bytes;
        begun += u32::from(part.begins);
    }
    (written, begun)
}

#[test]
fn a_write_fills_the_last_piece_before_it_begins_one() {
    let mut tcb = established(&config());
    assert_eq!(write(&mut tcb, 300), (300, 1));
    assert_eq!(write(&mut tcb, 300), (300, 0));
    assert_eq!(write(&mut tcb, 900), (900, 1), "400 fit, 500 do not");
    send_all(&mut tcb, ms(10));
    assert_eq!(write(&mut tcb, 1), (1, 1), "the last piece went");
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 0, "Nagle");
    assert_eq!(write(&mut tcb, 1), (1, 0), "the last piece waits");
}

/// `sk_stream_memory_free` is asked where `tcp_sendmsg_locked` needs an sk_buff, not where it fills one.
#[test]
fn only_a_piece_that_begins_needs_room() {
    let mut tcb = established(&config().with(|kernel| kernel.send_buffer_bytes = 1_500));
    let pieces = write(&mut tcb, 5_000);
    assert_eq!(pieces, (2_000, 2), "the second reaches beyond the buffer");
    assert_eq!(tcb.send_room(), 0);
    assert_eq!(tcb.append(1, MSS), None);
}

/// `tcp_push` with `TCP_NAGLE_PUSH`: the writer sleeps until something is acknowledged, so nothing may wait for what it
/// would write next.
#[test]
fn a_writer_that_waits_for_memory_lets_out_what_nagle_held() {
    let mut tcb = established(&config().with(|kernel| kernel.send_buffer_bytes = 1_200));
    write(&mut tcb, 100);
    tcb.mark_push();
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 1);
    write(&mut tcb, 300);
    tcb.mark_push();
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 0, "Nagle");
    tcb.push_for_memory();
    let out = send_all(&mut tcb, ms(10));
    assert_eq!(
        (out.len(), out[0].len, out[0].flags),
        (1, 300, Flags::ACK | Flags::PSH)
    );
    write(&mut tcb, 300);
    tcb.mark_push();
    assert_eq!(send_all(&mut tcb, ms(10)).len(), 0, "of that push alone");
}

/// `tcp_mark_push` marks the sk_buff, and what joins it afterwards goes with it: a receiver that reads to the end of a
/// segment acknowledges it then, though the write that filled it goes on in the next.
#[test]
fn a_piece_that_ends_a_write_keeps_psh_when_more_joins_it() {
    let mut tcb = established(&config());
    tcb.set_cork(true);
    write(&mut tcb, 600);
    tcb.mark_push();
    write(&mut tcb, 600);
    let out = send_all(&mut tcb, ms(10));
    assert_eq!(
        (out.len(), out[0].len, out[0].flags),
        (1, MSS, Flags::ACK | Flags::PSH)
    );
}

/// `cubictcp_cwnd_event` with `CA_EVENT_TX_START`: while nothing is on its way the curve does not go on, so that a pause
/// gives a connection no window that it has not tried.
#[test]
fn a_pause_is_no_part_of_cubics_epoch() {
    let after = |pause: u64| {
        let cubic = TcpConfig {
            restarts_after_idle: false,
            ..cubic(false).with(|kernel| kernel.send_buffer_bytes = 1 << 24)
        };
        let mut tcb = established(&cubic);
        tcb.window.cwnd = 100 * MSS;
        tcb.reduce_at_once();
        let mut now = ms(10);
        let round = |tcb: &mut Tcb, now: SimTime| {
            tcb.write(tcb.cwnd());
            send_all(tcb, now);
            tcb.on_segment(&ack(tcb.snd_nxt), now + ms(100));
        };
        for _ in 0..10 {
            round(&mut tcb, now);
            now = now + ms(100);
        }
        now = now + ms(pause);
        round(&mut tcb, now);
        round(&mut tcb, now + ms(100));
        tcb.cwnd() / MSS
    };
    assert_eq!(after(0), after(20_000));
}
