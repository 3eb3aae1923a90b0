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
import { expressionsIn, followedMax, keyOf, linesBy, mayBeSetBy, setsOf } from '../link/flow.ts';
import { type Graph, isLoop, targetsIn, walk } from '../link/graph.ts';
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
  const { graph, playbook, reached, report } = checks;
  const { about, name, parameters, place, triggers } = playbook;
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
  const done = new Set([
    ...parameters.map((parameter) => parameter.name),
    ...triggers.flatMap(({ names }) => names.map(keyOf)),
  ]);
  const waysOf = waysIn(graph);
  for (const line of graph.lines.values()) {
    if (!reached.has(line.number)) continue;
    for (const read of valuesReadAt(line)) {
      const key = keyOf(read);
      if (done.has(key) || isSetElsewhere(key, playbook, setters)) continue;
      const ways = waysOf(key);
      const isSet = ways.set.has(line.number);
      // Under a condition of its own, a line may know better.
      const isSure = !ways.unset.has(line.number) || !ways.heads.has(headsOf(line.number).at(-1));
      if (isSet && isSure) continue;
      done.add(key);
      const written = read.as.endsWith('_') ? `$${read.name}` : read.name;
      const details = { step: `${name}:${line.number}` };
      if (isSet) {
        const message = `got ${written}, which may be unset: some way to this line does not set it`;
        const hint = `set ${written} before, on each way`;
        warn(report, 'perhapsUnset', line.place, message, { ...details, hint });
      } else {
        const message = `got ${written}, which nothing has set before`;
        warn(report, 'unsetVariable', line.place, message, { ...known(key), ...details });
      }
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

interface Ways {
  /** The lines that a variable may have been set before. */
  readonly set: ReadonlySet<string>;
  /** The lines that some way comes to without setting it. */
  readonly unset: ReadonlySet<string>;
  /** The heads of the lines that may set it. */
  readonly heads: ReadonlySet<string | undefined>;
}

const nowhere: Ways = { set: new Set(), unset: new Set(), heads: new Set() };

/** By the key of a variable. Of too many variables, the others count as set on each way. */
function waysIn(graph: Graph): (key: string) => Ways {
  const targets = targetsIn(graph);
  const settingLines = linesBy(graph, mayBeSetBy);
  const knowingLines = linesBy(graph, knownAfter);
  const everywhere = { ...nowhere, set: new Set(graph.lines.keys()) };
  const followed = new Map<string, Ways>();
  return (key) => {
    const known = followed.get(key);
    const lines = settingLines.get(key);
    if (known || !lines) return known ?? nowhere;
    if (followed.size === followedMax) return everywhere;
    const setting = [...lines];
    // A model may set anything.
    const isLeftUnset = (number: string): boolean => {
      const line = graph.lines.get(number);
      return line !== undefined && isMachines(line) && !knowingLines.get(key)?.has(number);
    };
    const ways = {
      set: walk(setting.flatMap(targets), targets),
      unset: walk([graph.first], (number) => (isLeftUnset(number) ? targets(number) : [])),
      heads: new Set(setting.flatMap(headsOf)),
    };
    followed.set(key, ways);
    return ways;
  };
}
