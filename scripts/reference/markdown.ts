/** The few forms of Markdown that the reference pages are made of. */

/** A table; cells are Markdown already. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`;
  return [head, head.map(() => '---'), ...rows].map(line).join('');
}

/** Text that is not Markdown, for a cell or a line of its own. */
export const plain = (text: string): string =>
  text
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')
    .replace(/[|*]/g, (sign) => `\\${sign}`);

/** A cell in code type; a bar inside it would end the cell. */
export function code(text: string): string {
  const fence = text.includes('`') ? '``' : '`';
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${fence}${pad}${text.replaceAll('|', '\\|')}${pad}${fence}`;
}

/** Lines in code type. */
export const block = (language: string, text: string): string =>
  `\`\`\`${language}\n${text.trimEnd()}\n\`\`\`\n`;

/** What stands at the top of every generated page. */
export const generatedFrom = (...sources: readonly string[]): string =>
  `Generated from ${sources.map((source) => `\`${source}\``).join(', ')} by \`npm run reference\`.\n`;
