/**
 * Variables that are read where nothing has set them, on some way or on all, and triggers on what
 * nothing sets. A model's line may set anything, and what it names has perhaps a value.
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
  expressionsOf,
  type Keys,
  keyOf,
  mayBeSetBy,
  setsOf,
  sourcesOf,
  spread,
} from '../link/flow.ts';
import { type Graph, graphOf, reachedIn } from '../link/graph.ts';
import { type Report, warn } from '../report.ts';
import { setIn } from '../source/code.ts';

/** What may set the variables of an agent, as keys; `*` for any. */
export interface Setters {
  /** By everything but its playbooks. */
  readonly outside: Keys;
  readonly playbooks: ReadonlyMap<CompiledPlaybook, Keys>;
}

export const settersOf = (
  { code, playbooks }: CompiledAgent,
  inputs: readonly string[],
): Setters => ({
  outside: new Set([
    ...inputs.map((name) => `$${name}`),
    ...['$startup_message', '$shared_state', '$_'],
    ...code.flatMap(setIn),
  ]),
  playbooks: new Map(
    playbooks.map((playbook) => {
      const inWords = playbook.mode === 'steps' ? [] : wordsWithDollar(playbook.description);
      const named = [...playbook.parameters, ...flatLines(playbook.lines).flatMap(mayBeSetBy)];
      return [playbook, new Set([...named.map(keyOf), ...inWords])];
    }),
  ),
});

const wordsWithDollar = (text: string): string[] => text.match(/\$\p{XIDS}\p{XIDC}*/gu) ?? [];

export function checkVariables(
  playbook: CompiledPlaybook,
  { outside, playbooks }: Setters,
  report: Report,
): void {
  const others = [...playbooks]
    .filter(([other]) => other !== playbook)
    .flatMap(([, keys]) => [...keys]);
  const elsewhere = new Set([...outside, ...others.filter((key) => key.startsWith('$'))]);
  const own = playbooks.get(playbook) ?? new Set();
  checkTriggers(playbook, new Set([...elsewhere, ...own]), report);
  const graph = graphOf(playbook.lines);
  const { lines: reached } = reachedIn(graph);
  const start = new Set([
    ...playbook.parameters.map(keyOf),
    ...playbook.triggers.flatMap(({ names }) => names.map(keyOf)),
  ]);
  const ways = waysTo(graph, new Set([...own].filter((key) => !start.has(key))));
  const told = new Set<string>();
  const isElsewhere = (key: string): boolean =>
    elsewhere.has(key) || (elsewhere.has('*') && key.startsWith('$'));
  for (const line of graph.lines.values()) {
    if (!reached.has(line.number)) continue;
    for (const { key, read } of readsWithValues(line)) {
      if (told.has(key) || start.has(key) || isElsewhere(key)) continue;
      const isSet = ways.someSet(line.number, key);
      if (isSet && !ways.someUnset(line.number, key)) continue;
      told.add(key);
      const written = read.as.endsWith('_') ? `$${read.name}` : read.name;
      const step = `${playbook.name}:${line.number}`;
      if (isSet) {
        const message = `got ${written}, which may be unset: some way to this line does not set it`;
        const hint = `set ${written} before, on each way`;
        warn(report, 'perhapsUnset', line.place, message, { step, hint, about: written });
      } else {
        const near = nearest(
          key,
          [...own, ...elsewhere].filter((one) => one !== key),
        );
        const hint = near !== undefined && key.length > 3 ? { hint: `did you mean ${near}?` } : {};
        const message = `got ${written}, which nothing has set before`;
        warn(report, 'unsetVariable', line.place, message, { step, ...hint, about: written });
      }
    }
  }
}

/** What the machine reads at a line and needs a value of: not what it asks whether it is set. */
function readsWithValues({ does }: Line): { key: string; read: VariableUse }[] {
  const isTest = does.is === 'test';
  return expressionsOf(does).flatMap(({ code, reads }) =>
    reads.flatMap((read) => {
      const whetherSet = new RegExp(
        `\\b${read.as} [!=]= None|\\bnot ${read.as}\\b|^${read.as}$`,
        'u',
      );
      return isTest && whetherSet.test(code) ? [] : [{ key: keyOf(read), read }];
    }),
  );
}

interface Ways {
  someSet(number: string, key: string): boolean;
  someUnset(number: string, key: string): boolean;
}

/** Whether some way to a line may set a variable, and whether some way leaves it without a value. */
function waysTo(graph: Graph, keys: Keys): Ways {
  const { edges, first, lines } = graph;
  const sources = sourcesOf(edges);
  const order = [...lines.keys()];
  const through = (of: (line: Line, before: Keys) => Keys, atStart: Keys) =>
    spread(order, sources, (number, known) => {
      const line = lines.get(number);
      const before = number === first ? new Set([...known, ...atStart]) : known;
      return line ? of(line, before) : before;
    });
  const set = through((line, before) => new Set([...before, ...mayBeSetBy(line).map(keyOf)]), none);
  const unset = through((line, before) => {
    // A model may set anything.
    if (!isMachines(line)) return none;
    const sure = new Set(setsOf(line).map(keyOf));
    return new Set([...before].filter((key) => !sure.has(key)));
  }, keys);
  const isIn = (sets: ReadonlyMap<string, Keys>, number: string, key: string): boolean =>
    (sources.get(number) ?? []).some((source) => sets.get(source)?.has(key));
  return {
    someSet: (number, key) => isIn(set, number, key),
    someUnset: (number, key) => (number === first && keys.has(key)) || isIn(unset, number, key),
  };
}

const none: Keys = new Set();

function checkTriggers({ name, triggers }: CompiledPlaybook, set: Keys, report: Report): void {
  if (set.has('*')) return;
  for (const { condition, id, names, place } of triggers) {
    const unset = names.map((one: Variable) => keyOf(one)).filter((key) => !set.has(key));
    const [first] = unset;
    const isOneEnough = condition === undefined || /\bor\b/.test(condition.code);
    if (first === undefined || (isOneEnough && unset.length < names.length)) continue;
    const near = first.length > 3 ? nearest(first, set) : undefined;
    const hint = near === undefined ? {} : { hint: `did you mean ${near}?` };
    const message = `got a trigger on ${first}, which nothing sets: it can never fire`;
    warn(report, 'deadTrigger', place, message, { step: `${name}:${id}`, about: first, ...hint });
  }
}
