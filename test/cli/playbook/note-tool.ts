/** The text of a module with the tool `note`, which writes each number it is given into `notes`. */
export const noteTool = (effect: 'read' | 'write'): string => `
import { appendFileSync } from 'node:fs';
const n = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
const run = ({ n }) => {
  appendFileSync('notes', n + ' ');
  return 'noted ' + n;
};
export default [{ name: 'note', description: 'Notes it.', effect: '${effect}', parameters: n, run }];
`;
