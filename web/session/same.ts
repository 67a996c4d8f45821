/** Whether two values of plain data are deeply equal: fields of a view, questions about a run. */
export function holdSame(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
