/**
 * Functions and classes of a module as tools. Names, parameters, types, defaults and documentation
 * are read from the text of the module; what is not said there is any value. The methods of a class
 * are `Class.method`: static ones as they are, others of an instance that is made once for a run.
 */
import { type EffectFailure, refusal } from '../../../engine/handler.ts';
import { nearest } from '../../../program/diagnostic.ts';
import type { EffectClass, JsonSchema } from '../../../program/effect.ts';
import type { FunctionTool, ToolContext } from '../tool.ts';
import { type Declared, declaredTypes } from './type-schema.ts';
import { readFunction, type Written, type WrittenParameter } from './written.ts';

export interface HelperModule {
  /** As messages name it. */
  readonly file: string;
  readonly exports: Readonly<Record<string, unknown>>;
  /** As it is written, and the same with its types as spaces. */
  readonly source: string;
  readonly blank: string;
}

type Callable = (...given: unknown[]) => unknown;

/** A function that can become a tool, and what it is called on. */
interface Found {
  readonly name: string;
  readonly own: Callable;
  /** The class that declares it; undefined for a function. */
  readonly home?: Callable;
  readonly target: (context: ToolContext) => unknown;
}

/**
 * The tools of an export, `Class`, `Class.method` or `function`; of all where no name is given.
 * Throws `EffectFailure` PV4200 for a name that there is not, or a function that cannot be one.
 */
export function helperTools(module: HelperModule, name: string | undefined): FunctionTool[] {
  const names = name === undefined ? Object.keys(module.exports) : [name.split('.', 1)[0] ?? name];
  const found = names.flatMap((one) => foundIn(module.exports[one], one));
  const wanted = name?.includes('.') ? found.filter((one) => one.name === name) : found;
  const declared = declaredTypes(module.source);
  if (wanted.length > 0) return wanted.map((one) => toolOf(one, module, declared));
  const known = Object.keys(module.exports).flatMap((one) => [
    one,
    ...foundIn(module.exports[one], one).map((found) => found.name),
  ]);
  const meant = name === undefined ? undefined : nearest(name, known);
  const what = name === undefined ? 'exports no function and no class' : `has no helper ${name}`;
  throw wrong(`${module.file} ${what}`, meant === undefined ? undefined : `did you mean ${meant}?`);
}

function foundIn(exported: unknown, name: string): Found[] {
  if (typeof exported !== 'function') return [];
  const own = exported as Callable;
  if (!/^class\b/.test(textOf(own))) {
    return [{ name, own, target: () => undefined }];
  }
  const statics = methodsOf(own, Function.prototype).map((method) => ({
    ...{ ...method, name: `${name}.${method.name}`, target: () => own },
  }));
  const instance = perRun(() => new (own as unknown as new () => unknown)());
  const others = methodsOf(own.prototype as object, Object.prototype).map((method) => ({
    ...{ ...method, name: `${name}.${method.name}`, target: instance },
  }));
  const all = new Map([...others, ...statics].map((one) => [one.name, one]));
  return [...all.values()];
}

/** With those that are inherited; names that begin with `_` are the class's own matter. */
function methodsOf(from: object, end: object): Omit<Found, 'target'>[] {
  const found = new Map<string, Omit<Found, 'target'>>();
  for (let at: object | null = from; at && at !== end; at = Object.getPrototypeOf(at)) {
    const home = (typeof at === 'function' ? at : at.constructor) as Callable;
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(at))) {
      const isOwn = name !== 'constructor' && !name.startsWith('_');
      const isMethod = typeof value === 'function' && isOwn;
      if (isMethod && !found.has(name)) found.set(name, { name, own: value, home });
    }
  }
  return [...found.values()];
}

/** Runs whose instances are kept in a process that has many. */
const runsMax = 64;

/** What `make` gives, once for each run; the entries of a session are one run. */
function perRun(make: () => unknown): Found['target'] {
  const made = new Map<string, unknown>();
  return ({ idempotencyKey }) => {
    const run = /^[^/.]+/.exec(idempotencyKey)?.[0] ?? '';
    if (!made.has(run)) {
      made.set(run, make());
      const [oldest] = made.keys();
      if (made.size > runsMax && oldest !== undefined) made.delete(oldest);
    }
    return made.get(run);
  };
}

/** The name of a last parameter that takes what tools are handed beside arguments. */
const contextName = 'context';

function toolOf(found: Found, module: HelperModule, declared: Declared): FunctionTool {
  const { name, own, target } = found;
  const written = writtenIn(found, module, declared);
  const where = `${module.file} (${name})`;
  if (!written) {
    throw wrong(`${where}: its parameters have no names`, 'write f(to, subject), not f({ to })');
  }
  const isContext = ({ name }: WrittenParameter): boolean => name === contextName;
  const parameters = written.parameters.filter((one) => !isContext(one));
  const { about, tags } = written.doc;
  const effect = effectOf(tags.get('effect'), where);
  return {
    name,
    description: about === '' ? `${words(name)}.` : about,
    parameters: schemaOf(parameters),
    ...(effect && { effect }),
    ...(written.returns && { returns: written.returns }),
    ...(tags.has('idempotent') && { idempotent: tags.get('idempotent') !== 'false' }),
    ...(tags.has('destructive') && { destructive: true }),
    run: (args: Readonly<Record<string, unknown>>, context) => {
      const given = written.parameters.flatMap((one) =>
        isContext(one) ? [context] : argumentOf(one, args[one.name]),
      );
      const last = given.findLastIndex((one) => one !== undefined);
      return settled(own.apply(target(context), given.slice(0, last + 1)));
    },
  };
}

/** What gives nothing has done its work: null, which is no failure. */
async function settled(result: unknown): Promise<unknown> {
  const value = await result;
  return value === undefined ? null : value;
}

function argumentOf({ schema, isRest }: WrittenParameter, value: unknown): unknown[] {
  if (isRest) return Array.isArray(value) ? value : [];
  const isTime = schema.format === 'date-time' && typeof value === 'string';
  return [isTime ? new Date(value) : value];
}

function schemaOf(parameters: readonly WrittenParameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, schema, isRest }) => [
        name,
        isRest && schema.type !== 'array' ? { ...schema, type: 'array' } : schema,
      ]),
    ),
    required: parameters.filter(({ isOptional }) => !isOptional).map(({ name }) => name),
    additionalProperties: false,
  };
}

const classes: readonly EffectClass[] = ['pure', 'read', 'write'];

function effectOf(given: string | undefined, where: string): EffectClass | undefined {
  const word = given?.split(/\s/, 1)[0];
  const found = classes.find((one) => one === word);
  if (word === undefined || found) return found;
  throw wrong(`${where}: @effect: got ${word}, want pure, read or write`);
}

/** The text of the function where it stands in the module, else as the process has it. */
function writtenIn(
  { own, home }: Found,
  { source, blank }: HelperModule,
  declared: Declared,
): Written | undefined {
  const text = textOf(own);
  // Methods of two classes may read alike without their types.
  const at = blank.indexOf(text, home && blank.indexOf(textOf(home)));
  if (at < 0) return readFunction(text, '', declared);
  return readFunction(source.slice(at, at + text.length), commentAbove(source, at), declared);
}

const textOf = (own: Callable): string => Function.prototype.toString.call(own);

/** The comment that ends right above a declaration, its keywords aside. */
function commentAbove(source: string, at: number): string {
  const before = source.slice(0, at);
  return aboveIt.exec(before)?.[1] ?? '';
}

/** A comment, and what may stand between it and the text of a function. */
const aboveIt = new RegExp(
  [
    String.raw`(\/\*\*(?:(?!\*\/)[\s\S])*\*\/)\s*`,
    String.raw`(?:(?:export|default|const|public|static|override|async|\w+\s*=|`,
    String.raw`\w+\s*:[^=;{}]*=)\s*)*$`,
  ].join(''),
);

/** `EmailHelpers.sendNow` → `Email helpers: send now`. */
function words(name: string): string {
  const plain = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/_/g, ' ')
    .replace('.', ': ')
    .toLowerCase();
  return plain.charAt(0).toUpperCase() + plain.slice(1);
}

const wrong = (message: string, hint?: string): EffectFailure =>
  refusal('PV4200', message, { hint });
