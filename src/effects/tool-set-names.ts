/**
 * What tool sets go by, apart from the sets: whoever asks whether a name is one of a set loads no
 * more than this.
 */

/** Every set that comes along. */
export const toolSetNames = [
  'wikipedia',
  'calculator',
  'table',
  'node-red',
  'files',
  'data',
  'email',
  'web',
  'market',
  'edgar',
  'browser',
  'linkedin',
  'memory',
] as const;

export type ToolSetName = (typeof toolSetNames)[number];

/** What stands before the name where a set is named among files. */
export const toolSetScheme = 'planvm:';

/** Whether a source of tools is a set, and no file. */
export const isToolSet = (source: string): boolean => source.startsWith(toolSetScheme);

/** Options of sets that are folders, several of them with commas between. */
const folderOptions: readonly string[] = ['read', 'write', 'knowledge', 'profile', 'memory'];

/** The same source wherever it is read: folders in its options are absolute. */
export function placedToolSet(source: string, resolve: (path: string) => string): string {
  const [name = '', query] = source.split(/\?(.*)/s);
  if (query === undefined) return source;
  const options = new URLSearchParams(query);
  if (!folderOptions.some((option) => options.has(option))) return source;
  const placed = [...options].map(([option, given]) => {
    const folders = given.split(',').map((one) => (one.trim() === '' ? '' : resolve(one.trim())));
    const value = folderOptions.includes(option) ? folders.join(',') : given;
    return `${option}=${encodeURIComponent(value).replace(/%2F/g, '/').replace(/%2C/g, ',')}`;
  });
  return `${name}?${placed.join('&')}`;
}

/** A set that is none, or an option that it cannot have: *got X, want Y*. */
export class BadToolSet extends Error {
  override readonly name = 'BadToolSet';
  readonly hint: string | undefined;

  constructor(message: string, hint?: string) {
    super(message);
    this.hint = hint;
  }
}
