/**
 * Caches what depends on a run or a layout alone for as long as that object lives: frames come sixty times
 * a second, runs do not. The given object must never change. What depends on texts of the messages is made
 * anew in another language, as that can change while the run stays.
 */
import { getLocale } from '../words/generated/runtime.js';

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

/** Caches a function of one object and the language that is spoken, as the width of a text is. */
export function onceSpoken<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const byLocale = once((of: Of) => {
    const known = new Map<string, { readonly made: Made }>();
    return (locale: string) => {
      const held = known.get(locale) ?? { made: make(of) };
      known.set(locale, held);
      return held.made;
    };
  });
  return (of) => byLocale(of)(getLocale());
}
