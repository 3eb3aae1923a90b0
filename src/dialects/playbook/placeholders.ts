/**
 * Placeholders in descriptions: `{$bike}`, `{price(bike)}`. They are filled in when a playbook
 * starts, by the variables and functions that its agent has; what names anything else stays text.
 */
import { plan } from '../starlark/options.ts';
import { parse } from '../starlark/parser.ts';
import { walk } from '../starlark/tree-walk.ts';
import { constants, functions, modules, planFunctions } from '../starlark/universe.ts';
import type { LinkedAgent, LinkedPlaybook } from './linked.ts';
import { literal } from './literal.ts';
import { definedIn } from './woven-code.ts';

/** By the id of each playbook that has any, a function that gives its description for a frame. */
export function fillings(agent: LinkedAgent): (readonly [string, string])[] {
  return agent.playbooks.flatMap((playbook) => {
    if (playbook.mode === 'code') return [];
    const parts = partsOf(playbook, agent);
    if (parts.every(({ code }) => code === undefined)) return [];
    const pieces = parts.map(({ text, code }) => code ?? literal(text));
    return [[playbook.id, `lambda frame: "".join([${pieces.join(', ')}])`] as const];
  });
}

interface Piece {
  readonly text: string;
  /** An expression in Starlark, where it is a placeholder. */
  readonly code?: string;
}

function partsOf(playbook: LinkedPlaybook, agent: LinkedAgent): readonly Piece[] {
  const found = playbook.description.split(/(\{[^{}\n]+\})/);
  return found.map((text, at) => {
    const code = at % 2 === 1 ? codeOf(text.slice(1, -1).trim(), playbook, agent) : undefined;
    return { text, ...(code !== undefined && { code }) };
  });
}

const known: ReadonlySet<string> = new Set([
  ...constants,
  ...functions,
  ...planFunctions,
  ...modules,
]);

function codeOf(
  written: string,
  { parameters }: LinkedPlaybook,
  agent: LinkedAgent,
): string | undefined {
  const source = written.replace(/\$([\p{XIDS}_]\p{XIDC}*)/gu, 'state["$1"]');
  const { file } = parse(source, plan);
  if (file?.body.length !== 1 || file.body[0]?.kind !== 'expression') return undefined;
  const names = new Set<string>();
  const bound = new Set<string>(['state']);
  walk(file, (node) => {
    if (node.kind === 'name') names.add(node.name);
  });
  const locals = parameters.filter(({ name, scope }) => scope === 'local' && names.has(name));
  for (const { name } of locals) bound.add(name);
  const own = agent.playbooks
    .filter(({ mode, name }) => mode !== 'code' && names.has(name))
    .map(({ name }) => name);
  const coded = new Set(agent.code.flatMap(({ text }) => definedIn(text)));
  const isKnown = (name: string): boolean => [bound, known, coded].some((all) => all.has(name));
  const strange = [...names].some((name) => !isKnown(name) && !own.includes(name));
  if (strange) return undefined;
  const codeOfAgent = `functions[${literal(agent.name)}](frame)`;
  const makers = [
    ...[...coded]
      .filter((name) => names.has(name) && !bound.has(name))
      .map((name) => `${name} = ${codeOfAgent}[${literal(name)}]`),
    ...locals.map(({ name }) => `${name} = frame["locals"][${literal(name)}]`),
    ...agent.playbooks.flatMap(({ name, id }) =>
      own.includes(name)
        ? [`${name} = lambda *args, **named: play_from_code(${literal(id)}, args, named, frame)`]
        : [],
    ),
  ];
  const head = ['state = variables(frame, "state")', ...makers].join(', ');
  return `text((lambda ${head}: ${source})())`;
}
