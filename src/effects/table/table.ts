/** `Table`: headers and rows as one value, and as a line of text as LLMCompiler has it. */
import { type EffectFailure, type Handler, refusal } from '../../engine/handler.ts';
import { type ToolSpec, toolSpec } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';
import { arrayOf, record, text } from '../tool/fields.ts';

const row = { type: 'array' };

export const tableSpec: ToolSpec = toolSpec({
  name: 'Table',
  description:
    'Makes a table of data that is there: a value with headers, rows and, as text, ' +
    '"Table: headers=City,Population|Paris,2102650". Put units into the headers.',
  effect: 'pure',
  parameters: record({
    headers: { type: 'array', items: text(), description: 'One for each column.' },
    rows: {
      type: ['array', 'object'],
      items: row,
      description: 'Lists of cells, one for each header; of an object, its keys and values.',
    },
  }),
  returns: record({ headers: arrayOf(text()), rows: arrayOf(row), text: text() }),
});

export const tableHandler: Handler = {
  spec: tableSpec,
  async perform(args) {
    const headers = listOf(args.headers);
    const rows = rowsOf(args.rows).map(listOf);
    if (headers.length === 0) throw misfit('headers: got none', 'give each column a header');
    rows.forEach((cells, index) => {
      if (cells.length === headers.length) return;
      const message = `rows[${index}]: got ${cells.length} cells, want ${headers.length}`;
      throw misfit(message, `the headers are ${headers.map(cellText).join(', ')}`);
    });
    const lines = [headers, ...rows].map((cells) => cells.map(cellText).join(','));
    return { headers, rows, text: `Table: headers=${lines.join('|')}` };
  },
};

/** What parts cells and rows is marked where it stands in a cell. */
function cellText(cell: unknown): string {
  const text = cell === null ? '' : typeof cell === 'string' ? cell : stringify(cell);
  return text.replace(/[\\,|]/g, (sign) => `\\${sign}`).replace(/\r?\n/g, '\\n');
}

/** An object has two columns. */
const rowsOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : listOf(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const misfit = (message: string, hint: string): EffectFailure =>
  refusal('PV4731', message, { hint });
