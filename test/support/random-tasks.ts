/** Random programs of tasks, as text: what needs what, what fails, what is called for each element. */
import fc from 'fast-check';

interface RandomTask {
  readonly tool: 'pure' | 'read' | 'write' | 'pause';
  /** Earlier tasks by how far they are behind. */
  readonly needs: readonly number[];
  readonly form: 'ref' | 'text' | 'number' | 'list' | 'star' | 'field';
  /** What stands beside the task. */
  readonly beside: 'nothing' | 'call' | 'look' | 'emit' | 'attempt' | 'held';
}

export const taskLists: fc.Arbitrary<readonly RandomTask[]> = fc.array(
  fc.record({
    tool: fc.constantFrom('read', 'read', 'read', 'pure', 'write', 'pause'),
    needs: fc.array(fc.integer({ min: 1, max: 6 }), { maxLength: 3 }),
    form: fc.constantFrom('ref', 'text', 'number', 'list', 'star', 'field'),
    beside: fc.constantFrom('nothing', 'nothing', 'call', 'look', 'emit', 'attempt', 'held'),
  }),
  { minLength: 1, maxLength: 12 },
);

export const sourceOf = (tasks: readonly RandomTask[]): string =>
  ['held = []', 'def run(i, *ts): return task(read, {"x": [i, ("ref", 0)]}, *ts)']
    .concat(tasks.flatMap(linesOf))
    .join('\n');

function linesOf({ tool, needs, form, beside }: RandomTask, i: number): string[] {
  const names = [...new Set(needs.map((back) => i - back).filter((at) => at >= 0))];
  const results = names.map((at) => `, t${at}`).join('');
  const ids = names.map((at) => `"${at}",`).join('');
  const line = `t${i} = task("${tool}", {"x": ${argument(names.length, form, i)}}${results}, needs = (${ids}))`;
  return [line, ...besideOf(beside, i)];
}

function argument(count: number, form: RandomTask['form'], i: number): string {
  if (count === 0) return String(i);
  const refs = Array.from({ length: count }, (_, at) => `("ref", ${at})`);
  switch (form) {
    case 'ref':
      return refs[0] ?? '';
    case 'text':
      return `("text", "${i}: ", ${refs.join(', "; ", ')})`;
    case 'number':
      return `("number", "1 + ", ${refs.join(', " + ", ')})`;
    case 'list':
      return `[${i}, {"all": [${refs.join(', ')}]}]`;
    case 'star':
      return `[${i}, ("ref", 0, "*")]`;
    case 'field':
      return '("ref", 0, 0)';
  }
}

function besideOf(beside: RandomTask['beside'], i: number): string[] {
  switch (beside) {
    case 'nothing':
      return [];
    case 'call':
      return [`c${i} = read(x = [t${i}.value, ${i}])`];
    case 'look':
      return [`b${i} = "good" if t${i}.ok else t${i}.error.message`];
    case 'emit':
      return [`print(${i}, t${i}.ok)`];
    case 'attempt':
      return [`a${i} = attempt(run, ${i}, t${i})`];
    case 'held':
      return [
        `held.append(${i})`,
        `h${i} = task(read, {"x": [("ref", 0), ("ref", 1)]}, held, t${i})`,
      ];
  }
}
