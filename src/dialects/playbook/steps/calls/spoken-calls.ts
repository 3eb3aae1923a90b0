/** Calls in words: lines that name a playbook or a function by what it is called. */
import { namePattern } from '../../../../program/name.ts';
import { argumentText } from '../../text/calls.ts';
import { stateNames } from '../../text/variables.ts';
import { bareForm, type Callee, type Names, ownCallees, spokenForm } from '../names/names.ts';

interface Speaking {
  readonly names: Names;
  /** All that the playbook says of variables, as written: what a spoken call may pass. */
  readonly variables: ReadonlySet<string>;
}

/**
 * A playbook that a line names in words, where it is known what to pass. What is in quotes, or in
 * backticks without the brackets of a call, is that text, whatever is called so.
 */
export function spokenCall(text: string, speaking: Speaking): string | undefined {
  if (/^\s*["'`“„«]/.test(text)) return undefined;
  const callee = speaking.names.spoken.get(spokenForm(text));
  if (!callee) return callAbout(text, speaking.names);
  const args = spokenArgs(callee, speaking);
  return args === undefined ? undefined : `${callee.name}(${args})`;
}

/** What a playbook says of all that it has to be given; undefined where that is not all there. */
export function spokenArgs(
  { parameters = [], mandatory = parameters }: Callee,
  { variables }: Pick<Speaking, 'variables'>,
): string | undefined {
  const args = mandatory.map((name) => {
    const plain = name.replace('$', '');
    const given = [`$${plain}`, plain].find((one) => variables.has(one));
    return given === undefined ? undefined : { name: plain, text: given };
  });
  return args.every((one) => one !== undefined) ? argumentText(args) : undefined;
}

/**
 * `Find an answer to the $question`, of a `FindAnAnswer($question)`: nothing is said but its words,
 * and its parameters by their names.
 */
function callAbout(text: string, names: Names): string | undefined {
  const about = stateNames(text);
  if (about.length === 0) return undefined;
  const callee = names.bare.get(bareForm(text.replace(/\{?\$\{?\p{XIDC}+\}?/gu, ' ')));
  if (!callee || ownCallees.has(callee.name)) return undefined;
  const { parameters = [], mandatory = parameters } = callee;
  const wanted = new Set(parameters.map(plain));
  const given = new Map(about.map((name) => [plain(name), name]));
  const isAll = mandatory.every((name) => given.has(plain(name)));
  if (!isAll || ![...given.keys()].every((name) => wanted.has(name))) return undefined;
  return `${callee.name}(${argumentText([...given].map(([name, text]) => ({ name, text })))})`;
}

/** `Sub with x = 3 and $y`: what it is given stands there as it is. */
export function callWith(text: string, { names }: Speaking): string | undefined {
  const [, name = '', rest = ''] = /^(.+?)\s+(?:with|passing|using)\s+(\S.*)$/is.exec(text) ?? [];
  const callee = names.spoken.get(spokenForm(name));
  const wanted = (callee?.parameters ?? []).map(plain);
  const given = rest.split(between).map((part) => argumentForm.exec(part));
  const args = given.flatMap((one) => {
    const { own, value = '' } = one?.groups ?? {};
    if (!one || (own !== undefined && !wanted.includes(plain(own)))) return [];
    return [own === undefined ? { text: value } : { name: plain(own), text: value }];
  });
  const isAll = args.length === given.length && args.length <= wanted.length;
  return callee && isAll ? `${callee.name}(${argumentText(args)})` : undefined;
}

/** Outside of quotes. */
const between = /(?:,\s*(?:and\s+)?|\s+and\s+)(?=(?:[^"]*"[^"]*")*[^"]*$)/;

const argumentForm = new RegExp(
  String.raw`^(?:(?<own>\$?${namePattern})\s*[=:]\s*)?` +
    String.raw`(?<value>-?\d+(?:\.\d+)?|"[^"]*"|'[^']*'|\$${namePattern})$`,
  'u',
);

const plain = (name: string): string => name.replace('$', '');
