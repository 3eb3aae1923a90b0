/** `planvm:table`: the set of the tool `Table`. */
import type { ToolSet } from '../tool-set.ts';
import { tableHandler, tableSpec } from './table.ts';

export const tableSet: ToolSet = {
  name: 'table',
  about: 'Table: headers and rows as a value, and as a line of text.',
  options: {},
  specs: [tableSpec],
  open: async () => [tableHandler],
};
