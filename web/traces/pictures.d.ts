/** The drawn shelf, which vite makes (`.ci/pictures.mjs`). */
declare module 'virtual:pictures' {
  /** By the slug of a recording or the name of a scenario. */
  // eslint-disable-next-line @typescript-eslint/consistent-type-imports -- an import statement has no relative path in here
  export const pictures: Readonly<Record<string, import('./happenings.ts').Shown | undefined>>;
}
