/**
 * What the kinds of objects that cache lines belong to are called, by their names in the kernels' descriptions
 * (`wasm-core/data/kernels`); a kind without a word of ours keeps its own.
 */
import { m } from '../../words/generated/messages.js';

const WORDS: Readonly<Record<string, () => string>> = {
  data: m.caches_object_data,
  user: m.caches_object_user,
  skb: m.caches_object_skb,
  sock: m.caches_object_sock,
  sock_key: m.caches_object_sock_key,
  sock_receive: m.caches_object_sock_receive,
  sock_write: m.caches_object_sock_write,
  sock_front: m.caches_object_sock_front,
  lock: m.caches_object_lock,
  runqueue: m.caches_object_runqueue,
  task: m.caches_object_task,
  stack: m.caches_object_stack,
  dev: m.caches_object_dev,
};

export function objectWord(name: string): string {
  return WORDS[name]?.() ?? name;
}
