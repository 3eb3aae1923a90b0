/** Reads the parameters of each kind of instruction. */
import { siteOf } from '../../program/effect.ts';
import { type JsonNode, stringOf } from '../../text/json-node.ts';
import { expressionOf } from './expression.ts';
import { type InstructionRow, rows } from './instructions.ts';
import { missing, type Parameters, targetOf } from './parameters.ts';
import {
  type Entry,
  everyInstruction,
  type Instruction,
  type Named,
  type Outputs,
  type Question,
  type Reasoning,
  type Target,
  writesOf,
} from './plan.ts';
import { error, gotOf, type Member, membersOf, type Reader, sourceOf, warn } from './report.ts';
import { canBeSpelled, referredTo } from './template.ts';

/** What every instruction has. */
export type Common = Omit<Reasoning, 'kind' | 'thoughts'>;

/** Reads the list of a branch; `under` is its label, such as `3.true` or `3.each`. */
export type ReadBranch = (node: JsonNode, under: string) => readonly Instruction[];

export function kindOf(
  reader: Reader,
  row: InstructionRow,
  parameters: Parameters,
  common: Common,
  readBranch: ReadBranch,
): Instruction {
  switch (row.kind) {
    case 'reasoning':
      return reasoningOf(reader, parameters, common);
    case 'assign':
      return assignOf(reader, row, parameters, common);
    case 'call':
      return callOf(reader, row, parameters, common);
    case 'jump':
      return jumpOf(reader, row, parameters, common);
    case 'condition':
      return conditionOf(reader, row, parameters, common, readBranch);
    case 'foreach':
      return foreachOf(reader, parameters, common, readBranch);
  }
}

/** Nothing is done with thoughts; they are kept for whoever looks at the run. */
function reasoningOf(reader: Reader, { named }: Parameters, common: Common): Instruction {
  const thoughts = ['chain_of_thoughts', 'dependency_analysis'].flatMap((name) => {
    const given = named.get(name)?.value;
    if (!given || given.kind === 'null') return [];
    return [stringOf(given) ?? sourceOf(reader, given)];
  });
  if (thoughts.length === 0) return { kind: 'reasoning', ...common };
  return { kind: 'reasoning', ...common, thoughts: thoughts.join('\n') };
}

function assignOf(
  reader: Reader,
  row: InstructionRow,
  { named, rest }: Parameters,
  common: Common,
): Instruction {
  const entries: Entry[] = [];
  if (row.rest === 'variables') {
    for (const [name, { keyNode, value }] of rest) {
      entries.push({ ...nameAt(reader, name, keyNode), value: expressionOf(reader, value) });
    }
    return { kind: 'assign', entries, ...common };
  }
  const name = named.get('var_name');
  const value = named.get('value');
  const written = name && nameAt(reader, textOf(name.value), name.value);
  if (!written || !value) return brokenOf(common, written ? [written.name] : []);
  entries.push({ ...written, value: expressionOf(reader, value.value) });
  return { kind: 'assign', entries, ...common };
}

function callOf(
  reader: Reader,
  row: InstructionRow,
  { named, rest, complete }: Parameters,
  common: Common,
): Instruction {
  const outputs = outputsOf(reader, (named.get('output_vars') ?? named.get('output_var'))?.value);
  // Whatever is wrong with its outputs, whether there is such a tool can still be said.
  if (row.rest === 'arguments') {
    const tool = { name: row.type, ...common.head };
    const by = rows.includes(row) ? 'own' : 'type';
    return { kind: 'call', tool, arguments: entriesOf(reader, rest), outputs, by, ...common };
  }
  const tool = named.get('tool');
  const given = named.get('params')?.value;
  reader.arithmetic ||= tool?.keyNode.value === 'tool_name';
  if (!complete || !tool) return brokenOf(common, namesOf(outputs));
  const members = given?.kind === 'object' ? membersOf(reader, given) : new Map<string, Member>();
  return {
    kind: 'call',
    tool: { name: textOf(tool.value), ...siteOf(tool.value) },
    arguments: entriesOf(reader, members),
    outputs,
    by: 'calling',
    ...common,
  };
}

function jumpOf(
  reader: Reader,
  row: InstructionRow,
  parameters: Parameters,
  common: Common,
): Instruction {
  const { named, complete } = parameters;
  const target = (key: string): Target | undefined => {
    const member = named.get(key);
    return member && targetOf(reader, member.value, key);
  };
  const [always, whenTrue, whenFalse] = ['target_seq', 'jump_if_true', 'jump_if_false'].map(target);
  const question = questionOf(reader, named, 'condition_prompt');
  const lacks = (name: string): Instruction => {
    const parameter = row.parameters.find((one) => one.name === name);
    const given = named.has(name) && name !== 'condition_prompt';
    if (complete && parameter && !given) missing(reader, row, parameter, common.head);
    return brokenOf(common, []);
  };
  if (!complete) return brokenOf(common, []);
  if (!question) {
    const conditional = row.type === 'jmp_if' || named.has('jump_if_true');
    if (!always) return lacks(conditional ? 'condition_prompt' : 'target_seq');
    ignored(reader, named, ['jump_if_true', 'jump_if_false'], 'there is no condition_prompt');
    return { kind: 'jump', target: always, ...common };
  }
  if (!whenTrue) return lacks('jump_if_true');
  ignored(reader, named, ['target_seq'], 'the condition_prompt decides');
  const conditional = { kind: 'jump', question, target: whenTrue, ...common } as const;
  if (whenFalse) return { ...conditional, otherwise: whenFalse };
  if (named.has('jump_if_false')) return brokenOf(common, []);
  warn(
    reader,
    'fallsThrough',
    common.head,
    'jump_if_false is absent: when false, the next step follows',
  );
  return conditional;
}

function ignored(
  reader: Reader,
  named: ReadonlyMap<string, Member>,
  keys: readonly string[],
  why: string,
): void {
  for (const key of keys) {
    const member = named.get(key);
    if (member) warn(reader, 'ignoredTarget', member.keyNode, `${key} is never used: ${why}`);
  }
}

function conditionOf(
  reader: Reader,
  row: InstructionRow,
  { named, complete }: Parameters,
  common: Common,
  readBranch: ReadBranch,
): Instruction {
  const question = questionOf(reader, named, 'prompt');
  const bare = !named.has('true_branch') && !named.has('false_branch');
  const [whenTrue = [], whenFalse = []] = ['true', 'false'].map((name) => {
    const member = named.get(`${name}_branch`);
    if (member) return readBranch(member.value, `${common.label}.${name}`);
    reader.step = common.label;
    const message = `${name}_branch is absent; nothing is done`;
    if (!bare) warn(reader, 'missingBranch', common.head, message);
    return [];
  });
  reader.step = common.label;
  for (const parameter of row.parameters) {
    const lacking =
      (parameter.name === 'prompt' && !question) || (parameter.name === 'true_branch' && bare);
    if (complete && lacking) missing(reader, row, parameter, common.head);
  }
  if (complete && question && !bare) {
    return { kind: 'condition', question, whenTrue, whenFalse, ...common };
  }
  const inside = [...everyInstruction(whenTrue), ...everyInstruction(whenFalse)];
  return brokenOf(
    common,
    inside.flatMap(writesOf).map(({ name }) => name),
  );
}

function foreachOf(
  reader: Reader,
  { named, complete }: Parameters,
  common: Common,
  readBranch: ReadBranch,
): Instruction {
  const [item, index, output] = ['item_var', 'index_var', 'output_vars'].map((key) => {
    const node = named.get(key)?.value;
    return node && nameAt(reader, textOf(node), node);
  });
  const items = named.get('items')?.value;
  const list = named.get('instructions')?.value;
  const body = list ? readBranch(list, `${common.label}.each`) : [];
  if (!complete || !items) {
    const inside = [...everyInstruction(body)].flatMap(writesOf);
    const own = [item, index, output].filter((name) => name !== undefined);
    return brokenOf(
      common,
      [...own, ...inside].map(({ name }) => name),
    );
  }
  return {
    kind: 'foreach',
    items: expressionOf(reader, items),
    item: item ?? { name: 'item', ...common.head },
    ...(index === undefined ? {} : { index }),
    body,
    ...(output === undefined ? {} : { output }),
    ...common,
  };
}

/** What the model is asked; nothing where the text is absent or empty. */
function questionOf(
  reader: Reader,
  named: ReadonlyMap<string, Member>,
  key: string,
): Question | undefined {
  const prompt = named.get(key)?.value;
  if (!prompt || stringOf(prompt)?.trim() === '') return undefined;
  const context = named.get('context')?.value;
  const question = { prompt: expressionOf(reader, prompt), ...siteOf(prompt) };
  if (!context || context.kind === 'null') return question;
  return { ...question, context: expressionOf(reader, context) };
}

function outputsOf(reader: Reader, node: JsonNode | undefined): Outputs {
  if (!node) return { kind: 'none' };
  if (node.kind !== 'array') {
    return { kind: 'whole', name: nameAt(reader, textOf(node), node) };
  }
  const names = node.items.flatMap((item) => {
    if (item.kind === 'string') return [nameAt(reader, textOf(item), item)];
    const message = `output_vars: got ${gotOf(item)}, want the name of a variable`;
    error(reader, 'wrongType', item, message);
    return [];
  });
  return names.length === 0 ? { kind: 'none' } : { kind: 'keys', names };
}

function namesOf(outputs: Outputs): readonly string[] {
  if (outputs.kind === 'none') return [];
  return (outputs.kind === 'whole' ? [outputs.name] : outputs.names).map(({ name }) => name);
}

/** A variable that is written; one that no text can refer to is worth a word. */
function nameAt(reader: Reader, text: string, node: JsonNode): Named {
  const name = referredTo(text) ?? text;
  if (name === '') error(reader, 'wrongType', node, 'got an empty name, want that of a variable');
  else if (name !== text) {
    const message = `got the reference ${text} where a variable is set, want the name ${name}`;
    warn(reader, 'referenceAsName', node, message);
  } else if (!canBeSpelled(name)) {
    warn(reader, 'awkwardName', node, `no text can refer to a variable ${JSON.stringify(name)}`, {
      hint: 'use letters, digits, _ and -',
    });
  }
  return { name, ...siteOf(node) };
}

function entriesOf(reader: Reader, members: ReadonlyMap<string, Member>): Entry[] {
  return [...members].map(([name, { keyNode, value }]) => ({
    name,
    value: expressionOf(reader, value),
    ...siteOf(keyNode),
  }));
}

const textOf = (node: JsonNode): string => stringOf(node) ?? '';

const brokenOf = (common: Common, writes: readonly string[]): Instruction => ({
  kind: 'broken',
  writes,
  ...common,
});
