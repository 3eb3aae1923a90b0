/**
 * The tool sets that come along: tools that a run has where it names them, `planvm:wikipedia`, with
 * options as in an address, `planvm:wikipedia?language=fr`. Their declarations are there without
 * running anything; what performs them is loaded on first use.
 */
import type { Handler } from '../engine/handler.ts';
import { nearest } from '../program/diagnostic.ts';
import type { ToolSpec } from '../program/effect.ts';
import { calculatorSpecs } from './calculate/calculator.ts';
import { nodeRedSpecs } from './node-red/specs.ts';
import { tableSpec } from './table/table.ts';
import { BadToolSet, toolSetScheme as scheme, type ToolSetName } from './tool-set-names.ts';
import { searchSpec } from './wikipedia/spec.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface ToolSet {
  readonly name: ToolSetName;
  readonly about: string;
  /** By name, what each is; one with a `variable` is read from there where it is not given. */
  readonly options: Readonly<Record<string, SetOption>>;
  readonly specs: readonly ToolSpec[];
  /** What performs them, in the order of `specs`. Throws `BadToolSet`. */
  open(options: Environment, env: Environment): Promise<readonly Handler[]>;
}

export interface SetOption {
  readonly about: string;
  readonly variable?: string;
  readonly default?: string;
}

const sets: readonly ToolSet[] = [
  {
    name: 'wikipedia',
    about: 'Search: the first sentences of an article, by its title.',
    options: {
      language: {
        about: 'Which Wikipedia.',
        variable: 'PLANVM_WIKIPEDIA_LANGUAGE',
        default: 'en',
      },
      url: {
        about: 'Address of the api.php of another wiki.',
        variable: 'PLANVM_WIKIPEDIA_URL',
      },
      sentences: { about: 'How many are returned, 1 to 50.', default: '5' },
      nearest: {
        about: 'true: the nearest title is taken, with a warning, where there is none of the name.',
        default: 'false',
      },
      userAgent: {
        about: 'Who asks. Wikimedia wants a way to reach you in it.',
        variable: 'PLANVM_USER_AGENT',
        default: 'planvm/0.1',
      },
    },
    specs: [searchSpec],
    async open(options, env) {
      const { searchHandler } = await import('./wikipedia/search.ts');
      const value = reader(this, options, env);
      const url = value('url');
      return [
        searchHandler({
          language: value('language', /^[a-z]{2,3}(-[a-z]+)*$/, 'a language such as en'),
          ...(url === '' ? {} : { url: addressOf('url', url) }),
          sentences: Number(value('sentences', /^([1-9]|[1-4]\d|50)$/, 'a number from 1 to 50')),
          nearest: value('nearest', /^(true|false)$/, 'true or false') === 'true',
          userAgent: value('userAgent'),
        }),
      ];
    },
  },
  {
    name: 'calculator',
    about: 'Calculator and Calculate: the tool calculate, by the names that plans of tasks use.',
    options: {},
    specs: calculatorSpecs,
    async open(options, env) {
      reader(this, options, env);
      const { calculatorHandlers } = await import('./calculate/calculator.ts');
      return calculatorHandlers;
    },
  },
  {
    name: 'table',
    about: 'Table: headers and rows as a value, and as a line of text.',
    options: {},
    specs: [tableSpec],
    async open(options, env) {
      reader(this, options, env);
      const { tableHandler } = await import('./table/table.ts');
      return [tableHandler];
    },
  },
  {
    name: 'node-red',
    about: 'NodeStatus, Temperature, TemperatureRange, Joke: flows of a Node-RED server.',
    options: {
      url: {
        about: 'Where its flows answer.',
        variable: 'PLANVM_NODE_RED_URL',
        default: 'http://127.0.0.1:1880',
      },
    },
    specs: nodeRedSpecs,
    async open(options, env) {
      const { nodeRedHandlers } = await import('./node-red/handlers.ts');
      const value = reader(this, options, env);
      const token = env.PLANVM_NODE_RED_TOKEN;
      return nodeRedHandlers({ url: addressOf('url', value('url')), token });
    },
  },
];

export const toolSets: ReadonlyMap<string, ToolSet> = new Map(sets.map((set) => [set.name, set]));

/** The set that a source names, and its options. Throws `BadToolSet`. */
export function readToolSet(source: string): { set: ToolSet; options: Environment } {
  const [name = '', query = ''] = source.slice(scheme.length).split(/\?(.*)/s);
  const set = toolSets.get(name);
  if (!set) {
    const meant = nearest(name, toolSets.keys());
    const listed = [...toolSets.keys()].map((one) => scheme + one).join(', ');
    const hint = meant === undefined ? `the sets are ${listed}` : `did you mean ${scheme}${meant}?`;
    throw new BadToolSet(`there is no tool set ${scheme}${name}`, hint);
  }
  const options = Object.fromEntries(new URLSearchParams(query));
  const known = Object.keys(set.options);
  for (const option of Object.keys(options)) {
    if (known.includes(option)) continue;
    const meant = nearest(option, known);
    const hint = `its options are ${known.join(', ') || 'none'}`;
    throw new BadToolSet(
      `${scheme}${name} has no option ${option}`,
      meant === undefined ? hint : `did you mean ${meant}?`,
    );
  }
  return { set, options };
}

/** The tools of a set, by a name with options: `planvm:wikipedia?language=fr`. */
export async function toolSet(
  source: string,
  env: Environment = process.env,
): Promise<readonly Handler[]> {
  const { set, options } = readToolSet(source);
  return await set.open(options, env);
}

/** Reads options: what is given before the variable before the default; else an empty text. */
function reader(set: ToolSet, options: Environment, env: Environment) {
  return (name: string, form = /^/, want = ''): string => {
    const option = set.options[name];
    const variable = option?.variable ?? '';
    const given = options[name] ?? (env[variable]?.trim() || undefined) ?? option?.default ?? '';
    if (form.test(given)) return given;
    throw new BadToolSet(`${scheme}${set.name}: ${name}: got ${given}, want ${want}`);
  };
}

function addressOf(name: string, given: string): URL {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol)) {
    throw new BadToolSet(`${name}: got ${given}, want an address such as http://127.0.0.1:1880`);
  }
  if (url.username === '' && url.password === '') return url;
  throw new BadToolSet(
    `${name}: got an address with a password in it`,
    'addresses are kept with the run; give a key by the environment',
  );
}
