/** What a model does in a turn, written in each of the forms that replies of models have had. */

export interface Op {
  readonly step?: string;
  readonly set?: Readonly<Record<string, unknown>>;
  readonly call?: string;
  readonly args?: Readonly<Record<string, unknown>>;
  readonly into?: string;
  readonly say?: string;
  /** Whom it says it to, where that is another agent. */
  readonly to?: string;
  /** `call`, `user`, `agent` or `exit`. */
  readonly yield?: string;
  readonly return?: unknown;
}

/** The operations of one reply, and the playbook that they are of. */
export interface Turn {
  readonly of: string;
  readonly ops: readonly Op[];
  /** A trigger ends it: what comes behind is never done. */
  readonly isCutByTrigger?: true;
  /** Nobody comes back to mend it and finds all the same: what it calls ends the program. */
  readonly isLast?: true;
  /** Its playbook has no lines that it could be held to. */
  readonly isFree?: true;
}

/** Which names an agent shares: those that the program writes with a dollar. */
type Written = (name: string) => string;

export type Form = (turn: Turn, program: string) => string;

export const jsonLines: Form = ({ ops }) => ops.map((op) => JSON.stringify(op)).join('\n');

const waits: Readonly<Record<string, string>> = {
  call: 'ForCallComplete',
  user: 'ForUserInput',
  agent: 'for agent',
  exit: 'exit',
};

/** Lines with what is done at them, as traces have it. */
function traced({ of, ops }: Turn): readonly [string, object[]][] {
  const found: [string, object[]][] = [];
  let line: object[] | undefined;
  for (const { step, set, call, args, into, say, to, ...end } of ops) {
    if (step !== undefined || !line) {
      line = [];
      found.push([step === undefined ? 'prologue' : `${of}:${step}:EXE`, line]);
    }
    if (set) line.push({ updated_vars: set });
    if (call !== undefined) line.push({ call: { fn: call, args: [], kwargs: args ?? {} }, into });
    if (say !== undefined)
      line.push({ call: { fn: 'Say', args: to ? [to, say] : [say], kwargs: {} } });
    if (end.yield) line.push({ yield_type: waits[end.yield] });
    if ('return' in end) line.push({ return: end.return });
  }
  return found;
}

const trace: Form = (turn) => {
  const items = traced(turn).flatMap(([key, acts]) =>
    key === 'prologue' ? acts : [{ [key]: acts }],
  );
  return `\`\`\`json\n${JSON.stringify({ trace: items }, null, 1)}\n\`\`\``;
};

const yamlTrace: Form = (turn) => {
  const lines = traced(turn).flatMap(([key, acts]) => {
    const written = acts.map((act) => JSON.stringify(act));
    if (key === 'prologue') return written.map((act) => `  - ${act}`);
    if (acts.length === 0) return [`  - ${key}: []`];
    return [`  - ${key}:`, ...written.map((act) => `    - ${act}`)];
  });
  return `\`\`\`yaml\ntrace:\n${lines.join('\n')}\n\`\`\``;
};

/** A value in the manner of Python; `$x` alone is a variable. */
function literal(value: unknown, name: Written): string {
  if (value === null || value === undefined) return 'None';
  if (value === true) return 'True';
  if (value === false) return 'False';
  if (Array.isArray(value)) return `[${value.map((one) => literal(one, name)).join(', ')}]`;
  if (typeof value === 'object') {
    const items = Object.entries(value).map(
      ([key, one]) => `${JSON.stringify(key)}: ${literal(one, name)}`,
    );
    return `{${items.join(', ')}}`;
  }
  const [, variable] = /^\$(\w+)$/.exec(String(value)) ?? [];
  return variable === undefined ? JSON.stringify(value) : name(variable);
}

const named = (args: Op['args'], name: Written): string =>
  Object.entries(args ?? {})
    .map(([key, one]) => `${key}=${literal(one, name)}`)
    .join(', ');

const logLines: Form = ({ of, ops }) => {
  const dollar: Written = (name) => `$${name}`;
  const lines = ops.flatMap((op) => {
    if (op.step !== undefined) return [`\`Step["${of}:${op.step}:EXE"]\``];
    if (op.set) {
      const set = Object.entries(op.set);
      return set.map(([key, value]) => `\`Var[${key}, ${literal(value, dollar)}]\``);
    }
    if (op.call !== undefined) {
      const into = op.into === undefined ? '' : `${op.into} = `;
      return [`\`${into}${op.call}(${named(op.args, dollar)})\``, 'trig? no'];
    }
    if (op.say !== undefined) return [`\`Say("${op.to ?? 'user'}", ${JSON.stringify(op.say)})\``];
    if (op.yield) return [`yld for ${op.yield}`];
    return [`\`Return[${literal(op.return, dollar)}]\``];
  });
  return ['recap - so far so good', 'plan - go on', ...lines].join('\n');
};

const python: Form = ({ of, ops }, program) => {
  const ours: Written = (name) =>
    new RegExp(`\\$${name}\\b`).test(program) ? `self.state.${name}` : name;
  const lines = ops.flatMap((op) => {
    if (op.step !== undefined) return [`await self.Step("${of}:${op.step}:EXE")`];
    if (op.set) {
      const set = Object.entries(op.set);
      return set.map(([key, value]) => `${ours(key.replace('$', ''))} = ${literal(value, ours)}`);
    }
    if (op.call !== undefined) {
      const into = op.into === undefined ? '' : `${ours(op.into.replace('$', ''))} = `;
      const callee = op.call.replace(/^\$(\w+)/, (_, name) => ours(name));
      return [`${into}await ${callee}(${named(op.args, ours)})`, '# trig? no'];
    }
    if (op.say !== undefined) {
      const text = JSON.stringify(op.say).replace(/\{\$?(\w+)\}/g, (_, name) => `{${ours(name)}}`);
      return [`await Say("${op.to ?? 'user'}", f${text})`];
    }
    if (op.yield) return [`await self.Yield("${op.yield}")`];
    return [`await self.Return(${literal(op.return, ours)})`];
  });
  return `\`\`\`python\n# execution_id: 1\n# recap: so far so good\n${lines.join('\n')}\n\`\`\``;
};

export const forms: Readonly<Record<string, Form>> = {
  'JSON, a line each': jsonLines,
  'a trace in JSON': trace,
  'a trace in YAML': yamlTrace,
  'lines of a log': logLines,
  Python: python,
};
