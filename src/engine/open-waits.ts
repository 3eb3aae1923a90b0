/** What a run waits for, by its journal alone: for those who answer and approve from outside. */
import type { ToolSpec } from '../program/effect.ts';
import type { Handler, Question } from './handler.ts';
import type { Journal } from './journal/journal.ts';
import type { Past, PastEffect } from './past/past.ts';
import { readPast } from './past/read-past.ts';
import { argumentReader } from './perform/arguments.ts';
import { type OpenWait, openQuestion } from './perform/person.ts';
import { questionIn } from './perform/within.ts';
import { shownOf } from './result.ts';

export interface FoundWait {
  readonly wait: OpenWait;
  /** What an answer has to be, where it is a question. */
  readonly question: Question | undefined;
}

/**
 * In the order of asking. `handlers` are those whose effects wait; of others only approvals are
 * found. Empty for a run that has ended.
 */
export async function openWaits(
  journal: Journal,
  run: string,
  handlers: ReadonlyMap<string, Handler>,
): Promise<FoundWait[]> {
  const status = journal.find(run)?.status;
  if (status === undefined || ['done', 'failed', 'invalid'].includes(status)) return [];
  const past = readPast(journal.events(run));
  const waiting = waitingTools(past);
  const found = openApprovals(past);
  for (const [effect, one] of past.effects) {
    if (one.asking !== undefined) found.push(await askedWait(effect, one, one.asking, handlers));
    const handler = waiting.has(one.tool) ? handlers.get(one.tool) : undefined;
    if (one.state !== 'started' || !handler) continue;
    const wait = await waitOf(effect, one, handler);
    if (wait) found.push(wait);
  }
  return found;
}

/** A tool of one's own may have the name of a built-in one. */
function waitingTools({ program }: Past): ReadonlySet<string> {
  const specs: ToolSpec[] = program ? JSON.parse(program.tools) : [];
  return new Set(
    specs.flatMap(({ kind, name }) => (kind === 'person' || kind === 'clock' ? [name] : [])),
  );
}

function openApprovals({ approvals, effects }: Past): FoundWait[] {
  return [...approvals].flatMap(([effect, { state, step, tool, request, why }]): FoundWait[] => {
    if (state !== 'requested' || effects.get(effect)?.outcome) return [];
    const issued = { effect, step, tool };
    const wait: OpenWait = { kind: 'approval', ...issued, request: shownOf(request), why };
    return [{ wait, question: undefined }];
  });
}

/** A question of a tool that is performed; what an answer has to be, the tool `ask` can say. */
async function askedWait(
  effect: string,
  { tool, step }: PastEffect,
  asking: string,
  handlers: ReadonlyMap<string, Handler>,
): Promise<FoundWait> {
  const kept = questionIn(asking);
  const { text, choices, schema, approval, decides } = kept;
  const issued = { effect, step, tool };
  if (approval) return { wait: openQuestion(issued, kept, undefined), question: undefined };
  const args = { question: text, ...(choices && { choices }), ...(schema && { schema }) };
  const made = await handlers.get('ask')?.wait?.(args);
  const asked = made?.for === 'person' ? made.question : kept;
  const question = { ...asked, ...(decides && { decides }) };
  return { wait: openQuestion(issued, question, undefined), question };
}

async function waitOf(
  effect: string,
  { tool, step, request, queuedAt }: PastEffect,
  { spec, wait }: Handler,
): Promise<FoundWait | undefined> {
  const { args, errors } = argumentReader(spec.parameters)(request ?? '{}');
  if (errors.length > 0) return undefined;
  const made = await wait?.(args);
  if (!made) return undefined;
  const issued = { effect, step, tool };
  if (made.for === 'time') {
    return { wait: { kind: 'pause', ...issued, until: queuedAt + made.ms }, question: undefined };
  }
  const { question } = made;
  const until = question.timeoutMs === undefined ? undefined : queuedAt + question.timeoutMs;
  return { wait: openQuestion(issued, question, until), question };
}
