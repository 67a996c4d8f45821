/**
 * Gives the viewer a text as a file, as browsers do it: a link to it that is pressed.
 */

/** @param name with its extension; what no file system allows is replaced */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }));
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(name);
  link.click();
  URL.revokeObjectURL(url);
}

/** A name that every file system takes: letters, digits, dots, dashes and underscores. */
function fileName(name: string): string {
  const safe = name.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-');
  return safe.replace(/^[-.]+|-+(?=\.)|-+$/g, '') || 'ringside';
}
