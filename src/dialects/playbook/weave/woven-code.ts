/**
 * The code of an agent as one function, which is called once for each agent: it gives the functions
 * of its tools blocks, and the expressions of its lines, each a function of the variables that it
 * reads. They see the variables of the agent as `state` and call its playbooks by their names.
 * `here` says in whose frame they are computed.
 */
import { mark, markEnd } from '../../starlark/compile/line-marks.ts';
import type { Does, Expression, Template, VariableUse } from '../compiled.ts';
import { expressionsIn } from '../link/flow.ts';
import type { LinkedAgent, LinkedLine } from '../link/linked.ts';
import { offeredFunctions, placeIn } from '../source/code.ts';
import type { CodeBlock, Place } from '../source/tree.ts';
import { literal } from './literal.ts';

/** `file` is what the text of the playbooks is called in places. */
export const blockFunction =
  (agents: readonly LinkedAgent[], file: string) =>
  (agent: LinkedAgent): string => {
    const { name, code } = agent;
    // What stands around the code has no place in the file.
    const around = [mark(file, 0, 0)];
    const own = offeredFunctions(agent).map((one) => one.name);
    const isMaking = isAmongOthers(agents) && !own.includes('CreateAgent');
    const called = isMaking ? [...own, 'CreateAgent'] : own;
    const placeIn = ({ place }: { readonly place: Place }): Place => ({
      ...place,
      file: place.file ?? file,
    });
    const lines = [
      ...around,
      `def _code_of_${name}(here):`,
      '    state = variables(here["frame"], "state")',
      '    attempt = lambda f, *args, **named: attempted(f, args, named, here)',
      '    Say = lambda to, text = None: say_from_code(to, text, here["frame"])',
      '    _text = text',
      ...(isMaking ? [`    ${creating}`] : []),
      ...stubs(agent, agents, new Set(own)).map((line) => `    ${line}`),
      ...code.flatMap((block) => [...placedLines(block, file), ...around]),
      `    return {${called.map((one) => `${literal(one)}: ${one}`).join(', ')}}, {`,
      ...agent.playbooks.flatMap((playbook) => [
        ...(playbook.about
          ? [entry(`${playbook.name}:`, textOf(playbook.about), placeIn(playbook))]
          : []),
        ...[...playbook.lines.values()].flatMap((line) => {
          const woven = lineCode(line, agent);
          return woven.code === undefined
            ? []
            : [entry(`${playbook.name}:${line.number}`, woven, placeIn(line))];
        }),
      ]),
      '    }',
      markEnd,
    ];
    return lines.join('\n');
  };

// ---- Lines --------------------------------------------------------------------------------------

const textOf = (about: Template): Woven => ({ code: codeOf(about), reads: usesIn(about) });

interface Woven {
  /** Starlark; undefined for a line that computes nothing. */
  readonly code?: string | undefined;
  /** The parameters of the code. */
  readonly reads: readonly VariableUse[];
}

/** An entry of the table of code: a function whose body has its place in the file. */
function entry(key: string, { code = 'None', reads }: Woven, place: Place): string {
  const head = `        ${literal(key)}: lambda ${reads.map(({ as }) => as).join(', ')}: (`;
  const { column, file = '', line } = place;
  const at = mark(file, line, Math.max(0, 1 - column));
  return [head, at, code, mark(file, 0, 0), '        ),'].join('\n');
}

/** What the machine computes at a line, and whether that calls playbooks or tools. */
export function lineCode(
  { does, tail }: Pick<LinkedLine, 'does' | 'tail'>,
  agent: LinkedAgent,
): Woven & { readonly plays: boolean } {
  const computed = computedAt(does, tail === true);
  const own = new Set(offeredFunctions(agent).map(({ name }) => name));
  const calls = expressionsIn(computed).flatMap((expression) => expression.calls);
  return {
    code: computed && codeOf(computed),
    reads: usesIn(computed),
    plays: calls.some((name) => !own.has(name)),
  };
}

/** What is computed at a line: an expression, a text, or the arguments of a call. */
type Computed = Expression | Template | Readonly<Record<string, Expression>>;

function computedAt(does: Does, isTail: boolean): Computed | undefined {
  switch (does.is) {
    case 'set':
      return does.value;
    case 'call':
      return does.callee.kind === 'function' ? does.value : does.args;
    case 'say':
    case 'ask':
      return does.text;
    case 'test':
      return does.test;
    case 'each':
      return does.of;
    case 'return':
      return isTail && does.call ? does.call.args : does.value;
    default:
      return undefined;
  }
}

function codeOf(computed: Computed): string {
  if (isTemplate(computed)) return templateCode(computed);
  if (isSingle(computed)) return computed.code;
  const items = Object.entries(computed).map(([name, { code }]) => `${literal(name)}: ${code}`);
  return `{${items.join(', ')}}`;
}

const isTemplate = (computed: Computed): computed is Template => Array.isArray(computed);

const isSingle = (computed: Exclude<Computed, Template>): computed is Expression =>
  typeof computed.code === 'string';

/** A text as code that fills it in. */
function templateCode(template: Template): string {
  const parts = template.map((part) =>
    typeof part === 'string' ? literal(part) : `_text(${part.code})`,
  );
  return `"".join([${parts.join(', ')}])`;
}

/** The variables of expressions, wherever they stand. */
export const usesIn = (computed: Computed | undefined): readonly VariableUse[] => [
  ...new Map(
    expressionsIn(computed).flatMap(({ reads }) => reads.map((use) => [use.as, use] as const)),
  ).values(),
];

// ---- Blocks -------------------------------------------------------------------------------------

/** The lines of a block, with a mark where they do not follow each other in their file. */
function placedLines(block: CodeBlock, file: string): string[] {
  const text = indented(block.text);
  const bare = block.text.split('\n');
  const begins = new Set([0, ...(block.breaks ?? []).map(({ at }) => at)]);
  return text.split('\n').flatMap((line, at) => {
    // A line within a text is not further in, and a mark would be a part of the text.
    const isWithin = at > 0 && line !== '' && line === bare[at];
    if (!begins.has(at) || isWithin) return [line];
    const place = placeIn(block, at);
    return [`    ${mark(place.file ?? file, place.line, Math.max(0, 5 - place.column))}`, line];
  });
}

/** What the loop has beside a block, as inputs of one that is checked alone. */
export const blockInputs: readonly string[] = [
  ...['play_from_code', 'say_from_code', 'create_agent', 'variables', 'attempted', 'text'],
];

const creating =
  'CreateAgent = lambda like, name = None, **state: create_agent(like, name, state, here["frame"])';

const isAmongOthers = (agents: readonly LinkedAgent[]): boolean =>
  agents.filter(({ kind }) => kind === 'ai').length > 1;

/** Functions that play: those of the agent by name, those of others as members of their agents. */
function stubs(
  agent: LinkedAgent,
  agents: readonly LinkedAgent[],
  own: ReadonlySet<string>,
): string[] {
  const stub = (id: string): string =>
    `lambda *args, **named: play_from_code(${literal(id)}, args, named, here["frame"])`;
  const others = agents.flatMap((other) => {
    const offered = other.playbooks.filter(({ isPublic }) => isPublic);
    if (other === agent || offered.length === 0 || own.has(other.name)) return [];
    const members = offered.map(({ name, id }) => `${name} = ${stub(id)}`);
    return [`${other.name} = struct(${members.join(', ')})`];
  });
  const mine = agent.playbooks.filter(({ name }) => !own.has(name));
  return [...others, ...mine.map(({ name, id }) => `${name} = ${stub(id)}`)];
}

/** A text over several lines, which may never end; a text within a line; a comment. */
const quotedOrSilent = [
  ...['"""', "'''"].map((mark) => String.raw`${mark}(?:\\[\s\S]|[^\\])*?(?:${mark}|(?![\s\S]))`),
  ...[String.raw`"(?:\\.|[^"\\\n])*"?`, String.raw`'(?:\\.|[^'\\\n])*'?`, '#.*'],
].join('|');

const lineStart = new RegExp(
  String.raw`(?<margin>^(?=.*\S))(?:${quotedOrSilent})?|${quotedOrSilent}`,
  'gm',
);

/** Lines one level deeper, but for those that begin within a text. */
const indented = (text: string): string =>
  text.replace(lineStart, (part, margin?: string) => (margin === undefined ? part : `    ${part}`));
