/** What an error says, whatever was thrown: for the page to show, and for an outcome to carry. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
