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
  Bits,
  expressionsOf,
  keyOf,
  mayBeSetBy,
  readsOf,
  setsOf,
  sourcesOf,
  spread,
} from '../link/flow.ts';
import { type Graph, graphOf, isLoop, reachedIn } from '../link/graph.ts';
import { type Report, warn } from '../report.ts';
import { variablesIn } from '../source/code.ts';

/** Variables by `keyOf`; `*` for any. */
type Keys = ReadonlySet<string>;

/** Of an agent. */
export interface Setters {
  /** What inputs and code may set. */
  readonly outside: Keys;
  readonly playbooks: ReadonlyMap<CompiledPlaybook, Keys>;
  /** How many playbooks may set each variable. */
  readonly counts: ReadonlyMap<string, number>;
}

const dollarName = /\$\p{XIDS}\p{XIDC}*/gu;

export function settersOf({ code, playbooks }: CompiledAgent, inputs: readonly string[]): Setters {
  const keysOf = ({ description, lines, mode, parameters }: CompiledPlaybook): Keys => {
    const inWords =
      mode === 'steps' ? [] : (description.replace(/\{[^{}]*\}/g, '').match(dollarName) ?? []);
    return new Set([
      ...[...parameters, ...flatLines(lines).flatMap(mayBeSetBy)].map(keyOf),
      ...inWords,
    ]);
  };
  const own = new Map(playbooks.map((playbook) => [playbook, keysOf(playbook)]));
  const counts = new Map<string, number>();
  for (const key of [...own.values()].flatMap((keys) => [...keys])) {
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const builtIn = ['$startup_message', '$shared_state', '$_'];
  const outside = [...inputs.map((name) => `$${name}`), ...builtIn, ...code.flatMap(variablesIn)];
  return { outside: new Set(outside), playbooks: own, counts };
}

export function checkVariables(playbook: CompiledPlaybook, setters: Setters, report: Report): void {
  const { counts, outside, playbooks } = setters;
  const own = playbooks.get(playbook) ?? new Set();
  const isElsewhere = (key: string): boolean => {
    const isOthers = (counts.get(key) ?? 0) > (own.has(key) ? 1 : 0);
    return outside.has(key) || (key.startsWith('$') && (isOthers || outside.has('*')));
  };
  checkTriggers(playbook, setters, report);
  checkAbout(playbook, setters, report);
  const graph = graphOf(playbook.lines);
  const { lines: reached } = reachedIn(graph);
  const told = new Set([
    ...playbook.parameters.map(keyOf),
    ...playbook.triggers.flatMap(({ names }) => names.map(keyOf)),
  ]);
  const ways = waysTo(graph);
  const heads = headsThatSet(graph);
  for (const line of graph.lines.values()) {
    if (!reached.has(line.number)) continue;
    for (const read of readsWithValues(line)) {
      const key = keyOf(read);
      if (told.has(key) || isElsewhere(key)) continue;
      const { isSet, isUnset } = ways(line.number, read);
      if (isSet && !isUnset) continue;
      // Under a condition of its own, a line may know better.
      if (isSet && !heads.get(key)?.has(headOf(line.number))) continue;
      told.add(key);
      const written = read.as.endsWith('_') ? `$${read.name}` : read.name;
      const details = { step: `${playbook.name}:${line.number}`, about: written };
      if (isSet) {
        const message = `got ${written}, which may be unset: some way to this line does not set it`;
        const hint = `set ${written} before, on each way`;
        warn(report, 'perhapsUnset', line.place, message, { ...details, hint });
      } else {
        const hint = hintFor(key, setters);
        const message = `got ${written}, which nothing has set before`;
        warn(report, 'unsetVariable', line.place, message, { ...details, ...hint });
      }
    }
  }
}

function hintFor(key: string, { counts, outside }: Setters): { readonly hint?: string } {
  const known = [...counts.keys(), ...outside].filter((one) => one !== key);
  const near = key.length > 3 ? nearest(key, known) : undefined;
  return near === undefined ? {} : { hint: `did you mean ${near}?` };
}

/** What has a value after a line, as far as anybody asks: what the rounds of a loop set, too. */
const knownAfter = (line: Line): readonly Variable[] => [
  ...setsOf(line),
  ...askedAt(line),
  ...(isLoop(line) ? flatLines(line.children).flatMap(setsOf) : []),
];

/** What the machine reads at a line and needs a value of. */
const readsWithValues = (line: Line): readonly VariableUse[] => {
  const asked = new Set(askedAt(line).map(keyOf));
  const reads = expressionsOf(line.does).flatMap((expression) => expression.reads);
  return reads.filter((read) => !asked.has(keyOf(read)));
};

/** What a condition asks whether it is set, so that its lines know. */
const askedAt = ({ does }: Line): readonly VariableUse[] =>
  does.is !== 'test' || !does.test
    ? []
    : does.test.reads.filter(({ as }) => {
        const asks = `\\b${as} [!=]= None|\\bnot ${as}(?! in\\b)\\b|^${as}$|\\b${as} (?:and|or)\\b`;
        return new RegExp(asks, 'u').test(does.test?.code ?? '');
      });

const headOf = (number: string): string => number.slice(0, Math.max(0, number.lastIndexOf('.')));

/** The numbers of the heads, and '' for the playbook, that have lines under them which set each. */
function headsThatSet({ lines }: Graph): ReadonlyMap<string, ReadonlySet<string>> {
  const heads = new Map<string, Set<string>>();
  for (const line of lines.values()) {
    for (const key of mayBeSetBy(line).map(keyOf)) {
      const known = heads.get(key) ?? new Set();
      heads.set(key, known);
      for (let head = line.number; head !== ''; ) {
        head = headOf(head);
        known.add(head);
      }
    }
  }
  return heads;
}

type Ways = (number: string, variable: Variable) => { isSet: boolean; isUnset: boolean };

/** Whether some way to a line may set a variable, and whether some way leaves it unset. */
function waysTo({ edges, first, lines }: Graph): Ways {
  const bits = new Bits();
  const sources = new Map(sourcesOf(edges));
  // Before the first line nothing is set.
  const begin = 'begin';
  sources.set(first, [begin, ...(sources.get(first) ?? [])]);
  const named = [...lines.values()].flatMap((line) => [...mayBeSetBy(line), ...readsOf(line)]);
  const all = bits.of(named);
  const changes = (
    of: (line: Line) => { readonly drops: bigint; readonly adds: bigint },
    adds: bigint,
  ) =>
    spread(
      [begin, ...lines.keys()],
      sources,
      new Map([
        [begin, { drops: 0n, adds }],
        ...[...lines].map(([number, line]) => [number, of(line)] as const),
      ]),
    );
  const set = changes((line) => ({ drops: 0n, adds: bits.of(mayBeSetBy(line)) }), 0n);
  // A model may set anything.
  const unset = changes(
    (line) => ({
      drops: isMachines(line) ? bits.of(knownAfter(line)) : all,
      adds: 0n,
    }),
    all,
  );
  return (number, variable) => {
    const bit = bits.of([variable]);
    const isIn = (after: ReadonlyMap<string, bigint>): boolean =>
      (sources.get(number) ?? []).some((source) => ((after.get(source) ?? 0n) & bit) !== 0n);
    return { isSet: isIn(set), isUnset: isIn(unset) };
  };
}

function checkTriggers(
  { name, triggers }: CompiledPlaybook,
  setters: Setters,
  report: Report,
): void {
  const { counts, outside } = setters;
  if (outside.has('*')) return;
  for (const { condition, id, names, place } of triggers) {
    const unset = names.map(keyOf).filter((key) => !counts.has(key) && !outside.has(key));
    const [first] = unset;
    const isOneEnough = condition === undefined || /\bor\b/.test(condition.code);
    if (first === undefined || (isOneEnough && unset.length < names.length)) continue;
    const message = `got a trigger on ${first}, which nothing sets: it can never fire`;
    const details = { step: `${name}:${id}`, about: first, ...hintFor(first, setters) };
    warn(report, 'deadTrigger', place, message, details);
  }
}

/** Variables that are filled into a description when the playbook starts. */
function checkAbout(
  { about = [], name, place }: CompiledPlaybook,
  setters: Setters,
  report: Report,
): void {
  const { counts, outside } = setters;
  const reads = about.flatMap((part) => (typeof part === 'string' ? [] : part.reads));
  for (const key of new Set(reads.map(keyOf))) {
    if (counts.has(key) || outside.has(key) || outside.has('*')) continue;
    const message = `got ${key} in a description, which nothing sets`;
    const details = { step: name, about: key, ...hintFor(key, setters) };
    warn(report, 'unsetVariable', place, message, details);
  }
}
