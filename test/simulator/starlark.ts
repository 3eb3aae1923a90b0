/**
 * Random programs in Starlark with everything that waits: calls of every class, fibers, attempts,
 * races, streams, questions, pauses, branches on results, changes of what was there before.
 */
import type { Chance } from './chance.ts';

const names = ['a', 'b', 'c'] as const;
const readers = ['read', 'read', 'steady', 'pure'] as const;
const tools = ['read', 'read', 'read', 'steady', 'pure', 'write', 'put', 'wipe'] as const;

export interface Style {
  /** What happens may depend on which of two things comes first. */
  readonly torn?: boolean;
  /** Tools whose calls are programs in their turn, and calls whose arguments are found first. */
  readonly nests?: boolean;
  /** Nothing is changed in the world. */
  readonly reads?: boolean;
  /** How many statements at most, beside those of functions. */
  readonly room?: number;
}

export function starlarkOf(chance: Chance, style: Style = {}): string {
  const { room = 7 } = style;
  const lines = ['memory = []'];
  for (let level = 0; level < 2; level++) {
    lines.push(`def f${level}(x):`, '    a, b, c = x, "b", "c"');
    lines.push(...block(chance, { level, indent: '    ', room: room >> 1, style }));
    lines.push('    return [a, b]');
  }
  lines.push('a, b, c = "a", "b", "c"', ...block(chance, { level: 2, indent: '', room, style }));
  lines.push('answer([a, b, c])');
  return lines.join('\n');
}

interface Place {
  /** How many of the functions may be called. */
  readonly level: number;
  readonly indent: string;
  /** How many statements at most. */
  readonly room: number;
  readonly style: Style;
}

function block(chance: Chance, place: Place): string[] {
  const lines = chance.list(place.room, () => statement(chance, place)).flat();
  return (lines.length === 0 ? ['c = a'] : lines).map((line) => `${place.indent}${line}`);
}

/** The lines of one statement, without the indent of their block. */
function statement(chance: Chance, { level, room, style }: Place): string[] {
  const { torn = false } = style;
  const into = chance.pick(names);
  const from = chance.pick(names);
  const inner = (): string[] => block(chance, { level, indent: '    ', room: room >> 1, style });
  const callee = level === 0 ? 'read' : `f${chance.below(level)}`;
  const argument = callee === 'read' ? `x = ${from}` : from;
  switch (chance.below(room > 1 ? 16 : 8)) {
    case 0:
    case 1:
    case 2:
      return [`${into} = ${toolOf(chance, style)}(x = ${from})`];
    case 3:
      return [`${into} = [${from}, ${chance.pick(names)}]`];
    case 4:
      if (style.nests) return [`${into} = llm_bind(${from}, "read(x)")`];
      return [`${into} = "%s and %s" % (${from}, ${chance.pick(names)})`];
    case 5:
      return [chance.flag(0.7) ? `print(${from})` : `answer(${from})`];
    case 6:
      if (chance.flag(0.6)) return [`memory.append(${from})`];
      return chance.flag(0.5)
        ? [`${into} = ask("What of %s?" % (${from},))`]
        : [`sleep(${chance.pick([0, 0.05, 30])})`];
    case 7:
      return [`t = try_call(read, x = ${from})`, `${into} = t.value if t.ok else t.error.message`];
    case 8:
      return [`${into} = parallel(${callee}, [${list(chance)}])`];
    case 9:
      return [`t = attempt(${callee}, ${argument})`, `${into} = t.value if t.ok else "lost"`];
    case 10:
    case 11:
      return race(chance, into, style);
    case 12:
    case 13:
      return stream(chance, from, inner(), torn);
    case 14:
      return [`for ${into} in [${list(chance)}]:`, ...inner()];
    default:
      return [`if "7" in str(${from}):`, ...inner(), 'else:', ...inner()];
  }
}

function toolOf(chance: Chance, { nests, reads }: Style): string {
  if (nests && chance.flag(0.4)) return reads ? 'peek' : chance.pick(['peek', 'nest', 'nest']);
  return chance.pick(reads ? readers : tools);
}

const list = (chance: Chance): string => chance.list(3, () => chance.pick(names)).join(', ');

/**
 * Only calls that never fail, or whose failure is a value: which of two failures is met depends on
 * time, as the winner does. So no argument is one that nobody has found.
 */
function race(chance: Chance, into: string, { torn, nests }: Style): string[] {
  const tool = torn ? 'read' : 'steady';
  const call = (): string => {
    const x = !nests && chance.flag(0.5) ? chance.pick(names) : `"k${chance.below(9)}"`;
    return chance.flag(0.2) ? `try_call(read, x = ${x})` : `${tool}(x = ${x})`;
  };
  const calls = [call(), ...chance.list(2, call)].join(', ');
  const timeout = chance.flag(0.4) ? `, timeout = ${chance.pick([0, 0.02, 1])}` : '';
  return [`t = first([${calls}]${timeout})`, `${into} = [t.index, str(t.value)] if t else "late"`];
}

/** A stream that is left early never fails: which comes first depends on time. */
function stream(chance: Chance, from: string, body: readonly string[], torn: boolean): string[] {
  const leave = chance.flag(0.5) ? ['    if "7" in part:', '        break'] : [];
  const tool = leave.length > 0 && !torn ? 'flow' : 'feed';
  const take = chance.pick(['    print(part)', '    b = part', '    memory.append(part)']);
  return [`for part in stream(${tool}, x = ${from}):`, take, ...leave, ...body];
}
