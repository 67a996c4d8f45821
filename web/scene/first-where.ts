/** Binary search, of which there is this one. */

/** Index of the first element for which something holds that holds for all after it; their number if for none. */
export function firstWhere<T>(sorted: ArrayLike<T>, holds: (one: T) => boolean): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(sorted[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}
