/** Which value is for which parameter of a helper, and which parameters are left open. */
import { nearest } from '../../program/diagnostic.ts';
import { mandatory, type Site, siteOf, type ToolSpec } from '../../program/effect.ts';
import { parameterName } from '../../program/tool-names.ts';
import { signatureOf, takesOthers } from '../signature.ts';
import type { CodeName } from './codes.ts';
import type { HelperCall, Operand } from './nodes.ts';

export interface Bound {
  readonly given: readonly BoundArgument[];
  /** Parameters whose values are to be found in what the call is about. */
  readonly open: readonly string[];
  readonly problems: readonly Problem[];
}

export interface BoundArgument extends Site {
  readonly name: string;
  readonly value: Operand;
}

export interface Problem {
  readonly code: CodeName;
  readonly site: Site;
  readonly message: string;
  readonly hint: string;
}

/** `isForEach`: whether an element is there that texts such as "first_name" may stand for. */
export function bindArguments(call: HelperCall, spec: ToolSpec, isForEach: boolean): Bound {
  const names = Object.keys(spec.parameters.properties ?? {});
  const given = new Map<string, BoundArgument>();
  const problems: Problem[] = [];
  const say = (site: Site, code: CodeName, message: string, hint = signatureOf(spec)): void => {
    problems.push({ code, site, message, hint });
  };
  let position = 0;
  let isNamedBefore = false;
  for (const argument of call.args) {
    const name =
      argument.name === undefined ? names[position] : parameterName(spec.parameters, argument.name);
    if (argument.name === undefined) {
      position += 1;
      if (isNamedBefore) {
        const message = 'got a value without a name behind one with a name';
        say(argument, 'positionalBehind', message);
      }
    }
    isNamedBefore ||= argument.name !== undefined;
    if (name === undefined) {
      const want = `want at most ${names.length}`;
      say(argument, 'tooMany', `${spec.name}: got ${call.args.length} arguments, ${want}`);
      break;
    }
    if (!names.includes(name) && !takesOthers(spec)) {
      const near = nearest(name, names);
      const hint = near === undefined ? undefined : `did you mean ${near}?`;
      say(argument, 'unknownParameter', `${spec.name} has no parameter ${name}`, hint);
    }
    if (given.has(name)) say(argument, 'twice', `${spec.name}: got ${name} twice`);
    given.set(name, { name, value: argument.value, ...siteOf(argument) });
  }
  const required = mandatory(spec);
  const asked = spec.requires ?? [];
  const written = new Set(names.map(plain));
  const isOpen = ({ name, value }: BoundArgument): boolean =>
    value.kind === 'hole' ||
    (isNull(value) && required.includes(name)) ||
    (isForEach && isPlaceholder(value, written));
  const open = [
    ...required.filter((name) => !given.has(name) && !asked.includes(name)),
    ...[...given.values()].filter(isOpen).map(({ name }) => name),
  ];
  // Null for a parameter that need not be given is the same as none.
  const kept = [...given.values()].filter((one) => !isOpen(one) && !isNull(one.value));
  return { given: kept, open, problems };
}

const isNull = (value: Operand): boolean => value.kind === 'literal' && value.value === null;

/** Texts by which authors of programs say that they do not know a value. */
const unknowns: ReadonlySet<string> = new Set([
  ...['', 'missing', 'unknown', 'none', 'null', 'tbd', 'todo', 'placeholder', 'element', 'item'],
]);

/** Whether a text stands for what is not known yet: the name of a parameter, `<first name>`. */
function isPlaceholder(value: Operand, names: ReadonlySet<string>): boolean {
  if (value.kind !== 'literal' || typeof value.value !== 'string') return false;
  const text = value.value.trim();
  if (text.length > placeholderMax) return false;
  if (/^(?:<[^<>]*>|\{[^{}]*\}|\[[^[\]]*\]|\$\w+|\?+|\.\.\.|…)$/.test(text)) return true;
  return names.has(plain(text)) || unknowns.has(text.toLowerCase());
}

const placeholderMax = 80;

/** A name whatever its case and what stands between its words. */
const plain = (name: string): string => name.toLowerCase().replace(/[\s_-]/g, '');
