/**
 * A call of a tool. What it leaves out of what the tool asks a person for (`ToolSpec.requires`) is
 * asked first: each question is an effect of its own, journaled and answered as those of programs,
 * and its pending answer becomes an argument of the call, which so waits for it.
 */
import type { JsonSchema, ToolSpec } from '../program/effect.ts';
import { fromJson } from '../program/json.ts';
import {
  type Dict,
  dict,
  dictEntries,
  dictGet,
  dictSet,
  type Pending,
  settled,
} from '../program/value.ts';
import { callBefore, issueEffect } from './issue.ts';
import { copyAround, pendingsIn } from './pendings.ts';
import { missingBefore } from './prerequisites.ts';
import { refuseInParallel } from './refuse-write.ts';
import type { IssueOptions, IssueSite, State } from './state.ts';
import { isVoid, voidFault } from './void.ts';
import { needRoom } from './window.ts';

/** Gives the pending result. Waits while the window is full, with nothing asked. */
export function callTool(
  state: State,
  tool: string,
  args: Dict,
  site: IssueSite,
  options: IssueOptions = {},
): Pending {
  const spec = state.tools.get(tool);
  const missing = spec?.requires?.filter((name) => isMissing(spec, name, args)) ?? [];
  const asker = missing.length === 0 ? undefined : askerAmong(state.tools);
  if (!spec || asker === undefined) {
    if (!spec || missingBefore(state, spec).length === 0) {
      return issueEffect(state, tool, args, site, options);
    }
    checkCall(state, spec, args);
    callBefore(state, spec, site);
    return issueEffect(state, tool, args, site, { ...options, roomless: true });
  }
  checkCall(state, spec, args);
  callBefore(state, spec, site);
  // The questions take no room of their own: a window of one has room for a call, and so for what
  // that call waits for.
  const whole = dict(dictEntries(args));
  for (const name of missing) {
    const question = questionFor(spec, name);
    dictSet(whole, name, issueEffect(state, asker, question, site, { roomless: true }));
  }
  return issueEffect(state, tool, whole, site, { ...options, roomless: true });
}

/** What can go wrong with a call goes wrong before anything that is made for it. */
function checkCall(state: State, spec: ToolSpec, args: Dict): void {
  if (spec.effect === 'write') refuseInParallel(state, spec.name);
  for (const pending of pendingsIn([args])) if (isVoid(state, pending)) throw voidFault();
  copyAround(args);
  needRoom(state, false);
}

/** The tool that asks a person; undefined where this run has none: the call then fails as wrong. */
function askerAmong(tools: ReadonlyMap<string, ToolSpec>): string | undefined {
  for (const { kind, name } of tools.values()) if (kind === 'person') return name;
  return undefined;
}

/** A null that the schema does not allow is how models write that they do not know. */
function isMissing(spec: ToolSpec, name: string, args: Dict): boolean {
  const given = dictGet(args, name);
  if (given === undefined) return true;
  const { type } = schemaOf(spec, name);
  return settled(given) === null && type !== undefined && ![type].flat().includes('null');
}

const schemaOf = ({ parameters }: ToolSpec, name: string): JsonSchema =>
  parameters.properties?.[name] ?? {};

/** `Temperature needs date: The day, as YYYY-MM-DD.` */
function questionFor(spec: ToolSpec, name: string): Dict {
  const { description, enum: choices, default: _, ...schema } = schemaOf(spec, name);
  const about = description === undefined ? '' : `: ${description}`;
  const made = dict([['question', `${spec.name} needs ${name}${about}`]]);
  if (choices) dictSet(made, 'choices', fromJson(choices));
  else if (Object.keys(schema).length > 0) dictSet(made, 'schema', fromJson(schema));
  return made;
}
