/** Lines that are about other agents of the file: whom they speak to, and whom they make. */
import { namePattern } from '../../../../program/name.ts';
import { personWord } from '../../text/words.ts';

/** Other agents that a model is, of the file or made, by every way to write their names. */
export interface OtherAgents {
  readonly others: ReadonlyMap<string, string>;
}

/** The agent that a line is for, behind its verb: `Ask Advisor what …`, `Tell the Bike desk`. */
export function agentIn(text: string, { others }: OtherAgents): string | undefined {
  const [, rest = ''] =
    /^\p{L}+\s+(?:(?:to|for|of|from|with|à)\s+)?(?:the\s+|agent\s+)?([\s\S]*)$/u.exec(text) ?? [];
  for (const [written, name] of others) {
    // What stands behind a point or before a bracket is called.
    const behind = written.startsWith('$') ? /^(?:\p{XIDC}|[.(]\S)/u : /^[\p{XIDC}.(]\S/u;
    const isNamed = rest.startsWith(written) && !behind.test(rest.slice(written.length));
    if (isNamed || isRole(written, text)) return name;
  }
  return undefined;
}

/**
 * Whether a line speaks to an agent by what it is: `Tell the host that …`, where there is a Host.
 * Of a word that may as well be what is told, such as `the weather`, the words behind it say so.
 */
function isRole(written: string, text: string): boolean {
  const role = written.toLowerCase();
  const [, rest = ''] = /^(?!say)\p{L}+\s+(?:to\s+)?the\s+([\s\S]*)$/iu.exec(text) ?? [];
  if (!rest.startsWith(role)) return false;
  const behind = rest.slice(role.length);
  if (/^[\p{XIDC}.('’]/u.test(behind)) return false;
  return personWord.test(role) || forRole.test(behind);
}

const forRole = /^\s+(?:that|whether|if|what|which|who|when|where|why|how|about|for)\b/i;

const createForm = new RegExp(
  String.raw`^(?:(\$?${namePattern})\s*=\s*)?(?:create|make|start|spawn)\s+` +
    '(?:an?|one|another|a new|one more)\\s+(?:agent\\s+)?(.+?)(?:\\s+agent)?' +
    '(?:\\s+(?:named|called|with (?:the )?name)\\s+' +
    '(["\']?)(\\$?\\p{XIDC}[\\p{XIDC} ]*?|\\{\\$?\\p{XIDC}+\\})\\3)?' +
    '(?:\\s+as\\s+(\\$?\\p{XIDC}+))?$',
  'iu',
);

/** The call that makes one more agent like one of the file; undefined for any other line. */
export function creation(text: string, { others }: OtherAgents): string | undefined {
  const [, target, like = '', , name, as] = createForm.exec(text.trim()) ?? [];
  const known = named(like, others);
  if (known === undefined || !/\bagent\b|\bnamed\b|\bcalled\b/i.test(text)) return undefined;
  const isVariable = /^[${]/.test(name ?? '');
  const whose = isVariable ? name?.replace(/[{}]/g, '') : `"${name}"`;
  const given = name === undefined ? '' : `, name=${whose}`;
  const into = target ?? as;
  return `${into === undefined ? '' : `${into} = `}CreateAgent("${known}"${given})`;
}

/** `tax accountant` is the Accountant: words before a name only say more of it. */
function named(like: string, others: OtherAgents['others']): string | undefined {
  const words = like.trim().toLowerCase();
  const found = [...others].find(([written]) => {
    const name = written.toLowerCase();
    return words === name || words.endsWith(` ${name}`);
  });
  return found?.[1];
}
