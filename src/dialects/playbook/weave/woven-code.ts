/**
 * The code of an agent's blocks as one function, which is called once for each agent and gives
 * their functions: they see its variables as `state`, and call its playbooks by their names. In
 * whose frame they are called just now, `here` says.
 */
import { mark, markEnd } from '../../starlark/compile/line-marks.ts';
import { plan } from '../../starlark/parse/options.ts';
import { parse } from '../../starlark/parse/parser.ts';
import type { LinkedAgent } from '../compiled/linked.ts';
import { placeIn } from '../source/code.ts';
import type { CodeBlock, Place } from '../source/tree.ts';
import { literal } from '../text/literal.ts';

export const blockFunction =
  (agents: readonly LinkedAgent[], file = '') =>
  (agent: LinkedAgent): string => {
    const { name, code } = agent;
    // What stands around the code has no place in the file.
    const around = file === '' ? [] : [mark(file, 0, 0)];
    const own = code.flatMap(({ text }) => definedIn(text));
    const isMaking = isAmongOthers(agents) && !own.includes('CreateAgent');
    const called = isMaking ? [...own, 'CreateAgent'] : own;
    const lines = [
      ...around,
      `def _code_of_${name}(here):`,
      '    state = variables(here["frame"], "state")',
      '    attempt = lambda f, *args, **named: attempted(f, args, named, here)',
      '    Say = lambda to, text = None: say_from_code(to, text, here["frame"])',
      ...(isMaking ? [`    ${creating}`] : []),
      ...stubs(agent, agents, new Set(own)).map((line) => `    ${line}`),
      ...code.flatMap((block) => [...placedLines(block, file), ...around]),
      `    return {${called.map((one) => `${literal(one)}: ${one}`).join(', ')}}`,
      ...(file === '' ? [] : [markEnd]),
    ];
    return lines.join('\n');
  };

/** The lines of a block, with a mark where they do not follow each other in their file. */
function placedLines(block: CodeBlock, file: string): string[] {
  const text = indented(block.text);
  if (file === '') return [text];
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
  ...['play_from_code', 'say_from_code', 'create_agent', 'variables', 'attempted'],
];

const creating =
  'CreateAgent = lambda like, name = None, **state: create_agent(like, name, state, here["frame"])';

const isAmongOthers = (agents: readonly LinkedAgent[]): boolean =>
  agents.filter(({ kind }) => kind === 'ai').length > 1;

/** The code of an agent alone. */
export const blockText = (agent: LinkedAgent, agents: readonly LinkedAgent[]): string =>
  blockFunction(agents)(agent);

/** Where in the Markdown a place of `blockText` is; line 0 for what was put around the code. */
export function placeInBlock({ code }: LinkedAgent, woven: string, { line, column }: Place): Place {
  for (const block of code) {
    const { text } = block;
    const at = woven.indexOf(indented(text));
    const first = woven.slice(0, at).split('\n').length;
    const behind = line - first;
    if (at >= 0 && behind >= 0 && behind < text.split('\n').length) {
      return placeIn(block, behind, Math.max(1, column - 4));
    }
  }
  return { line: 0, column: 0 };
}

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

/** Functions that others may call. */
export function definedIn(text: string): string[] {
  const body = parse(text, plan).file?.body ?? [];
  return body.flatMap((statement) =>
    statement.kind === 'def' && !statement.name.name.startsWith('_') ? [statement.name.name] : [],
  );
}

/** Lines one level deeper, but for those that begin within a text. */
function indented(text: string): string {
  let within = '';
  return text
    .split('\n')
    .map((line) => {
      const shown = within !== '' || line.trim() === '' ? line : `    ${line}`;
      within = quoteBehind(line, within);
      return shown;
    })
    .join('\n');
}

/** The quotes of a long text that is open at the end of a line; empty for none. */
function quoteBehind(line: string, before: string): string {
  let open = before;
  for (let at = 0; at < line.length; at++) {
    const three = line.slice(at, at + 3);
    if (open !== '') {
      if (line[at] === '\\') at++;
      else if (line.startsWith(open, at)) {
        at += open.length - 1;
        open = '';
      }
    } else if (line[at] === '#') break;
    else if (three === '"""' || three === "'''") {
      open = three;
      at += 2;
    } else if (line[at] === '"' || line[at] === "'") open = line[at] ?? '';
  }
  return open.length === 3 ? open : '';
}
