/**
 * The limits that a set of tools is told by an option, as in `planvm:data?rows=100000`. Those of
 * calls (time, attempts, size of results) are limits of a tool: see `toolLimitTable`.
 */
import type { SetOption } from './tool-set.ts';

type LimitOption = SetOption & Required<Pick<SetOption, 'default' | 'limit'>>;

export const megabytesLimit: LimitOption = {
  about: 'The largest file or answer that is read, unpacked.',
  default: '32',
  limit: { unit: 'MiB', most: 256 },
};

export const rowsLimit: LimitOption = {
  about: 'Rows that one call returns, of a table or of a query; twenty times as many cells.',
  default: '20000',
  limit: { unit: 'rows', most: 1_000_000 },
};

export const pagesLimit: LimitOption = {
  about: 'Pages of a PDF file that one call reads.',
  default: '1000',
  limit: { unit: 'pages', most: 100_000 },
};

export const memoryLimit: LimitOption = {
  about: 'Memory in which one file is read, or one query is asked.',
  default: '768',
  limit: { unit: 'MiB', most: 16_384 },
};
