/** Why something could not be done, in words; of what is wrong with a file without its path. */
import { thrownMessage } from '../../program/thrown.ts';

export function reasonOf(thrown: unknown): string {
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return ofFiles.get(code) ?? thrownMessage(thrown);
}

const ofFiles: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['EISDIR', 'it is a folder'],
  ['EACCES', 'this user has no right to'],
]);
