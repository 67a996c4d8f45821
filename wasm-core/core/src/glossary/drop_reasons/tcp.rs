//! Reasons in TCP and UDP. Many of them are no loss: a duplicate or an old segment
//! is thrown away because its data are there already.

entries! {
    TcpCsum: "The TCP checksum is wrong: the segment was damaged on its way.",
        "net/ipv4/tcp_ipv4.c: tcp_v4_rcv";
    UdpCsum: "The UDP checksum is wrong: the datagram was damaged on its way.",
        "net/ipv4/udp.c: __udp4_lib_rcv";
    TcpAuthHdr: "The segment's signature options (MD5 or TCP-AO) are malformed or there more than once.",
        "net/ipv4/tcp.c: tcp_inbound_hash";
    TcpMd5notfound: "The connection requires an MD5 signature and the segment has none.",
        "net/ipv4/tcp.c: tcp_inbound_hash";
    TcpMd5unexpected: "The segment has an MD5 signature and no key is set for its sender.",
        "net/ipv4/tcp.c: tcp_inbound_md5_hash";
    TcpMd5failure: "The segment's MD5 signature is wrong: the two sides may have different keys.",
        "net/ipv4/tcp.c: tcp_inbound_md5_hash";
    TcpAonotfound: "The connection requires a TCP-AO signature and the segment has none.",
        "net/ipv4/tcp.c: tcp_inbound_hash";
    TcpAounexpected: "The segment has a TCP-AO signature and the socket does not use TCP-AO.",
        "net/ipv4/tcp_ao.c: tcp_inbound_ao_hash";
    TcpAokeynotfound: "The segment is signed with a TCP-AO key that this host does not have.",
        "net/ipv4/tcp_ao.c: tcp_inbound_ao_hash";
    TcpAofailure: "The segment's TCP-AO signature is wrong: the two sides may have different keys.",
        "net/ipv4/tcp_ao.c: tcp_ao_verify_hash";
    TcpFlags: "The segment's TCP flags make no sense in the connection's state.",
        "net/ipv4/tcp_input.c: tcp_rcv_state_process";
    TcpAbortOnData: "Data arrive although the process has closed the connection and will not read them; TCP ends it with a reset.",
        "net/ipv4/tcp_input.c: tcp_rcv_state_process";
    TcpZerowindow: "The receiver has announced that it has no room, and the sender sends all the same.",
        "net/ipv4/tcp_input.c: tcp_data_queue";
    TcpOldData: "All the segment's data were received before: the sender repeated them without need.",
        "net/ipv4/tcp_input.c: tcp_data_queue";
    TcpOverwindow: "The segment begins beyond the window that the receiver has announced.",
        "net/ipv4/tcp_input.c: tcp_data_queue";
    TcpOfomerge: "The data are already waiting in the out-of-order queue: a duplicate, not a loss.",
        "net/ipv4/tcp_input.c: tcp_data_queue_ofo";
    TcpRfc7323Paws: "The segment's timestamp is older than the last one seen: it is a leftover from earlier (PAWS).",
        "net/ipv4/tcp_input.c: tcp_validate_incoming";
    TcpRfc7323PawsAck: "An acknowledgement without data was overtaken on its way, as its old timestamp shows; this does no harm.",
        "net/ipv4/tcp_input.c: tcp_validate_incoming", "v6.18";
    TcpRfc7323TwPaws: "An old timestamp on a segment for a connection that is over and only waits in TIME-WAIT.",
        "net/ipv4/tcp_minisocks.c: tcp_timewait_state_process", "v6.18";
    TcpRfc7323Tsecr: "During the handshake the segment echoes a timestamp that this host never sent.",
        "net/ipv4/tcp_minisocks.c: tcp_check_req", "v6.18";
    TcpListenOverflow: "Too many connections wait for the server to accept them; accept faster or raise its backlog.",
        "net/ipv4/tcp_minisocks.c: tcp_check_req", "v6.18";
    TcpOldSequence: "The segment ends before the data that are expected: an old duplicate.",
        "net/ipv4/tcp_input.c: tcp_sequence";
    TcpInvalidSequence: "The segment's sequence number lies beyond the receive window.",
        "net/ipv4/tcp_input.c: tcp_sequence";
    TcpInvalidEndSequence: "The segment begins inside the receive window and ends beyond it while unread data wait.",
        "net/ipv4/tcp_input.c: tcp_sequence", "v6.18";
    TcpInvalidAckSequence: "The answer to a connection request acknowledges something that was not sent.",
        "net/ipv4/tcp_input.c: tcp_rcv_synsent_state_process";
    TcpReset: "A reset that is not valid here, for example with a sequence number that does not fit exactly.",
        "net/ipv4/tcp_input.c: tcp_validate_incoming";
    TcpInvalidSyn: "A connection request (SYN) arrived in the middle of a connection.",
        "net/ipv4/tcp_input.c: tcp_validate_incoming";
    TcpClose: "The connection is closed already.",
        "net/ipv4/tcp_input.c: tcp_rcv_state_process";
    TcpFastopen: "The segment does not fit the state of a connection that was opened with Fast Open.",
        "net/ipv4/tcp_input.c: tcp_rcv_state_process";
    TcpOldAck: "The acknowledgement that should complete the handshake is an old one.",
        "net/ipv4/tcp_input.c: tcp_rcv_state_process";
    TcpTooOldAck: "The acknowledgement is far older than any that could still be on its way.",
        "net/ipv4/tcp_input.c: tcp_ack";
    TcpAckUnsentData: "The segment acknowledges data that this side has not sent.",
        "net/ipv4/tcp_input.c: tcp_ack";
    TcpOfoQueuePrune: "Memory is short, so TCP threw away segments that had come too early; the sender must repeat them.",
        "net/ipv4/tcp_input.c: tcp_prune_ofo_queue";
    TcpOfoDrop: "The gap was filled by other segments, and this one from the out-of-order queue adds nothing.",
        "net/ipv4/tcp_input.c: tcp_ofo_queue";
    TcpMinttl: "The packet crossed more routers than the socket allows (IP_MINTTL).",
        "net/ipv4/tcp_ipv4.c: tcp_v4_rcv";
    PspInput: "The segment does not have the PSP encryption that its connection requires.",
        "include/net/psp/functions.h: psp_sk_rx_policy_check", "v6.18";
    PspOutput: "The segment should go out encrypted with PSP and the device cannot do that for this connection.",
        "net/psp/psp_sock.c: psp_validate_xmit", "v6.18";
}
