/**
 * Caches what depends on a run or a layout alone for as long as that object lives: frames come sixty times
 * a second, runs do not. The given object must never change. Texts of the messages must not be cached in
 * this way: the language can change while the run stays.
 */

/** Caches a function of one object, by identity. */
export function once<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    const held = known.get(of) ?? { made: make(of) };
    known.set(of, held);
    return held.made;
  };
}

/** Caches a function of two objects, such as a run and the page's words. */
export function onceOfBoth<Of extends object, With extends object, Made>(
  make: (of: Of, more: With) => Made,
): (of: Of, more: With) => Made {
  const byFirst = once((of: Of) => once((more: With) => make(of, more)));
  return (of, more) => byFirst(of)(more);
}
