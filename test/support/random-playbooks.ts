/**
 * Programs of playbooks, made at random of nearly all that plain lines may be: nested conditions and
 * loops, calls in every form, returns anywhere, functions that change what they are given, triggers,
 * questions, and a second agent. What their tools do is in `randomTools`.
 */
import fc from 'fast-check';
import type { Handler } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';

interface Line {
  readonly text: string;
  readonly under?: readonly Line[];
}

interface Parameter {
  /** As written in its head. */
  readonly name: string;
  readonly default?: string;
  readonly isList?: boolean;
}

interface Callee {
  readonly name: string;
  readonly parameters: readonly Parameter[];
}

/** What lines may speak of where they stand. */
interface Scope {
  /** Variables that have a number or a text. */
  readonly names: readonly string[];
  /** What they may set. */
  readonly targets: readonly string[];
  readonly lists: readonly string[];
  readonly callees: readonly Callee[];
  readonly depth: number;
  readonly isInLoop: boolean;
  /** Whether a return may stand anywhere. */
  readonly mayReturn: boolean;
  /** Whether lines may leave open what to do. */
  readonly mayBeOpen: boolean;
}

const tools: readonly Callee[] = [
  { name: 'take', parameters: [{ name: 'n' }] },
  { name: 'look', parameters: [{ name: 'n' }] },
];

const code = `log = []

def Bump(n):
    state["c"] = n
    return n

def Known():
    return state["a"]

def Add(all, v):
    all.append(v)

def Note(x):
    log.append(x)
    return len(log)

def Push(v):
    state["l"].append(v)
    return len(state["l"])

def Pair(x):
    Leaf(x)
    return Leaf(x)
`;

const functions: readonly Callee[] = [
  { name: 'Bump', parameters: [{ name: 'n' }] },
  { name: 'Known', parameters: [] },
  { name: 'Add', parameters: [{ name: 'all', isList: true }, { name: 'v' }] },
  { name: 'Note', parameters: [{ name: 'x' }] },
  { name: 'Push', parameters: [{ name: 'v' }] },
];

const pair: Callee = { name: 'Pair', parameters: [{ name: 'x' }] };

const literal = fc.constantFrom('1', '2', '7', '"x"', '"y"');

const valueIn = ({ names }: Scope): fc.Arbitrary<string> =>
  fc.oneof(literal, { weight: 2, arbitrary: fc.constantFrom(...names) });

/** What is given to a callee: by place, or some of it by name; what has a default may be left out. */
const argumentsOf = ({ parameters }: Callee, scope: Scope): fc.Arbitrary<string> =>
  fc
    .tuple(
      fc.tuple(
        ...parameters.map((one) => (one.isList ? fc.constantFrom(...scope.lists) : valueIn(scope))),
      ),
      fc.nat({ max: parameters.length }),
      fc.boolean(),
      fc.boolean(),
    )
    .map(([values, named, isNamed, isShort]) => {
      const left = parameters.findIndex((one) => one.default !== undefined);
      const most = isShort && left >= 0 ? left : parameters.length;
      return values
        .slice(0, most)
        .map((value, at) => {
          const name = parameters[at]?.name.replace('$', '') ?? '';
          return isNamed && at >= named ? `${name}=${value}` : value;
        })
        .join(', ');
    });

/** Mostly of playbooks, which come behind all else. */
const callIn = (scope: Scope): fc.Arbitrary<string> =>
  fc
    .oneof(fc.constantFrom(...scope.callees), {
      weight: 2,
      arbitrary: fc.constantFrom(...scope.callees.slice(-3)),
    })
    .chain((callee) => argumentsOf(callee, scope).map((args) => `${callee.name}(${args})`));

const conditionIn = (scope: Scope): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom(...scope.names), fc.constantFrom('==', '!='), literal)
      .map((parts) => parts.join(' ')),
    fc
      .tuple(fc.constantFrom(...scope.names), literal, fc.constantFrom(...scope.names))
      .map(([one, of, other]) => `${one} == ${of} or ${other} == 2`),
    fc.constantFrom(...scope.lists).map((list) => `len(${list}) > 1`),
    ...(scope.mayBeOpen
      ? [fc.constantFrom(...scope.names).map((name) => `${name} seems fit`)]
      : []),
  );

const plain = (text: string): Line => ({ text });

function plainLine(scope: Scope): fc.Arbitrary<Line[]> {
  const target = fc.constantFrom(...scope.targets);
  const name = fc.constantFrom(...scope.names);
  return fc.oneof(
    fc.tuple(target, valueIn(scope)).map(([to, of]) => [plain(`${to} = ${of}`)]),
    fc
      .tuple(name, name)
      .map(([one, other]) => [plain(`Say("${bare(one)} {${one}}, ${bare(other)} {${other}}")`)]),
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.constantFrom('', ...scope.targets), callIn(scope))
        .map(([to, call]) => [plain(to === '' ? call : `${to} = ${call}`)]),
    },
    fc
      .tuple(fc.constantFrom(...scope.lists), valueIn(scope))
      .map(([list, value]) => [plain(`${list} = [${value}, 3]`)]),
    fc
      .constantFrom('Think about the weather', ...(scope.mayBeOpen ? ['Look at it closely'] : []))
      .map((text) => [plain(text)]),
    ...(scope.mayBeOpen ? [{ weight: 3, arbitrary: openLine(scope) }] : []),
    ...(scope.mayReturn ? [returnIn(scope).map((text) => [plain(text)])] : []),
  );
}

/** What its model is to make of it, which the follower of playbooks does in one way. */
const openLine = (scope: Scope): fc.Arbitrary<Line[]> => {
  const leaf = scope.callees.some(({ name }) => name === 'Leaf') ? ['Show'] : [];
  const kind = fc.constantFrom('Decide on', 'Let take have', 'Remark on', ...leaf);
  return fc
    .tuple(kind, fc.constantFrom(...scope.names))
    .map(([what, name]) => [plain(`${what} ${name}${what === 'Show' ? ' to Leaf' : ''}`)]);
};

const bare = (name: string): string => name.replace('$', '');

const returnIn = (scope: Scope): fc.Arbitrary<string> =>
  fc.oneof(
    fc.constantFrom('Return', 'Return 3', ...scope.names.map((one) => `Return ${one}`)),
    callIn(scope).map((call) => `Return ${call}`),
  );

const inner = (scope: Scope): Scope => ({ ...scope, depth: scope.depth + 1 });

const under = (scope: Scope): fc.Arbitrary<Line[]> =>
  fc.array(lineIn(inner(scope)), { minLength: 1, maxLength: 2 }).map((all) => all.flat());

/** A way out, under a condition, as a block's last lines. */
const wayOut = (scope: Scope): fc.Arbitrary<Line[]> => {
  const ways = [
    ...(scope.isInLoop ? [fc.constantFrom('Break', 'Continue')] : []),
    ...(scope.mayReturn ? [returnIn(scope)] : []),
  ];
  if (ways.length === 0) return fc.constant([]);
  return fc
    .tuple(conditionIn(scope), fc.oneof(...ways))
    .map(([condition, way]) => [{ text: `If ${condition}`, under: [plain(way)] }]);
};

function choice(scope: Scope): fc.Arbitrary<Line[]> {
  const more = fc.option(fc.tuple(conditionIn(scope), under(scope)), { freq: 1 });
  return fc
    .tuple(conditionIn(scope), under(scope), more, fc.option(under(scope), { freq: 2 }))
    .map(([condition, lines, other, otherwise]) => [
      { text: `If ${condition}`, under: lines },
      ...(other ? [{ text: `Otherwise if ${other[0]}`, under: other[1] }] : []),
      ...(otherwise ? [{ text: 'Otherwise', under: otherwise }] : []),
    ]);
}

function loop(scope: Scope): fc.Arbitrary<Line[]> {
  const item = `${scope.depth % 2 === 0 ? '$' : ''}i${scope.depth}`;
  const counter = `n${scope.depth}`;
  const within = (name?: string): Scope => ({
    ...scope,
    isInLoop: true,
    names: name === undefined ? scope.names : [...scope.names, name],
  });
  const body = (name?: string): fc.Arbitrary<Line[]> =>
    fc
      .tuple(under(within(name)), fc.option(wayOut(within(name))), fc.boolean())
      .map(([lines, out, isFirst]) =>
        isFirst ? [...(out ?? []), ...lines] : [...lines, ...(out ?? [])],
      );
  return fc.oneof(
    fc
      .tuple(fc.constantFrom('["p", "q"]', '[2, 1]', ...scope.lists), body(item))
      .map(([all, lines]) => [{ text: `For each ${item} in ${all}`, under: lines }]),
    body(item).map((lines) => [{ text: `For ${item} from 1 to 2`, under: lines }]),
    body().map((lines) => [{ text: 'Two times:', under: lines }]),
    body(counter).map((lines) => [
      plain(`${counter} = 0`),
      { text: `While ${counter} < 2`, under: [plain(`${counter} = ${counter} + 1`), ...lines] },
    ]),
  );
}

const lineIn = (scope: Scope): fc.Arbitrary<Line[]> =>
  scope.depth > 1
    ? plainLine(scope)
    : fc.oneof(
        { weight: 7, arbitrary: plainLine(scope) },
        { weight: 2, arbitrary: choice(scope) },
        { weight: 2, arbitrary: loop(scope) },
        { weight: 1, arbitrary: wayOut(scope) },
      );

const linesIn = (scope: Scope, maxLength = 3): fc.Arbitrary<Line[]> =>
  fc.array(lineIn(scope), { minLength: 1, maxLength }).map((all) => all.flat());

const heads: readonly (readonly Parameter[])[] = [
  [{ name: 'x' }],
  [{ name: 'x' }, { name: 'y', default: '5' }],
  [{ name: '$a' }, { name: '$b', default: '6' }],
  [{ name: 'x' }, { name: '$a' }],
  [{ name: '$c', default: '"d"' }],
  [{ name: 'xs', isList: true }, { name: 'x' }],
  [],
];

interface Playbook extends Callee {
  readonly lines: readonly Line[];
  readonly above?: string;
}

const state = ['$a', '$b', '$c'];

/** Of one playbook, with a local variable that only some way sets. */
function scopeOf(
  parameters: readonly Parameter[],
  callees: readonly Callee[],
  mayBeOpen: boolean,
): Scope {
  const own = parameters.filter(({ name, isList }) => !isList && !name.startsWith('$'));
  const lists = parameters.filter(({ isList }) => isList).map(({ name }) => name);
  const locals = own.map(({ name }) => name);
  return {
    ...{ callees, depth: 0, isInLoop: false, mayReturn: true, mayBeOpen },
    names: [...state, ...locals],
    targets: ['$a', '$b', '$c', ...locals],
    lists: ['$l', ...lists],
  };
}

const playbook = (
  name: string,
  callees: readonly Callee[],
  mayBeOpen: boolean,
): fc.Arbitrary<Playbook> =>
  fc.constantFrom(...heads).chain((parameters) => {
    const scope = { ...scopeOf(parameters, callees, mayBeOpen), depth: name === 'Top' ? 0 : 1 };
    const wider = { ...scope, names: [...scope.names, 'q'], targets: [...scope.targets, 'q'] };
    return fc
      .tuple(fc.boolean(), linesIn(wider), linesIn(scope), fc.option(returnIn(scope)))
      .map(([isWide, wide, narrow, end]) => ({
        ...{ name, parameters },
        lines: [...(isWide ? [plain('q = 4'), ...wide] : narrow), ...(end ? [plain(end)] : [])],
      }));
  });

const listed = (lines: readonly Line[], indent = ''): string =>
  lines
    .map(({ text, under: own = [] }) => `${indent}- ${text}\n${listed(own, `${indent}  `)}`)
    .join('');

function textOf({ above = '', lines, name, parameters }: Playbook): string {
  const given = parameters.map((one) =>
    one.default === undefined ? one.name : `${one.name}=${one.default}`,
  );
  return `## ${name}(${given.join(', ')})\n${above}### Steps\n${listed(lines)}`;
}

/** What variables set off. */
const triggered: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom('$a == 7', '$b == "x"', '$c != "x"'),
    fc.constantFrom('- $b = 1\n', '- Leaf(2)\n', '- take($a)\n', ''),
  )
  .map(
    ([when, line]) =>
      `## Alarm\n### Triggers\n- When ${when}\n### Steps\n- Say("alarm {$a}")\n${line}`,
  );

const called: Callee = { name: 'Clerk.Rate', parameters: [{ name: 'x' }] };

/** Another agent, which may call back. */
const clerk = (mayBeOpen: boolean): fc.Arbitrary<string> =>
  fc
    .tuple(
      playbook('Sub', [...tools, { name: 'Desk.Leaf', parameters: [{ name: 'x' }] }], mayBeOpen),
      fc.constantFrom('x', '$a', '$b'),
    )
    .chain(([sub, end]) =>
      argumentsOf(sub, { ...scopeOf([], [], false), names: [...state, 'x'] }).map(
        (args) =>
          `# Clerk\n\n## Rate(x)\npublic: true\n### Steps\n- $a = 1\n- $b = x\n- $c = 3\n` +
          `- $l = [2]\n- $b = Sub(${args})\n- Return ${end}\n\n${textOf(sub)}`,
      ),
    );

const asking: readonly Line[] = [plain('Ask user for $name'), plain('Say("hello {$name}")')];

const first = ['$a = 1', '$b = 2', '$c = "x"', '$l = [1, 2]', 'm = 9', 'k = [4]'].map(plain);
const last = plain('Say("{$a} {$b} {$c} {m} {$l} {k}")');

/** Their texts. */
const playbooks = (mayBeOpen: boolean): fc.Arbitrary<string> =>
  fc
    .record({ hasClerk: fc.boolean(), asks: fc.constantFrom('', '', '', 'leaf', 'main', 'both') })
    .chain(({ hasClerk, asks }) => {
      const all = [...tools, ...functions, ...(hasClerk ? [called] : [])];
      const made = (name: string, callees: readonly Callee[]) => playbook(name, callees, mayBeOpen);
      return made('Leaf', [...tools, ...functions]).chain((own) => {
        // A function calls it.
        const leaf = {
          ...own,
          parameters: [{ name: 'x' }],
          above: 'public: true\n',
          lines: [...(asks === 'leaf' || asks === 'both' ? asking : []), ...inLeaf(own.lines)],
        };
        return made('Mid', [...all, pair, leaf]).chain((mid) =>
          made('Top', [...all, leaf, mid]).chain((top) => {
            const scope = scopeOf([], [...all, pair, leaf, mid, mid, top, top], mayBeOpen);
            const main = {
              ...scope,
              names: [...scope.names, 'm'],
              targets: [...scope.targets, 'm'],
              lists: ['$l', 'k'],
              mayReturn: false,
            };
            return fc
              .tuple(
                linesIn(main, 4),
                fc.option(triggered, { freq: 1 }),
                hasClerk ? clerk(mayBeOpen) : fc.constant(''),
              )
              .map(([lines, trigger, other]) => {
                const steps = listed([
                  ...first,
                  ...(asks === 'main' || asks === 'both' ? asking : []),
                  ...lines,
                  last,
                ]);
                return [
                  `# Desk\n\n\`\`\`tools\n${code}\`\`\`\n`,
                  `## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}- Return $a\n`,
                  ...[top, mid, leaf].map(textOf),
                  trigger ?? '',
                  other,
                ].join('\n');
              });
          }),
        );
      });
    });

export const randomPlaybooks: fc.Arbitrary<string> = playbooks(false);

/** The same, with lines that leave open what to do. */
export const openPlaybooks: fc.Arbitrary<string> = playbooks(true);

/** Its parameter is one number or text, whatever else it was made with. */
const inLeaf = (lines: readonly Line[]): Line[] => {
  const text = (one: string): string => one.replace(/\by\b(?!")/g, 'x').replace(/\bxs\b/g, '$l');
  return lines.map((one) => ({
    text: text(one.text),
    ...(one.under && { under: inLeaf(one.under) }),
  }));
};

/** What a person says, one after the other, where the programs ask. */
export const randomAnswers: readonly string[] = Array.from(
  { length: 12 },
  (_, at) => `answer ${at + 1}`,
);

/** One that writes, one that reads, and what they were called with that write. */
export function randomTools(): { readonly tools: readonly Handler[]; readonly calls: unknown[] } {
  const calls: unknown[] = [];
  const parameters = { type: 'object', properties: { n: {} }, required: ['n'] };
  const take = quickTool('take', ({ n }) => calls.push(n), {
    ...{ effect: 'write', idempotent: true, parameters },
  });
  const look = quickTool('look', ({ n }) => (n === 1 ? 2 : n), { parameters });
  return { tools: [take, look], calls };
}
