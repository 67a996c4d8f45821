/**
 * Answers whose arrays grow with the run are handed over to the page, not copied: the copy of the
 * told film of ten million lines blocked it for a quarter of a second.
 */
import { transfer } from 'comlink';

/** Marks an answer so that its arrays, and those of the objects in it, are the page's once it is sent. */
export function handedOver<Answer extends object>(answer: Answer): Answer {
  return transfer(answer, [...new Set(buffersOf(answer))]);
}

function buffersOf(answer: object): readonly ArrayBuffer[] {
  return Object.values(answer).flatMap((value: unknown) => {
    if (ArrayBuffer.isView(value)) return value.buffer instanceof ArrayBuffer ? [value.buffer] : [];
    return typeof value === 'object' && value !== null ? buffersOf(value) : [];
  });
}
