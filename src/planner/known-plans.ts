/**
 * Which saved plans help with a goal: the one that was written for the very same goal is the plan,
 * others that are near are examples. Whether a plan may be used as it is is never a matter of
 * likeness: `v7.5` and `v8.5` are as alike as two goals can be.
 */
import { createHash } from 'node:crypto';
import type { Environment, UsableProgram } from '../dialects/dialect.ts';
import { checkProgram } from '../dialects/index.ts';
import type { Goal } from './goal.ts';

/** What a plan is made from, besides the tools: two equal ones may share their plan. */
export interface PlanFor {
  readonly goal: Goal;
  /** Names of the input variables; a plan never depends on their values. */
  readonly inputs: readonly string[];
  readonly dialect: string;
}

/** As far as choosing among saved plans needs them. */
export interface KnownPlan {
  readonly label: string;
  readonly key: string;
  readonly goal: string;
  readonly dialect: string;
  readonly text: string;
}

/** Equal for goals that differ in spaces, the first letter's case and the last point only. */
export function planKey({ goal, inputs, dialect }: PlanFor): string {
  const { text, language = '', format = '' } = goal;
  const parts = [text, language, format].map(normalised);
  return JSON.stringify([...parts, [...inputs].sort(), dialect]);
}

function normalised(text: string): string {
  const plain = text.normalize('NFC').replace(/\s+/g, ' ').trim();
  const open = plain.replace(/(?<=[^\s.])\.$/, '');
  return open.replace(/^\p{Lu}(?=\p{Ll})/u, (letter) => letter.toLowerCase());
}

/** Short and the same for the same goal and label. */
export function planId(key: string, label: string): string {
  const text = JSON.stringify([key, label]);
  return `p${createHash('sha256').update(text).digest('hex').slice(0, 10)}`;
}

/** The newest plan for this goal that today's tools still allow; `plans` are newest first. */
export function exactPlan<T extends KnownPlan>(
  plans: readonly T[],
  wanted: PlanFor,
  environment: Environment,
): T | undefined {
  const key = planKey(wanted);
  return plans.find((plan) => plan.key === key && fits(plan, environment));
}

const nearMax = 2;
const likenessMin = 0.25;

/** The plans most like what is wanted, that today's tools allow, likest first. */
export function nearPlans<T extends KnownPlan>(
  plans: readonly T[],
  wanted: PlanFor & { readonly label?: string | undefined },
  environment: Environment,
): readonly T[] {
  const words = wordsOf(wanted.goal.text);
  const ranked = plans
    .filter(({ dialect }) => dialect === wanted.dialect)
    .map((plan) => ({ plan, score: score(plan, words, wanted.label) }))
    .filter(({ score }) => score >= likenessMin)
    .sort((a, b) => b.score - a.score);
  const near: T[] = [];
  for (const { plan } of ranked) {
    if (near.length === nearMax) break;
    const isNew = near.every(({ text }) => text !== plan.text);
    if (isNew && fits(plan, environment)) near.push(plan);
  }
  return near;
}

/** A model is told of so many programs at most: the texts go into the record of its run. */
const usableMost = 20;

/** Saved plans that a program of the dialect may have within it, newest first. */
export function usablePrograms(
  plans: readonly KnownPlan[],
  dialect: string,
  environment: Environment,
): readonly UsableProgram[] {
  if (dialect !== 'stack') return [];
  const named = plans.filter((plan) => plan.dialect === dialect && isName(plan.label));
  // A name of several plans means none of them, as everywhere.
  const only = named.filter(({ label }) => named.filter((one) => one.label === label).length === 1);
  const usable = only.filter((plan) => fits(plan, environment)).slice(0, usableMost);
  return usable.map(({ label, goal, text }) => ({
    ...{ name: label, about: goal.replace(/\s+/g, ' ').trim(), text },
  }));
}

const isName = (label: string): boolean => label !== '' && !/["\\\n]/.test(label);

function fits({ text, dialect }: KnownPlan, environment: Environment): boolean {
  return checkProgram(text, environment, { dialect }).ok;
}

/** A shared label counts as much as sharing every word. */
function score({ goal, label }: KnownPlan, words: ReadonlySet<string>, wanted = ''): number {
  return likeness(wordsOf(goal), words) + (wanted === '' ? 0 : sharedLabel(label, wanted));
}

/** Of the words of both, the part that they share: 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const shared = [...a].filter((word) => b.has(word)).length;
  const all = a.size + b.size - shared;
  return all === 0 ? 0 : shared / all;
}

/** `a/b` under `a/c` is half of it: 0 to 1. */
function sharedLabel(label: string, wanted: string): number {
  const [own, other] = [label, wanted].map((one) => one.split('/').filter(Boolean));
  if (!own || !other || other.length === 0) return 0;
  const parts = other.findIndex((part, i) => part !== own[i]);
  return (parts < 0 ? other.length : parts) / other.length;
}

const wordsOf = (text: string): ReadonlySet<string> =>
  new Set(text.toLowerCase().match(/[\p{L}\p{N}][\p{L}\p{N}.]*/gu) ?? []);
