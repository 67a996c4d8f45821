/** What each law is called, says in plain words, and along which axes it is drawn. */
import { m } from '../words/generated/messages.js';
import type { LawId } from './held.ts';

interface LawWords {
  readonly title: () => string;
  readonly about: () => string;
  readonly across: () => string;
  readonly up: () => string;
}

const SAME = { across: m.laws_axis_says, up: m.laws_axis_simulated };

export const LAW_WORDS: Readonly<Record<LawId, LawWords>> = {
  little: { title: m.law_little, about: m.law_little_about, ...SAME },
  utilisation: { title: m.law_utilisation, about: m.law_utilisation_about, ...SAME },
  flow: { title: m.law_flow, about: m.law_flow_about, ...SAME },
  conservation: { title: m.law_conservation, about: m.law_conservation_about, ...SAME },
  window: { title: m.law_window, about: m.law_window_about, ...SAME },
  mathis: {
    title: m.law_mathis,
    about: m.law_mathis_about,
    across: m.laws_axis_loss,
    up: m.laws_axis_window,
  },
  fragments: {
    title: m.law_fragments,
    about: m.law_fragments_about,
    across: m.laws_axis_fragments,
    up: m.laws_axis_arrived,
  },
  livelock: {
    title: m.law_livelock,
    about: m.law_livelock_about,
    across: m.laws_axis_senders,
    up: m.laws_axis_delivered,
  },
};
