/**
 * What tool sets go by, apart from the sets: whoever asks whether a name is one of a set loads no
 * more than this.
 */

/** Every set that comes along. */
export const toolSetNames = ['wikipedia', 'calculator', 'table', 'node-red'] as const;

export type ToolSetName = (typeof toolSetNames)[number];

/** What stands before the name where a set is named among files. */
export const toolSetScheme = 'planvm:';

/** Whether a source of tools is a set, and no file. */
export const isToolSet = (source: string): boolean => source.startsWith(toolSetScheme);

/** A set that is none, or an option that it cannot have: *got X, want Y*. */
export class BadToolSet extends Error {
  override readonly name = 'BadToolSet';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
