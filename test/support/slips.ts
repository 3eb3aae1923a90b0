/** What models get wrong in replies that are an operation a line: one slip, chosen by a number. */
type Op = Readonly<Record<string, unknown>>;

/** Numbers from 0 up to less than 1. */
export type Random = () => number;

type Slip = (ops: readonly Op[], random: Random) => readonly Op[];

const oneOf = <T>(all: readonly T[], random: Random): T => {
  const found = all[Math.floor(random() * all.length)];
  if (found === undefined) throw new RangeError('there is nothing to choose from');
  return found;
};

/** Puts something else for an operation of that kind; nothing where there is none. */
const instead =
  (kind: string, change: (op: Op, random: Random) => Op): Slip =>
  (ops, random) => {
    const places = ops.flatMap((op, at) => (kind in op ? [at] : []));
    if (places.length === 0) return ops;
    const at = oneOf(places, random);
    return ops.map((op, index) => (index === at ? change(op, random) : op));
  };

const anywhere = (ops: readonly Op[], random: Random): number => Math.floor(random() * ops.length);

const extras: readonly Op[] = [
  { call: 'take', args: [99] },
  { call: 'look', args: [99] },
  { set: { a: 42 } },
  { say: 'aside' },
  { return: 5 },
  { yield: 'call' },
  { yield: 'user' },
  { think: 'so' },
];

const slips: Readonly<Record<string, Slip>> = {
  'an operation is left out': (ops, random) => {
    const at = anywhere(ops, random);
    return ops.filter((_, index) => index !== at);
  },
  'several are left out': (ops, random) => ops.filter(() => random() > 0.3),
  'one is written twice': (ops, random) => {
    const at = anywhere(ops, random);
    return ops.flatMap((op, index) => (index === at ? [op, op] : [op]));
  },
  'two are in the wrong order': (ops, random) => {
    const at = anywhere(ops, random);
    return [...ops.slice(0, at), ...ops.slice(at, at + 2).reverse(), ...ops.slice(at + 2)];
  },
  'all are in any order': (ops, random) =>
    ops
      .map((op) => [random(), op] as const)
      .toSorted(([one], [other]) => one - other)
      .map(([, op]) => op),
  'lines are left out, or come again': (ops, random) => {
    const [from, to] = [anywhere(ops, random), anywhere(ops, random)];
    return [...ops.slice(0, from), ...ops.slice(to)];
  },
  'it ends early': (ops, random) => [
    ...ops.slice(0, anywhere(ops, random)),
    oneOf<Op>([{ return: null }, { yield: 'call' }, { yield: 'user' }], random),
  ],
  'there is more': (ops, random) => {
    const at = anywhere(ops, random);
    return [...ops.slice(0, at), oneOf(extras, random), ...ops.slice(at)];
  },
  'another line is named': instead('step', (_, random) => ({
    step: oneOf(['01', '02', '03', '03.01', '07', '99', 'x'], random),
  })),
  'something else is called': instead('call', (op, random) => ({
    ...op,
    call: oneOf(['take', 'look', 'Outer', 'Inner', 'Main', 'Nothing'], random),
  })),
  'it is called with something else': instead('call', (op, random) => ({
    ...op,
    args: oneOf([[], [1], ['$a'], ['x', 'y'], [1, 2, 3]], random),
  })),
  'something else is set': instead('set', (_, random) => ({
    set: { [oneOf(['a', 'b', 'c', 'm', 'i', 'new'], random)]: oneOf([1, 'x', null, '$a'], random) },
  })),
  // What is to be said in words of its own is its model's.
  'something else is said': instead('say', (op, random) =>
    String(op.say).startsWith('Ask ') ? op : { say: oneOf(['hello', '', '$a'], random) },
  ),
};

const written = (ops: readonly Op[]): string => ops.map((op) => JSON.stringify(op)).join('\n');

/** The reply with a slip, and which. */
export function slipped(
  reply: string,
  random: Random,
): { readonly slip: string; readonly text: string } {
  if (random() < 0.1) {
    return { slip: 'it is cut off', text: reply.slice(0, Math.floor(random() * reply.length)) };
  }
  const [slip, change] = oneOf(Object.entries(slips), random);
  return {
    slip,
    text: written(
      change(
        reply.split('\n').map((one) => JSON.parse(one)),
        random,
      ),
    ),
  };
}
