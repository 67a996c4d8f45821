/**
 * The published number that a lesson compares with, in the units of the measures.
 */
import type { PaperEntry } from '../../core/simulation.ts';
import { readTerm } from '../format/fact.ts';
import type { Compare } from '../format/lesson.ts';

/** The published number in the units of measures. Throws if there is none. */
export function publishedOf(
  entries: readonly PaperEntry[],
  { entry: id, item: wanted, unit }: Compare,
): { readonly value: number; readonly entry: PaperEntry } {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw new Error(`there is no published entry “${id}”`);
  const item = entry.items.find((one) => one.item === wanted);
  if (item === undefined) {
    throw new Error(
      `${id} has no “${wanted}”; it has ${entry.items.map((one) => one.item).join('; ')}`,
    );
  }
  if (typeof item.published !== 'number') throw new Error(`${id}, ${wanted} is no number`);
  const { over } = readTerm(`${item.published} ${unit ?? entry.unit}`);
  if (over.kind !== 'number') throw new Error(`${id}, ${wanted} is no number`);
  return { value: over.value, entry };
}
