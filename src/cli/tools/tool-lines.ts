/** Tools as `planvm tools` lists and shows them. */
import { signatureOf, togetherLines, typeOf } from '../../dialects/signature.ts';
import { type JsonSchema, mandatory, type ToolSpec } from '../../program/effect.ts';
import { matchesTool, namespaceOf, parameterAliases } from '../../program/tool-names.ts';
import { clip, columns, count, oneLine, withoutControls } from '../../text/words.ts';
import { styleOf, tableLines } from '../view/output.ts';

const descriptionColumns = 70;

export type Origins = ReadonlyMap<string, string>;

/** Those that a filter means: a pattern, a namespace, or a part of names and descriptions. */
export function filtered(specs: Iterable<ToolSpec>, filter: string | undefined): ToolSpec[] {
  const all = [...specs];
  if (filter === undefined) return all;
  const wanted = filter.toLowerCase();
  const named = all.filter(
    ({ name, aliases = [] }) =>
      [name, ...aliases].some((one) => matchesTool(filter, one)) || isWithin(name, filter),
  );
  if (named.length > 0 || filter.includes('*')) return named;
  return all.filter(({ name, description, aliases = [] }) =>
    [name, description, ...aliases].some((text) => text.toLowerCase().includes(wanted)),
  );
}

const isWithin = (name: string, space: string): boolean => name.startsWith(`${space}.`);

/** Those without a namespace, then each namespace behind a line that names it. */
export function listLines(specs: readonly ToolSpec[], origins: Origins): string[] {
  const style = styleOf(process.stdout);
  const groups = Map.groupBy(specs, ({ name }) => namespaceOf(name));
  const ordered = [...groups].sort(([a], [b]) => Number(a !== '') - Number(b !== ''));
  const rows = ordered.flatMap(([, group]) => group.map((spec) => rowOf(spec, origins)));
  const [head = '', ...lines] = tableLines(['tool', 'class', 'from', 'what it does'], rows);
  const printed = [head];
  let at = 0;
  for (const [space, group] of ordered) {
    if (space !== '') printed.push('', style.dim(`${space} · ${count(group.length, 'tool')}`));
    printed.push(...lines.slice(at, at + group.length));
    at += group.length;
  }
  return printed;
}

const rowOf = (
  { name, effect, destructive, description }: ToolSpec,
  origins: Origins,
): string[] => [
  name,
  destructive ? `${effect}!` : effect,
  origins.get(name) ?? '',
  clip(oneLine(description), descriptionColumns),
];

const alsoCalled = (schema: JsonSchema): string[] => {
  const aliases = parameterAliases(schema);
  return aliases.length === 0 ? [] : [`Also called ${aliases.join(', ')}.`];
};

export interface Shown {
  readonly origin: string;
  /** What is pinned, by parameter; variables as `$NAME`. */
  readonly pinned: Readonly<Record<string, string>>;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** One tool, with all that is known of it. */
export function showLines(spec: ToolSpec, { origin, pinned, env }: Shown): string[] {
  const style = styleOf(process.stdout);
  const { name, description, parameters, effect, idempotent, destructive, requires = [] } = spec;
  const facts = [
    `class ${effect}`,
    idempotent ? 'may be repeated' : 'never repeated without asking',
    ...(destructive ? ['destructive'] : []),
    origin,
  ];
  const required = new Set(mandatory(spec));
  const limits = Object.entries(spec.limits ?? {});
  const needOf = (key: string): string =>
    required.has(key) ? 'required' : requires.includes(key) ? 'asked for' : 'optional';
  const rows = Object.entries(parameters.properties ?? {}).map(([key, schema]) => [
    `  ${key}`,
    [schema.type ?? 'anything'].flat().join(' or '),
    needOf(key),
    oneLine([schema.description ?? '', ...alsoCalled(schema)].join(' ')),
  ]);
  const { aliases = [], keys = [], price, returns } = spec;
  const gives = returns ? ` -> ${typeOf(returns)}` : '';
  const pins = Object.entries(pinned).map(([key, value]) => `${key} = ${value}`);
  const isSet = (key: string): string => (env[key]?.trim() ? 'set' : 'not set');
  return [
    `${style.strong(name)}  ${style.dim(facts.join(' · '))}`,
    style.dim(`${signatureOf(spec)}${gives}  (${effect})`),
    withoutControls(description),
    ...(rows.length === 0 ? ['takes no parameters'] : columns(rows)),
    ...togetherLines(spec),
    ...(aliases.length === 0 ? [] : [`also called ${aliases.join(', ')}`]),
    ...(pins.length === 0 ? [] : [`pinned: ${pins.join(', ')}`]),
    ...(keys.length === 0
      ? []
      : [`keys: ${keys.map((key) => `${key} (${isSet(key)})`).join(', ')}`]),
    ...(price ? [`costs ${price.perCall} USD a call`] : []),
    ...(limits.length === 0 ? [] : [`limits: ${limits.map((one) => one.join(' ')).join(', ')}`]),
  ];
}
