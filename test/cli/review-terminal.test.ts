/** What a person at a terminal does with programs before they run, and while they do. */
import { describe, expect, test } from 'vitest';
import type { Script } from '../support/model-server.ts';
import { fenced, talking } from '../support/talk.ts';
import { hasTerminal, Terminal } from '../support/terminal.ts';

const tools = `
const parameters = { type: 'object', properties: { key: { type: 'string' } }, required: ['key'] };
export default [
  { name: 'lookup', description: 'Looks up.', parameters, effect: 'read',
    run: ({ key }) => 'shelf of ' + key },
];`;

const program = 'found = lookup(key = "tides")\nanswer(found)';

const script: Script = ({ prompt }) => {
  const isColour = /colour/.test(prompt.split('Goal: ').at(-1) ?? '');
  return isColour ? '<answer>Blue.</answer>' : fenced(program);
};

const EDITOR = "sed -i 's/tides/waves/'";

describe.skipIf(!hasTerminal)('at a terminal', () => {
  test('planvm ask --confirm shows the program, has it edited, and runs it after a yes', async () => {
    await talking(script, tools, async ({ folder, env, planvm }) => {
      const ask = `ask 'Where are the tides?' --program --confirm`;
      {
        await using terminal = new Terminal(ask, folder.path, { ...env, EDITOR });
        await terminal.shows('1 │ found = lookup(key = "tides")');
        await terminal.shows('run it? [y]es, [n]o, [e]dit: ');
        terminal.type('what?\r');
        await terminal.shows('run it? [y]es, [n]o, [e]dit: ');
        terminal.type('e\r');
        await terminal.shows('1 │ found = lookup(key = "waves")');
        await terminal.shows('run it? [y]es, [n]o, [e]dit: ');
        terminal.type('y\r');
        await terminal.shows('shelf of waves');
        expect(await terminal.ended()).toBe(0);
      }
      await using terminal = new Terminal(ask, folder.path, env);
      await terminal.shows('run it? [y]es, [n]o, [e]dit: ');
      terminal.type('n\r');
      await terminal.shows('PV7502');
      expect(await terminal.ended()).toBe(130);
      const runs = JSON.parse((await planvm('runs', '--json')).stdout);
      expect(runs.map(({ title }: { title: string }) => title)).toEqual([
        ...['plan: Where are the tides?', 'Where are the tides?', 'plan: Where are the tides?'],
      ]);
    });
  });

  test('at the prompt programs are confirmed, stepped through, or not wanted at all', async () => {
    await talking(script, tools, async ({ folder, env }) => {
      await using terminal = new Terminal('repl --mode auto', folder.path, { ...env, EDITOR });
      const enter = async (keys: string, shown: string): Promise<void> => {
        terminal.type(keys);
        await terminal.shows(shown);
      };
      await terminal.shows('goal> ');
      await enter('Which colour has the sky?\r', 'Blue.');
      await terminal.shows('goal> ');
      await enter('/confirm\r', 'programs run after a yes');
      await enter('Where are the tides?\r', 'run it? [y]es, [n]o, [e]dit: ');
      await enter('n\r', 'PV7502');
      await terminal.shows('goal> ');
      await enter('Where are the tides?\r', 'run it? [y]es, [n]o, [e]dit: ');
      await enter('e\r', '1 │ found = lookup(key = "waves")');
      await terminal.shows('run it? [y]es, [n]o, [e]dit: ');
      await enter('y\r', 'shelf of waves');
      await terminal.shows('goal> ');
      await enter('/confirm off\r', 'confirm is off');
      await enter('/step\r', 'statement by statement');
      await enter('/program Where are the tides?\r', '(debug) ');
      await enter('s\r', '[1] step 1');
      await terminal.shows('(debug) ');
      await enter('s\r', '[2] step 2');
      await terminal.shows('(debug) ');
      await enter('c\r', '"shelf of tides"');
      await terminal.shows('(debug) ');
      await enter('\u0004', 'shelf of tides');
      await terminal.shows('goal> ');
      await enter('/vars\r', 'shelf of tides');
      terminal.type('/quit\r');
      expect(await terminal.ended()).toBe(1);
    });
  });
});

test('whoever is not at a terminal cannot be asked', async () => {
  await talking(script, tools, async ({ repl, server }) => {
    const asked = '/auto Where are the tides?';
    const done = await repl(['/confirm', '/step', '/step no', asked, '/thread']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(
      '/confirm wants somebody at a terminal\n/step wants somebody at a terminal\n' +
        '/step: got no, want on or off\n',
    );
    expect(done.stdout).toBe('shelf of tides\n');
    expect(done.stderr).toContain('(2 messages, program)');
    expect(server.requests).toHaveLength(1);
  });
});

test('the setting route says how what is typed is taken', async () => {
  await talking(script, tools, async ({ folder, env }) => {
    const input = 'Which colour has the sky?\n/thread\n';
    const done = await folder.planvm(['repl'], { env: { ...env, PLANVM_ROUTE: 'auto' }, input });
    expect(done).toMatchObject({ code: 0, stdout: 'Blue.\n' });
    expect(done.stderr).toContain('(2 messages, auto)');
  });
});
