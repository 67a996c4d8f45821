/** Kernel functions that verdicts and figures name: one or two sentences about each kind. */
import { m } from '../words/generated/messages.js';
import type { Term } from '../words/terms.ts';

const kind = (about: () => string, ...names: readonly string[]): Term => ({
  forms: () => names.join(', '),
  about,
});

export const FUNCTIONS: readonly Term[] = [
  kind(
    m.term_fn_wake_about,
    'try_to_wake_up, __wake_up, __wake_up_common, sock_def_readable, tcp_data_ready',
    'reschedule_idle, sched_ttwu_pending, wake_up_process, activate_task',
  ),
  kind(
    m.term_fn_schedule_about,
    '__schedule, context_switch, __switch_to, pick_next_task_fair, finish_task_switch',
    'do_idle, recalc_task_prio',
  ),
  kind(
    m.term_fn_read_about,
    'tcp_recvmsg, udp_recvmsg, sock_recvmsg, __sys_recvfrom, sys_recvfrom',
    '__skb_recv_udp, sk_wait_data, tcp_data_wait',
  ),
  kind(
    m.term_fn_copy_about,
    '_copy_to_iter, _copy_from_iter, __copy_to_user_ll, __copy_from_user_ll',
    '__generic_copy_to_user, __generic_copy_from_user, memcpy_toiovec',
    'csum_partial_copy_generic, skb_copy_datagram_iter, skb_copy_datagram_iovec',
    'skb_copy_and_csum_datagram_iovec, csum_and_copy_to_user',
  ),
  kind(
    m.term_fn_memory_about,
    'alloc_skb, __alloc_skb, kmalloc, kmalloc_reserve, kmem_cache_alloc',
    'kmem_cache_alloc_batch, build_skb, page_pool_alloc_pages, __alloc_pages, kfree',
    'kfree_skbmem, __kfree_skb, kfree_skb_partial, skb_release_data',
  ),
  kind(
    m.term_fn_tcp_about,
    'tcp_v4_rcv, tcp_v4_do_rcv, tcp_rcv_established, tcp_data_queue, tcp_queue_rcv',
    'tcp_ack, tcp_clean_rtx_queue',
  ),
  kind(
    m.term_fn_send_about,
    'tcp_sendmsg, tcp_sendmsg_locked, tcp_do_sendmsg, tcp_write_xmit, tcp_transmit_skb',
    '__tcp_transmit_skb, tcp_send_ack, ip_queue_xmit, __ip_queue_xmit, dev_queue_xmit',
    '__dev_queue_xmit, dev_hard_start_xmit',
  ),
  kind(
    m.term_fn_irq_about,
    'do_IRQ, irq_entries_start, common_interrupt, asm_common_interrupt, handle_edge_irq',
    'handle_irq_event, mask_and_ack_8259A, smp_reschedule_interrupt',
    'sysvec_reschedule_ipi',
  ),
];
