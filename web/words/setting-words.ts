/**
 * Settings of a scenario in the language of the page: their titles, what each is about, units and choices. One
 * that is not known here says what the core says of it, in English, and so does a choice that is a name.
 */
import type { Catalogue, Setting } from '../core/simulation.ts';
import { m } from './generated/messages.js';

type Message = () => string;

const SETTINGS: Readonly<Record<string, readonly [title: Message, about: Message]>> = {
  cpus: [m.setting_cpus, m.setting_cpus_about],
  hyper_threading: [m.setting_hyper_threading, m.setting_hyper_threading_about],
  connections: [m.setting_connections, m.setting_connections_about],
  message_bytes: [m.setting_message_bytes, m.setting_message_bytes_about],
  offered_per_s: [m.setting_offered_per_s, m.setting_offered_per_s_about],
  send_buffer_bytes: [m.setting_send_buffer_bytes, m.setting_send_buffer_bytes_about],
  receive_buffer_bytes: [m.setting_receive_buffer_bytes, m.setting_receive_buffer_bytes_about],
  largest_buffer_bytes: [m.setting_largest_buffer_bytes, m.setting_largest_buffer_bytes_about],
  mtu_bytes: [m.setting_mtu_bytes, m.setting_mtu_bytes_about],
  irq_affinity: [m.setting_irq_affinity, m.setting_irq_affinity_about],
  irq_queue: [m.setting_irq_queue, m.setting_irq_queue_about],
  process_cpus: [m.setting_process_cpus, m.setting_process_cpus_about],
  process_affinity: [m.setting_process_affinity, m.setting_process_affinity_about],
  rx_ring: [m.setting_rx_ring, m.setting_rx_ring_about],
  interrupt_delay_us: [m.setting_interrupt_delay_us, m.setting_interrupt_delay_us_about],
  interrupt_frames: [m.setting_interrupt_frames, m.setting_interrupt_frames_about],
  copy: [m.setting_copy, m.setting_copy_about],
  checksum: [m.setting_checksum, m.setting_checksum_about],
  gro: [m.setting_gro, m.setting_gro_about],
  rps: [m.setting_rps, m.setting_rps_about],
  busy_poll_us: [m.setting_busy_poll_us, m.setting_busy_poll_us_about],
  firewall_rules: [m.setting_firewall_rules, m.setting_firewall_rules_about],
  firewall_drops_port: [m.setting_firewall_drops_port, m.setting_firewall_drops_port_about],
  nf_conntrack_max: [m.setting_nf_conntrack_max, m.setting_nf_conntrack_max_about],
  background_hogs: [m.setting_background_hogs, m.setting_background_hogs_about],
  probes: [m.setting_probes, m.setting_probes_about],
  probe_cost_ns: [m.setting_probe_cost_ns, m.setting_probe_cost_ns_about],
  link_mbit: [m.setting_link_mbit, m.setting_link_mbit_about],
  link_delay_us: [m.setting_link_delay_us, m.setting_link_delay_us_about],
  link_loss_permille: [m.setting_link_loss_permille, m.setting_link_loss_permille_about],
  link_reorder_permille: [m.setting_link_reorder_permille, m.setting_link_reorder_permille_about],
  clients: [m.setting_clients, m.setting_clients_about],
  threads: [m.setting_threads, m.setting_threads_about],
  nics: [m.setting_nics, m.setting_nics_about],
  peer: [m.setting_peer, m.setting_peer_about],
  watch: [m.setting_watch, m.setting_watch_about],
  qdisc: [m.setting_qdisc, m.setting_qdisc_about],
  ce_threshold_us: [m.setting_ce_threshold_us, m.setting_ce_threshold_us_about],
  tcp_congestion_control: [
    m.setting_tcp_congestion_control,
    m.setting_tcp_congestion_control_about,
  ],
  tcp_ecn: [m.setting_tcp_ecn, m.setting_tcp_ecn_about],
  byte_queue_limits: [m.setting_byte_queue_limits, m.setting_byte_queue_limits_about],
  xdp: [m.setting_xdp, m.setting_xdp_about],
  xdp_port: [m.setting_xdp_port, m.setting_xdp_port_about],
  xdp_permille: [m.setting_xdp_permille, m.setting_xdp_permille_about],
};

const UNITS: Readonly<Record<string, Message>> = {
  bytes: m.setting_unit_bytes,
  'messages/s': m.setting_unit_messages_per_s,
  descriptors: m.setting_unit_descriptors,
  frames: m.setting_unit_frames,
  tasks: m.setting_unit_tasks,
};

const CHOICES: Readonly<Record<string, Message>> = {
  spread: m.setting_choice_spread,
  fixed: m.setting_choice_fixed,
  integer: m.setting_choice_integer,
  nic: m.setting_choice_nic,
  softirq: m.setting_choice_softirq,
  with_copy: m.setting_choice_with_copy,
  receiver: m.setting_choice_receiver,
  sender: m.setting_choice_sender,
  drop: m.setting_choice_drop,
  pass: m.setting_choice_pass,
  tx: m.setting_choice_tx,
  pfifo_fast: m.setting_choice_pfifo_fast,
  fq_codel: m.setting_choice_fq_codel,
  fq: m.setting_choice_fq,
  reno: m.setting_choice_reno,
  bic: m.setting_choice_bic,
  cubic: m.setting_choice_cubic,
  dctcp: m.setting_choice_dctcp,
  never: m.setting_choice_never,
  asks: m.setting_choice_asks,
  passive: m.setting_choice_passive,
  redirect: m.setting_choice_redirect,
};

/** The catalogue with its settings in the language that is spoken now. */
export function inWords(catalogue: Catalogue): Catalogue {
  return { ...catalogue, settings: catalogue.settings.map(settingInWords) };
}

function settingInWords(setting: Setting): Setting {
  const [title, about] = SETTINGS[setting.name] ?? [];
  return {
    ...setting,
    title: title?.() ?? setting.title,
    about: about?.() ?? setting.about,
    unit: UNITS[setting.unit]?.() ?? setting.unit,
    choices: setting.choices.map((choice) => ({
      ...choice,
      // A machine may be called like a choice of another setting.
      title: setting.name === 'peer' ? choice.title : (CHOICES[choice.name]?.() ?? choice.title),
    })),
  };
}
