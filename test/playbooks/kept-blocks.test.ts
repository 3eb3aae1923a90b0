/** What the variables of Tools blocks hold is kept for as long as a run is. */
import { expect, test } from 'vitest';
import { memoryJournal } from '../../src/engine/journal/memory/journal.ts';
import { quickTool, watchedJournal } from '../engine/support.ts';
import { ops, type PlayOptions, played, saidIn, stageOf } from '../planner/playbook/played.ts';

const program = `# Till

\`\`\`tools
log = []
rate = Rate()

def Note(word):
    log.append(word)
    return len(log) * rate

def Twice(word):
    Note(word)
    came = attempt(Fail, word)
    Echo("d")
    return [came.ok, len(log)]

def Fail(word):
    Note(word)
    Echo("x")
    fail("no")

def Read():
    return log
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- $one = Note("a")
- $two = Note("b")
- $three = Twice("c")
- $all = Read()
- Return $all

## Echo(word)
{len(Read())} words are there.
### Steps
- $n = Note(word)
- Say("{word} {$n}")
`;

const echo = [
  ops({ step: '01' }, { call: 'Note', args: { word: '{word}' }, into: '$n' }, { yield: 'call' }),
  ops({ step: '03' }, { say: '{word} {$n}' }, { return: null }),
];

const scripted = [
  ops(
    ...[{ step: '01' }, { call: 'Note', args: { word: 'a' }, into: '$one' }],
    ...[{ step: '02' }, { call: 'Note', args: { word: 'b' }, into: '$two' }],
    ...[{ step: '03' }, { call: 'Twice', args: { word: 'c' }, into: '$three' }, { yield: 'call' }],
  ),
  ...[...echo, ...echo],
  ops({ call: 'Read', into: '$all' }, { yield: 'call' }),
  ops({ return: '$all' }),
];

/** A world that outlives processes: a request that was answered before is answered alike. */
function world() {
  const rates: unknown[] = [];
  const asked = new Map<string, string>();
  const options: PlayOptions = {
    tools: [quickTool('Rate', () => rates.push(1) && 10, { effect: 'read' })],
    replies: ({ prompt }) => {
      const known = asked.get(prompt) ?? scripted[asked.size] ?? '';
      asked.set(prompt, known);
      return known;
    },
  };
  return { asked, rates, options };
}

const whole = ['a', 'b', 'c', 'c', 'x', 'd'];
const said = ['x 50', 'd 60'];

test('from call to call, where functions, playbooks and failures stand in each other', async () => {
  const { asked, rates, options } = world();
  const { result, said: heard } = await played(program, options);
  expect(result.error).toBeUndefined();
  expect([result.answer, heard]).toEqual([whole, said]);
  // A block is played once, and what it calls is called once.
  expect(rates).toHaveLength(1);
  expect([...asked.keys()][1]).toContain('4 words are there.');
});

test.each([undefined, 1])('where the run is killed, with checkpoints every %s', async (every) => {
  for (let fatal = 2; ; fatal++) {
    const { options } = world();
    const journal = memoryJournal();
    let appends = 0;
    const mortal = watchedJournal(journal, () => {
      if (++appends >= fatal) throw new Error('died');
    });
    const checkpoints = every === undefined ? {} : { checkpointEvery: every };
    const first = stageOf(program, { ...options, ...checkpoints, journal: mortal });
    const ended = await first.start().then(
      (result) => result,
      () => undefined,
    );
    if (ended) {
      expect(fatal).toBeGreaterThan(8);
      break;
    }
    const [run] = journal.list();
    if (!run) throw new Error('no run');
    const result = await stageOf(program, { ...options, ...checkpoints, journal }).resume(run.id);
    expect(result.error).toBeUndefined();
    expect(result.answer).toEqual(whole);
    expect(saidIn(journal, run.id)).toEqual(said);
  }
});
