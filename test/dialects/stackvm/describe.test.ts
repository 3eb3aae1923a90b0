/** What a planner is told: everything that check takes by its document, and nothing that it refuses. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { stackvm1, stackvm2 } from '../../../src/dialects/stackvm/index.ts';
import { rowsOf } from '../../../src/dialects/stackvm/instructions.ts';
import { toolSpec } from '../../../src/program/effect.ts';
import { environment } from './plans.ts';

const inputs = ['city', 'report', 'facts', 'passages', 'cities'];

describe.each([stackvm1, stackvm2])('$name', (dialect) => {
  const text = dialect.describe(environment(...inputs));

  test('reads as it did', async () => {
    await expect(text).toMatchFileSnapshot(`../../golden/describe/${dialect.name}.md`);
  });

  test('names each instruction of the document and its parameters', () => {
    for (const row of rowsOf(dialect.name === 'stackvm-1' ? 'stackvm-1' : 'stackvm-2')) {
      expect(text).toContain(`### ${row.type}`);
      for (const { name, about, argument } of row.parameters) {
        // What is handed to a tool is described as the tool describes it.
        const said = argument ? '' : about.slice(0, 20);
        expect(text).toMatch(new RegExp(`- \`${name}\`.*${said === '' ? '' : `: ${said}`}`));
      }
    }
  });

  test('names each tool that can be called, and no other', () => {
    expect(text).toMatch(
      /^- `weather\(place: string, days: integer = 1, .+\)`: Tells the weather of a place\.\n {2}- `place`: The name/m,
    );
    expect(text).toContain('filters: {years?: list of integer} = …');
    expect(text).not.toContain('llm_condition');
    const alone = dialect.describe({ tools: new Map(), inputs: [] });
    expect(alone).not.toMatch(
      /weather|## Tools|## Inputs|### llm_generate|retrieve_knowledge_graph\n/,
    );
  });

  test('describes the tool of a run that takes the place of one of its own', () => {
    const own = toolSpec({
      name: 'retrieve_knowledge_graph',
      description: 'Asks my graph.',
      effect: 'read',
      parameters: {
        type: 'object',
        properties: { topic: { type: 'string' } },
        required: ['topic'],
      },
    });
    const shown = dialect.describe({ tools: new Map([[own.name, own]]), inputs: [] });
    expect(shown).toMatch(
      /### retrieve_knowledge_graph\nAsks my graph\.\n- `topic` \(string\)\n|`retrieve_knowledge_graph\(topic: string\)`: Asks my graph\./,
    );
    expect(shown).not.toContain('Cities of Portugal');
  });

  test('has examples that check finds nothing wrong with but what a fragment lacks', () => {
    const [instructions = ''] = text.split('## Tools');
    const examples = [...instructions.matchAll(/^Example: `(.*)`$/gm)].map(
      ([, example = '']) => example,
    );
    expect(examples.length).toBe(
      rowsOf(dialect.name === 'stackvm-1' ? 'stackvm-1' : 'stackvm-2').length,
    );
    for (const example of examples) {
      const plan = `[{"seq_no": 1, "type": "reasoning"}, {"seq_no": 2, "type": "reasoning"}, ${example},
        {"seq_no": 5, "type": "reasoning"}, {"seq_no": 7, "type": "reasoning"}]`;
      const { diagnostics } = checkProgram(plan, environment(...inputs), { dialect: dialect.name });
      const lacking = ['PV2127', 'PV2148', 'PV2149', 'PV2150'];
      expect(diagnostics.filter(({ code }) => !lacking.includes(code))).toEqual([]);
    }
  });
});
