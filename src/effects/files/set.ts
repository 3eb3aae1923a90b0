/** `planvm:files`: the set of the tools that read and write files in allowed folders. */
import { resolve } from 'node:path';
import { megabytesLimit } from '../set-limits.ts';
import type { SetOption, SetReader, ToolSet } from '../tool-set.ts';
import type { Folders } from './folders.ts';
import { type FileLimits, fileLimits, fileSpecs } from './specs.ts';

/** What a set has that opens files: `foldersOf` reads them. */
export const folderOptions: Readonly<Record<'read' | 'hidden', SetOption>> = {
  read: {
    about: 'Folders that may be read, with commas between. Default: the one planvm is called in.',
    variable: 'PLANVM_FILES_READ',
  },
  hidden: {
    about: 'true: names that begin with a dot are open, too: settings, keys, histories.',
    default: 'false',
  },
};

const writeOption: SetOption = {
  about: 'Folders that may be written, with commas between. Default: none.',
  variable: 'PLANVM_FILES_WRITE',
};

export const filesSet: ToolSet = {
  name: 'files',
  about: 'Reading, listing and writing files, in the folders that are allowed.',
  options: {
    ...{ read: folderOptions.read, write: writeOption, hidden: folderOptions.hidden },
    megabytes: {
      ...{ ...megabytesLimit, about: 'The largest file that is read.' },
      default: `${fileLimits.fileBytes / 2 ** 20}`,
    },
    writeMegabytes: {
      ...{ ...megabytesLimit, about: 'The largest text that is written.' },
      default: `${fileLimits.writtenBytes / 2 ** 20}`,
    },
    characters: {
      about: 'Characters that one call returns.',
      default: `${fileLimits.characters}`,
      limit: { unit: 'characters', most: 100_000_000 },
    },
    listed: {
      about: 'Files that one call lists.',
      default: `${fileLimits.listed}`,
      limit: { unit: 'files', most: 100_000 },
    },
  },
  specs: fileSpecs,
  async open(read) {
    const { listFilesHandler, readFileHandler } = await import('./read-file.ts');
    const { writeHandlers } = await import('./write-file.ts');
    const folders = foldersOf(read);
    const { limit } = read;
    const limits: FileLimits = {
      fileBytes: limit('megabytes') * 2 ** 20,
      writtenBytes: limit('writeMegabytes') * 2 ** 20,
      ...{ characters: limit('characters'), listed: limit('listed') },
    };
    return [
      ...[readFileHandler(folders, limits), listFilesHandler(folders, limits)],
      ...writeHandlers(folders, limits),
    ];
  },
};

/** The folders that the options of a set allow. Throws `BadToolSet`. */
export function foldersOf({ text, flag }: SetReader): Folders {
  const listed = (name: string): string[] =>
    text(name)
      .split(',')
      .filter((one) => one.trim() !== '')
      .map((one) => resolve(one.trim()));
  const read = listed('read');
  return {
    base: process.cwd(),
    read: read.length === 0 ? [process.cwd()] : read,
    write: listed('write'),
    hidden: flag('hidden'),
  };
}
