#!/bin/sh
# What tshark reads in a capture, a row a frame: rows.sh CAPTURE.
# Number, time in ns, bytes on the link and in the file; source, destination, protocol,
# identification and place of IP; ports; sequence numbers and flags of TCP; bytes of payload.
set -eu
fields="frame.number frame.time_epoch frame.len frame.cap_len ip.src ip.dst ip.proto ip.id \
ip.flags.df ip.flags.mf ip.frag_offset ipv6.src ipv6.dst ipv6.nxt udp.srcport udp.dstport \
udp.length tcp.srcport tcp.dstport tcp.seq_raw tcp.ack_raw tcp.flags tcp.len \
ip.len ip.hdr_len ipv6.plen"
selected=
for field in $fields; do selected="$selected -e $field"; done
# Frames as they are: nothing is put together, and of what an ICMP message quotes nothing counts.
# shellcheck disable=SC2086
tshark -r "$1" -n -o ip.defragment:FALSE -o tcp.desegment_tcp_streams:FALSE \
  -T fields -E occurrence=f -E separator=/t $selected 2>/dev/null |
  awk -F '\t' '
    function or_none(text) { return text == "" ? "-" : text }
    {
      time = $2; sub(/\./, "", time); sub(/^0+/, "", time)
      is_four = $5 != ""
      row = $1 " " time " " $3 " " $4
      proto = is_four ? $7 : $14
      row = row " " or_none(is_four ? $5 : $12) " " or_none(is_four ? $6 : $13) " " or_none(proto)
      row = row " " (is_four ? $8 " " $9 " " $10 " " $11 : "- - - -")
      above = is_four ? $24 - $25 : $26
      if (proto == 17 && $15 != "") row = row " " $15 " " $16 " payload " above - 8
      # A TCP header that the capture cuts off has ports and no more.
      else if (proto == 6 && $20 != "")
        row = row " " $18 " " $19 " seq " $20 " ack " $21 " flags " $22 " payload " $23
      else if (proto != "") row = row " payload " above
      print row
    }'
