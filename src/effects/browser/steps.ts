/** What a browser is told to do, one step after the other: how steps are written and performed. */
import type { Page } from 'playwright-core';
import { EffectFailure, refusal } from '../../engine/handler.ts';
import { thrownMessage } from '../../program/diagnostic.ts';
import { pageText } from '../web/page/page.ts';
import { renderedHtml } from './rendered.ts';
import { type Secrets, secretFor } from './secrets.ts';
import type { Session } from './session.ts';
import { settled, visit } from './visit.ts';

export interface StepContext {
  readonly session: Session;
  readonly signal: AbortSignal;
  readonly secrets: Secrets;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What was extracted, by name. */
  readonly extracted: Map<string, unknown>;
}

type Step = Readonly<Record<string, unknown>>;

const verbs: readonly string[] = [
  ...['goto', 'fill', 'click', 'press', 'select', 'check', 'wait', 'extract'],
];

/** Throws `EffectFailure` PV4758 for steps that are none, before anything is done. */
export function checkSteps(steps: readonly Step[]): void {
  for (const [index, step] of steps.entries()) {
    const problem = problemOf(step);
    if (problem === undefined) continue;
    throw refusal('PV4758', `step ${index + 1}: ${problem}`, {
      hint: 'a step is such as {"click": "#send"} or {"fill": "#name", "with": "Ann"}',
    });
  }
}

function problemOf(step: Step): string | undefined {
  const named = verbs.filter((verb) => step[verb] !== undefined);
  const [verb] = named;
  if (verb === undefined || named.length > 1) return `want one of ${verbs.join(', ')}`;
  const value = step[verb];
  if ((verb === 'fill' || verb === 'select') && step.with === undefined) {
    return `${verb} wants "with", what is filled in`;
  }
  if (verb === 'wait' && typeof value === 'number') return undefined;
  return typeof value === 'string' && value !== '' ? undefined : `${verb} wants a text`;
}

/** In their order. Throws `EffectFailure` PV4755, which says which step it was, or its own. */
export async function performSteps(steps: readonly Step[], context: StepContext): Promise<void> {
  for (const [index, step] of steps.entries()) {
    context.signal.throwIfAborted();
    try {
      await performStep(step, context);
    } catch (thrown) {
      context.signal.throwIfAborted();
      throw stepFailure(index, step, thrown, context);
    }
  }
}

function stepFailure(
  index: number,
  step: Step,
  thrown: unknown,
  { session: { filled } }: StepContext,
): EffectFailure {
  const verb = verbs.find((one) => step[one] !== undefined) ?? '';
  const before =
    index === 0 ? '' : index === 1 ? '; step 1 was done' : `; steps 1 to ${index} were`;
  const [line = ''] = thrownMessage(thrown).split('\n');
  const why = line.replace(/^(page|locator|elementHandle)\.\w+: /, '');
  const told = `step ${index + 1} (${verb} ${String(step[verb])}): ${why}${before}`;
  const own = thrown instanceof EffectFailure ? thrown : undefined;
  const isLate = /Timeout/.test(line);
  return new EffectFailure(own?.code ?? 'PV4755', hidden(told, filled), {
    ...{ answered: true, cause: thrown },
    hint:
      own?.hint ?? (isLate ? 'nothing on the page fits; look at it: extract "body"' : undefined),
  });
}

/** A text of a page without what was filled into it in secret. */
export function hidden(text: string, filled: ReadonlySet<string>): string {
  let shown = text;
  for (const value of filled) if (value.length > 3) shown = shown.replaceAll(value, '***');
  return shown;
}

async function performStep(step: Step, context: StepContext): Promise<void> {
  const { session } = context;
  const { page } = session;
  const given = (name: string): string => String(step[name]);
  if (step.goto !== undefined) return await visit(session, given('goto'));
  if (step.fill !== undefined) return await page.fill(given('fill'), filling(step.with, context));
  if (step.click !== undefined) {
    await page.click(given('click'));
    return await settled(page);
  }
  if (step.press !== undefined) {
    await page.keyboard.press(given('press'));
    return await settled(page);
  }
  if (step.select !== undefined) {
    await page.selectOption(given('select'), filling(step.with, context));
    return;
  }
  if (step.check !== undefined) return await page.check(given('check'));
  if (step.wait !== undefined) return await waitFor(page, step.wait);
  await extract(step, context);
}

/** For an element, or for as many milliseconds. */
async function waitFor(page: Page, wanted: unknown): Promise<void> {
  if (typeof wanted === 'number') await page.waitForTimeout(Math.min(wanted, 30_000));
  else await page.waitForSelector(String(wanted), { state: 'visible' });
}

function filling(given: unknown, { session, secrets, env }: StepContext): string {
  if (typeof given !== 'object' || given === null) return String(given);
  const name = 'env' in given ? String(given.env) : '';
  const value = secretFor(name, new URL(session.page.url()), secrets, env);
  session.filled.add(value);
  return value;
}

/** What is asked of elements beside their text: `all`, `attribute`, `as: markdown`. */
async function extract(step: Step, { session, signal, extracted }: StepContext): Promise<void> {
  const { page } = session;
  const selector = String(step.extract);
  const name = typeof step.name === 'string' ? step.name : selector;
  const attribute = typeof step.attribute === 'string' ? step.attribute : undefined;
  if (step.as === 'markdown') {
    const html = await renderedHtml(page);
    const { text, title } = await pageText({ html, url: page.url(), whole: true }, signal);
    extracted.set(name, { text, title, url: page.url() });
    return;
  }
  const elements = page.locator(selector);
  const textAt = async (at: number): Promise<string> => {
    const one = elements.nth(at);
    const text = attribute === undefined ? one.innerText() : one.getAttribute(attribute);
    return ((await text) ?? '').trim();
  };
  if (step.all !== true) {
    extracted.set(name, await textAt(0));
    return;
  }
  const all: string[] = [];
  const count = Math.min(await elements.count(), elementsMax);
  for (let at = 0; at < count; at++) all.push(await textAt(at));
  extracted.set(name, all);
}

/** Elements that one step extracts. */
const elementsMax = 500;
