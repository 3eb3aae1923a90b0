/**
 * Variables that are read where nothing has set them, on some way or on all, and triggers on what
 * nothing sets. A model's line may set anything, and what it names perhaps has a value.
 */
import { nearest } from '../../../program/diagnostic.ts';
import {
  type CompiledAgent,
  type CompiledPlaybook,
  flatLines,
  isMachines,
  type Line,
  type Variable,
  type VariableUse,
} from '../compiled.ts';
import {
  expressionsIn,
  followedMax,
  keyOf,
  linesBy,
  mayBeSetBy,
  setsOf,
  writtenIn,
} from '../link/flow.ts';
import { isLoop, targetsIn, walk } from '../link/graph.ts';
import { type Details, warn } from '../report.ts';
import { variablesIn } from '../source/code.ts';
import type { LineChecks } from './lines.ts';

/** What may set the variables of an agent, by `keyOf`. */
export interface Setters {
  /** Those that inputs and code may set; `*` for any. */
  readonly outside: ReadonlySet<string>;
  readonly playbooks: ReadonlyMap<string, ReadonlySet<CompiledPlaybook>>;
}

const dollarName = /\$\p{XIDS}\p{XIDC}*/gu;

export function settersOf({ code, playbooks }: CompiledAgent, inputs: readonly string[]): Setters {
  const setters = new Map<string, Set<CompiledPlaybook>>();
  for (const playbook of playbooks) {
    const { description, lines, mode, parameters } = playbook;
    const inLines = flatLines(lines).flatMap(mayBeSetBy).map(keyOf);
    const keys = [...parameters.map((parameter) => parameter.name), ...inLines];
    const words = mode === 'steps' ? '' : description.replace(/\{[^{}]*\}/g, '');
    for (const key of [...keys, ...(words.match(dollarName) ?? [])]) {
      setters.set(key, (setters.get(key) ?? new Set()).add(playbook));
    }
  }
  const builtIn = ['$startup_message', '$shared_state'];
  const outside = [...inputs.map((name) => `$${name}`), ...builtIn, ...code.flatMap(variablesIn)];
  return { outside: new Set(outside), playbooks: setters };
}

export function checkVariables(checks: LineChecks, setters: Setters): void {
  const { playbook, report } = checks;
  const { about, name, place, triggers } = playbook;
  const known = (key: string): Details => hintFor(key, setters);
  const isNeverSet = (key: string): boolean =>
    !setters.playbooks.has(key) && !setters.outside.has(key) && !setters.outside.has('*');
  for (const { condition, id, names, place: at } of triggers) {
    const keys = names.map(keyOf);
    const [unset] = keys.filter(isNeverSet);
    const isOneEnough = condition === undefined || /\bor\b/.test(condition.code);
    if (unset === undefined || (isOneEnough && !keys.every(isNeverSet))) continue;
    const message = `got a trigger on ${unset}, which nothing sets: it can never fire`;
    warn(report, 'deadTrigger', at, message, { ...known(unset), step: `${name}:${id}` });
  }
  const filledIn = expressionsIn(about).flatMap(({ reads }) => reads.map(keyOf));
  for (const key of new Set(filledIn.filter(isNeverSet))) {
    const message = `got ${key} in a description, which nothing sets`;
    warn(report, 'unsetVariable', place, message, { ...known(key), step: name });
  }
  checkReads(checks, setters);
}

/** Variables that the machine reads where some way, or each, has not set them. */
function checkReads({ graph, playbook, reached, report }: LineChecks, setters: Setters): void {
  const { parameters, triggers } = playbook;
  const given = new Set([
    ...parameters.map((parameter) => parameter.name),
    ...triggers.flatMap(({ names }) => names.map(keyOf)),
  ]);
  const written = writtenIn(graph.lines.values());
  const targets = targetsIn(graph);
  const settingLines = linesBy(graph, mayBeSetBy);
  const knowingLines = linesBy(graph, knownAfter);
  for (const [key, readers] of [...linesBy(graph, valuesReadAt)].slice(0, followedMax)) {
    if (given.has(key) || isSetElsewhere(key, playbook, setters)) continue;
    const setting = [...(settingLines.get(key) ?? [])];
    // A model may set anything.
    const isLeftUnset = (number: string): boolean => {
      const line = graph.lines.get(number);
      return line !== undefined && isMachines(line) && !knowingLines.get(key)?.has(number);
    };
    const set = walk(setting.flatMap(targets), targets);
    const unset = walk([graph.first], (at) => (isLeftUnset(at) ? targets(at) : []));
    // Under a condition of its own, a line may know better.
    const heads = new Set(setting.flatMap(headsOf));
    const isInDoubt = (number: string): boolean =>
      !set.has(number) || (unset.has(number) && heads.has(headsOf(number).at(-1) ?? ''));
    const number = [...readers].find((at) => reached.has(at) && isInDoubt(at));
    const line = graph.lines.get(number ?? '');
    if (!line) continue;
    const name = written(key);
    const step = `${playbook.name}:${line.number}`;
    if (set.has(line.number)) {
      const message = `got ${name}, which may be unset: some way to this line does not set it`;
      warn(report, 'perhapsUnset', line.place, message, {
        step,
        hint: `set ${name} before, on each way`,
      });
    } else {
      const message = `got ${name}, which nothing has set before`;
      warn(report, 'unsetVariable', line.place, message, { ...hintFor(key, setters), step });
    }
  }
}

function isSetElsewhere(key: string, own: CompiledPlaybook, setters: Setters): boolean {
  const { outside, playbooks } = setters;
  const settingIt = playbooks.get(key);
  const isOthers = (settingIt?.size ?? 0) > (settingIt?.has(own) ? 1 : 0);
  return outside.has(key) || (key.startsWith('$') && (isOthers || outside.has('*')));
}

const hintFor = (key: string, { outside, playbooks }: Setters): Details => ({
  hint: () => {
    const known = [...playbooks.keys(), ...outside].filter((other) => other !== key);
    const near = key.length > 3 ? nearest(key, known) : undefined;
    return near === undefined ? undefined : `did you mean ${near}?`;
  },
});

/** What has a value after a line, as far as anybody asks: what the rounds of a loop set, too. */
const knownAfter = (line: Line): readonly Variable[] => [
  ...setsOf(line),
  ...askedAt(line),
  ...(isLoop(line) ? flatLines(line.children).flatMap(setsOf) : []),
];

/** What the machine reads at a line and needs a value of. */
function valuesReadAt(line: Line): readonly VariableUse[] {
  const asked = new Set(askedAt(line).map(keyOf));
  const reads = expressionsIn(line.does).flatMap((expression) => expression.reads);
  return reads.filter((read) => !asked.has(keyOf(read)));
}

/** What a condition asks whether it is set, so that its lines know. */
function askedAt({ does }: Line): readonly VariableUse[] {
  const { code, reads } = (does.is === 'test' && does.test) || { code: '', reads: [] };
  return reads.filter(({ as }) => {
    const asks = `\\b${as} [!=]= None|\\bnot ${as}(?! in\\b)\\b|^${as}$|\\b${as} (?:and|or)\\b`;
    return new RegExp(asks, 'u').test(code);
  });
}

/** The numbers of the lines that a line stands under, outermost first; '' for the playbook. */
const headsOf = (number: string): string[] =>
  number.split('.').map((_, depth, parts) => parts.slice(0, depth).join('.'));
