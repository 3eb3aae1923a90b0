/** Where tools come from, as settings name it. */
import { resolve } from 'node:path';
import { isToolSet, placedToolSet } from '../../effects/tool-set-names.ts';

/** A tools file by its absolute path; the name of a tool set as it is. */
export const toolSource = (folder: string, given: string): string =>
  isToolSet(given) ? placedToolSet(given, (path) => resolve(folder, path)) : resolve(folder, given);
