/** The drawn shelf, which vite makes (`.ci/pictures.mjs`). */
declare module 'virtual:pictures' {
  /** By the slug of a recording or the name of a scenario. */
  export const pictures: Readonly<Record<string, import('./happenings.ts').Shown | undefined>>;
}
