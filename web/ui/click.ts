/** Whether the page handles a click on a link itself; with a modifier the browser opens the link elsewhere. */
export function isPlainClick({ ctrlKey, metaKey, shiftKey, button }: MouseEvent): boolean {
  return !ctrlKey && !metaKey && !shiftKey && button === 0;
}
