/** What a line of a program is called in a sentence. */
export const lineText = ({
  line,
  file,
}: {
  readonly line: number;
  readonly file?: string;
}): string => (file === undefined ? `line ${line}` : `line ${line} of ${file}`);
