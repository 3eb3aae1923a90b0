/** docs/reference/tool-sets.md: the sets that come along, from their own declarations. */
import { togetherLines } from '../../src/dialects/signature.ts';
import type { ToolSet } from '../../src/effects/tool-set.ts';
import { toolSets } from '../../src/effects/tool-sets.ts';
import { code, plain, table } from './markdown.ts';
import { section } from './tools.ts';

export function toolSetsPage(): string {
  return `# Tool sets

Generated from the tools' own declarations in \`src/effects/\` by \`npm run reference\`.

Tools that come along and that a run has where it names their set, wherever a tools file may stand:
\`--tools planvm:wikipedia\`, \`PLANVM_TOOLS=planvm:node-red,planvm:table\`, or in a configuration file
\`"tools": ["planvm:node-red", "./tools.ts"]\`. Options stand behind the name as in an address:
\`planvm:wikipedia?language=fr&sentences=2\`. [The guide](../guide/tools.md#tools-that-come-along) has an
example. From TypeScript: \`toolSet('planvm:wikipedia')\`.
${[...toolSets.values()].map(setSection).join('')}`;
}

function setSection({ name, about, options, specs }: ToolSet): string {
  const rows = Object.entries(options).map(([option, one]) => [
    code(option),
    one.variable === undefined ? '' : code(one.variable),
    one.default === undefined ? '' : code(one.default),
    plain(one.about),
  ]);
  const listed =
    rows.length === 0 ? '' : `\n${table(['option', 'variable', 'default', 'what it is'], rows)}`;
  const tools = specs.map((spec) => {
    const lines = togetherLines(spec).map((line) => `- ${plain(line)}\n`);
    return `${section(spec, '###')}${lines.length === 0 ? '' : `\n${lines.join('')}`}`;
  });
  return `\n## planvm:${name}\n\n${plain(about)}\n${listed}${tools.join('')}`;
}
