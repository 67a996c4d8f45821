/** The Lab's interface to the viewer's own machines: the list, and the callbacks. */
export interface OwnMachineProps {
  readonly machines: {
    readonly all: readonly { readonly name: string }[];
    /** Those that were kept and are no longer taken. */
    readonly refused: readonly { readonly name: string }[];
    /** The core's error for the last file, if it was refused. */
    readonly problem: string | undefined;
  };
  /** Called with a chosen file that may describe a machine. */
  readonly onmachine: (file: Blob) => void;
  readonly onforget: (name: string) => void;
}
