/** A click on a link that the page answers itself; with a modifier the browser opens the link elsewhere. */
export function isPlainClick({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  return !ctrlKey && !metaKey && !shiftKey && button === 0;
}
