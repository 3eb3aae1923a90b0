/**
 * The front end of the compiler: lines become numbered lines that are formal or open, triggers and
 * notes. The same file gives the same lines, always.
 */
import type { ToolSpec } from '../../../program/effect.ts';
import { namePattern } from '../../../program/name.ts';
import {
  type CompiledAgent,
  type CompiledFile,
  type CompiledPlaybook,
  type Expression,
  flatLines,
  type Line,
  type Note,
  type Template,
  type Trigger,
  type TriggerCode,
  type Variable,
} from '../compiled.ts';
import { clockOf, eventOf } from '../grammar/clock.ts';
import { expressionIn, readTemplate } from '../grammar/expression.ts';
import { formOf, type LineNames, variableOf } from '../grammar/forms.ts';
import { isKeyword, slotsOf } from '../grammar/keywords.ts';
import { spaced, straightened } from '../grammar/text.ts';
import type { PlaybookFile, SourceLine } from '../source/tree.ts';
import { dollarNames, namesOf } from './names.ts';

/** `tools` are those that lines may call, beside what the file has itself. */
export function compilePlaybooks(
  file: PlaybookFile,
  tools: Iterable<ToolSpec | string> = [],
): CompiledFile {
  const known = [...tools];
  const agents = file.agents.map((agent) => ({
    ...agent,
    playbooks: agent.playbooks.map(({ steps, ...playbook }) => ({ ...playbook, lines: steps })),
  }));
  const compiled = agents.map((agent): CompiledAgent => {
    const agentNames = namesOf(agent, agents, known);
    const playbooks = agent.playbooks.map((playbook): CompiledPlaybook => {
      const names = agentNames(playbook);
      const about = descriptionOf(playbook.description, names);
      const lines = playbook.mode === 'steps' ? playbook.lines : [];
      return {
        ...playbook,
        ...(about.some((part) => typeof part !== 'string') && { about }),
        triggers: itemsOf(playbook.triggers).map((line, at) => triggerOf(line, at, names)),
        lines: linesOf(lines, names, '', false),
        notes: itemsOf(playbook.notes).map(noteOf),
      };
    });
    return { ...agent, playbooks };
  });
  return { ...file, agents: compiled };
}

/** Triggers and notes have no blocks: what stands under one is one itself. */
const itemsOf = (lines: readonly SourceLine[]): SourceLine[] =>
  flatLines(lines).filter(({ block, text }) => text !== '' || block !== undefined);

function noteOf({ text, block, place }: SourceLine, at: number): Note {
  const [, id, rest = ''] = /^(N\d+)(?::?\s([\s\S]*))?$/.exec(text) ?? [];
  const note = id === undefined ? { id: `N${at + 1}`, text, place } : { id, text: rest, place };
  return block === undefined ? note : { ...note, block };
}

/** A description with its placeholders, as far as they can be computed. */
const descriptionOf = (text: string, names: LineNames): Template =>
  text.split(/(\{[^{}]*\})/).flatMap((part) => {
    const read = part.startsWith('{') ? readTemplate(part, names) : [part];
    return 'why' in read ? [part] : read;
  });

/** `before` is the number of the line around, with a dot. */
function linesOf(
  lines: readonly SourceLine[],
  names: LineNames,
  before: string,
  isInLoop: boolean,
): Line[] {
  const compiled: Line[] = [];
  for (const [at, { block, children, place, text }] of lines.entries()) {
    const number = `${before}${String(at + 1).padStart(2, '0')}`;
    const hasBlock = block !== undefined;
    const form = formOf(text, { isHead: children.length > 0, hasBlock, isInLoop }, names);
    const { code, does, inline } = isStray(form.does, compiled.at(-1)) ? openForm : form;
    const isLoop = does.is === 'each' || (does.is === 'test' && code === 'LOP');
    const under = inline ? [{ text: inline.line, place, children: [] }] : children;
    compiled.push({
      ...{ number, code, text: inline?.head ?? text, does, place },
      names: namesIn(text, block, names),
      ...(hasBlock && { block }),
      children: linesOf(under, names, `${number}.`, isInLoop || isLoop),
    });
  }
  return compiled;
}

const openForm: ReturnType<typeof formOf> = { does: { is: 'open' }, code: 'EXE' };

/** Another case after a head that is open: the model decides both. */
const isStray = (does: Line['does'], last: Line | undefined): boolean =>
  does.is === 'test' &&
  (does.kind === 'elif' || does.kind === 'else') &&
  last?.does.is === 'open' &&
  last.children.length > 0;

const word = new RegExp(String.raw`(?<![\p{XIDC}$.])${namePattern}`, 'gu');

/** The variables that a line names, in words or not: `$x`, and `x` where it is a variable. */
function namesIn(text: string, block = '', names: LineNames): Variable[] {
  const local = [text, ...(block.match(/\{[^{}"':;\n]*\}/g) ?? [])]
    .flatMap((part) => part.match(word) ?? [])
    .filter(names.isLocal);
  const all = [...dollarNames(`${text}\n${block}`).map((name) => `$${name}`), ...local];
  return [...new Set(all)].map((written) => variableOf(written, names));
}

/** `T1:CND When …`; as it used to be `01:CND When …`. */
const triggerForm = /^(?:`?(T?\d+)`?\s*:\s*)?(BGN|CND|EVT)\b:?([\s\S]*)$/i;

/** Characters of a trigger beyond which it is only a condition in words. */
const triggerMax = 500;

/** A trigger is about variables of the agent. */
function triggerOf({ place, text: written }: SourceLine, at: number, names: LineNames): Trigger {
  const [, , said, rest = written] = triggerForm.exec(written.trim()) ?? [];
  const text = rest.trim();
  const shared: LineNames = { ...names, scopeOfDollar: () => 'state' };
  const isShort = text.length <= triggerMax;
  const bare = isShort ? spaced(straightened(text)).replace(/\s?[.!]$/, '') : '';
  const clock = clockOf(text);
  const event = eventOf(text);
  const code = said?.toUpperCase() ?? (isBeginning(bare) ? 'BGN' : event || clock ? 'EVT' : 'CND');
  const condition = code === 'CND' ? conditionIn(bare, shared) : undefined;
  return {
    ...{ id: `T${at + 1}`, code: code as TriggerCode, text, place },
    names: [...new Set(dollarNames(text))].map((name) => variableOf(`$${name}`, shared)),
    ...(condition && { condition }),
    ...(clock && { clock }),
    ...(event !== undefined && { event }),
  };
}

const isBeginning = (text: string): boolean =>
  isKeyword('begins', text) || isKeyword('run', slotsOf('begun', text)?.[0] ?? '');

/**
 * An expression over variables of the agent, without calls of its own functions. What has no value
 * yet makes nothing true: only what compares with `None` says so itself.
 */
function conditionIn(text: string, names: LineNames): Expression | undefined {
  const [condition = text] = slotsOf('condition', text) ?? [];
  const expression = expressionIn(condition, names);
  const { calls = [], code = '', reads = [] } = expression ?? {};
  const isOfAgent = reads.length > 0 && reads.every(({ as, name }) => as === `${name}_`);
  if (!expression || !isOfAgent || calls.length > 0) return undefined;
  if (/(?<!\p{XIDC})None(?!\p{XIDC})/u.test(code)) return expression;
  const isSet = reads.map(({ as }) => `${as} != None`).join(' and ');
  return { ...expression, code: `${isSet} and (${code})` };
}

/** How many lines are forms, and how many are in words as a whole. */
export function countLines({ agents }: CompiledFile): {
  readonly formal: number;
  readonly open: number;
} {
  const lines = agents.flatMap(({ playbooks }) => playbooks.flatMap((one) => flatLines(one.lines)));
  const open = lines.filter(({ does }) => does.is === 'open').length;
  return { formal: lines.length - open, open };
}
