/** What the Lab has to do with machines of the viewer's own: which there are, and what can be done. */
export interface OwnMachineProps {
  readonly machines: {
    readonly all: readonly { readonly name: string }[];
    /** What the core said to the last file, if it was refused. */
    readonly problem: string | undefined;
  };
  /** A file was chosen that may be one. */
  readonly onmachine: (file: Blob) => void;
  readonly onforget: (name: string) => void;
}
