/**
 * What has changed behind a run since it began. It goes on with the text that it was started with;
 * whoever has mended the file meanwhile is to know that. Of tools it has what stands in their
 * modules now: how they do it is their own matter, what the program relies on is said.
 */
import { statSync } from 'node:fs';
import type { RunSummary } from '../../engine/journal/journal.ts';
import type { Loaded } from '../../engine/load.ts';
import type { LoadedProgram, Past } from '../../engine/past/past.ts';
import type { Warning } from '../../engine/result.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { inKeyOrder } from '../../program/json.ts';
import { readFileSource, withBeside } from '../program/source.ts';
import { isPlaying, standsAlone } from '../record/asked.ts';
import { playedText } from '../record/seen-source.ts';
import { fileOf } from '../settings/kept-settings.ts';
import { type Toolbox, toolsIn } from '../tools/toolbox.ts';

export async function changedBehind(
  summary: RunSummary,
  { program, source, specs }: Loaded,
  { effects }: Past,
  toolbox: Toolbox,
): Promise<Warning[]> {
  const file = await changedFile(summary, source);
  const asked = [...effects.values()].map(({ tool }) => tool);
  const called = new Set([...(await mayCall(summary, { program, specs }, toolbox)), ...asked]);
  const tools = [...called].flatMap((name) => {
    const [then, now] = [specs.get(name), toolbox.specs.get(name)];
    return then && now ? changedTool(then, now) : [];
  });
  return file ? [file, ...tools] : tools;
}

/** The tools that a program names; of playbooks those that their model is told of. */
async function mayCall(
  summary: RunSummary,
  { program, specs }: Pick<Loaded, 'program' | 'specs'>,
  { origins }: Toolbox,
): Promise<Iterable<string>> {
  const text = playedText(summary);
  if (text === undefined) return toolsIn(program);
  const { offeredTools } = await import('../../planner/playbook/prompt/offered.ts');
  const isBuiltIn = (name: string): boolean => origins.get(name) === 'built in';
  return offeredTools(specs, isBuiltIn, text).keys();
}

/** Undefined where it has not, or where the run has a program of no file. */
async function changedFile(
  summary: RunSummary,
  program: LoadedProgram,
): Promise<Warning | undefined> {
  const file = fileOf(summary);
  const kept = isPlaying(summary) ? playedText(summary) : ownText(summary, program);
  if (kept === undefined || !statSync(file, { throwIfNoEntry: false })?.isFile()) return undefined;
  const now = await textNow(file);
  if (now === kept) return undefined;
  return {
    code: 'PV6044',
    message: `${file} has changed; the run goes on with the text that it was started with`,
    hint: isPlaying(summary)
      ? 'run the file to play what it has now'
      : 'a fork with the file as its program takes over what both have in common',
  };
}

/** Of a run whose program nobody has changed on its way. */
const ownText = (summary: RunSummary, { type, text }: LoadedProgram): string | undefined =>
  standsAlone(summary) && type === 'program.loaded' ? text : undefined;

/** What cannot be read any more has changed, too. */
async function textNow(file: string): Promise<string | undefined> {
  try {
    return withBeside(await readFileSource(file)).text;
  } catch {
    return undefined;
  }
}

function changedTool(then: ToolSpec, now: ToolSpec): Warning[] {
  const isOther = (key: 'parameters' | 'returns'): boolean =>
    textOf(then[key]) !== textOf(now[key]);
  const changes = [
    ...(isOther('parameters') ? ['it takes other arguments'] : []),
    ...(isOther('returns') ? ['it gives something else'] : []),
    ...(classOf(then) === classOf(now) ? [] : [`it is ${classOf(now)}, and was ${classOf(then)}`]),
  ];
  if (changes.length === 0) return [];
  const what = `the tool ${then.name} is another one than when the run began`;
  const message = `${what}: ${changes.join(', ')}`;
  return [{ code: 'PV6045', message, hint: changedToolHint }];
}

const changedToolHint =
  'calls must fit what it takes now, and what may be repeated or run beside others stays as it ' +
  'was; where that will not do, resume with the tools that the run was started with';

const textOf = (schema: unknown): string => JSON.stringify(inKeyOrder(schema ?? null));

const classOf = ({ effect, idempotent, destructive }: ToolSpec): string =>
  [
    `a ${effect}`,
    ...(idempotent ? [] : ['not idempotent']),
    ...(destructive ? ['destructive'] : []),
  ].join(', ');
