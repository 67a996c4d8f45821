/**
 * Saves a text or bytes as a file, by pressing a temporary download link.
 */

/** @param name with its extension; characters that a file system may not allow are replaced */
export function saveText(name: string, type: string, text: string): void {
  saveBlob(name, new Blob([text], { type: `${type};charset=utf-8` }));
}

/** @param name as above */
export function saveBytes(name: string, type: string, bytes: Uint8Array<ArrayBuffer>): void {
  saveBlob(name, new Blob([bytes], { type }));
}

function saveBlob(name: string, blob: Blob): void {
  const url = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName(name);
  link.click();
  URL.revokeObjectURL(url);
}

/** A name that every file system accepts: letters, digits, dots, dashes and underscores. */
function fileName(name: string): string {
  const safe = name.normalize('NFKD').replace(/[^A-Za-z0-9._-]+/g, '-');
  return safe.replace(/^[-.]+|-+(?=\.)|-+$/g, '') || 'ringside';
}
