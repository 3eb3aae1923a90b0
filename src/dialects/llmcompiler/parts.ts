/**
 * A plan taken apart into its tasks, each with the thought before it, and put together again, so
 * that a model can rewrite one of them, or all from one on.
 */
import type { Part, Parts, Replaced, Replacement } from '../dialect.ts';
import type { CallItem } from './item.ts';
import { readItems } from './reader.ts';

export const planParts: Parts = { of: partsOf, replace, isStep };

interface Region extends Part {
  readonly item: CallItem;
  /** Offsets of the text that belongs to it. */
  readonly start: number;
  readonly end: number;
}

function partsOf(text: string): readonly Region[] {
  return regionsIn(text).filter(({ item }) => item.kind === 'task');
}

/** One task without an end of the plan. */
function isStep(text: string, label: string): boolean {
  const [only, ...more] = regionsIn(text);
  return more.length === 0 && only?.item.kind === 'task' && only.label === label;
}

/** The tasks and the end of the plan, each from the thought before it to the end of its line. */
function regionsIn(text: string, before = 0): Region[] {
  const regions: Region[] = [];
  let from: number | undefined;
  for (const item of readItems(text, before)) {
    if (item.kind === 'thought') from ??= item.start;
    if (item.kind !== 'task' && item.kind !== 'join') continue;
    const start = lineStart(text, from ?? item.start);
    const end = lineEnd(text, item.end);
    regions.push({ label: item.id, text: text.slice(start, end).trim(), item, start, end });
    from = undefined;
  }
  return regions;
}

const lineStart = (text: string, at: number): number => text.lastIndexOf('\n', at - 1) + 1;

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end < 0 ? text.length : end;
}

function replace(text: string, { at, scope, written }: Replacement): Replaced {
  const regions = regionsIn(text);
  const from = regions.findIndex(({ label, item }) => item.kind === 'task' && label === at);
  const region = regions[from];
  if (!region) return { problem: `there is no task ${at}` };
  const own = ownRegions(written, regions, at);
  if (own.length === 0) return { problem: `there is no task in it in place of task ${at}` };
  const before = regions.slice(0, from);
  const inserted: Region[] = [];
  for (const one of own) {
    const kept = before.find(({ label }) => label === one.label);
    if (!kept) inserted.push(one);
    else if (!isSame(kept.item, one.item)) return { problem: touched(one.label, at) };
  }
  const [first, ...more] = inserted;
  if (!first) return { problem: `there is nothing in it in place of task ${at}` };
  if (first.label !== at) return { problem: `its first task has to be ${at}. …` };
  if (scope === 'step') {
    if (more.some(({ item }) => item.kind === 'task')) {
      return { problem: `want one task ${at}. …, in place of task ${at} alone` };
    }
    return { text: joined(text.slice(0, region.start), first.text, text.slice(region.end)) };
  }
  const rest = inserted.map((one) => one.text).join('\n');
  const last = inserted.at(-1)?.item.kind === 'join' ? '' : endOf(regions, inserted, written);
  return { text: joined(text.slice(0, region.start), `${rest}${last}`, tagIn(text)) };
}

const joined = (head: string, own: string, tail: string): string =>
  `${`${head}${own}${tail.startsWith('\n') || tail === '' ? tail : `\n${tail}`}`.trimEnd()}\n`;

/** Actions without numbers have those of the place where they are to stand. */
function ownRegions(written: string, regions: readonly Region[], at: string): Region[] {
  const own = regionsIn(written);
  const [first, firstThere] = [own[0]?.item, regions[0]?.item];
  const repeats = first && firstThere && isSame(first, firstThere) && at !== regions[0]?.label;
  return first?.form === 'action' && !repeats ? regionsIn(written, Number(at) - 1) : own;
}

/** A remainder without an end has the one that was there, with a number behind its own tasks. */
function endOf(regions: readonly Region[], inserted: readonly Region[], written: string): string {
  const end = regions.find(({ item }) => item.kind === 'join');
  if (!end || readItems(written).some(({ kind }) => kind === 'join')) return '';
  const next = Number(inserted.at(-1)?.label ?? 0) + 1;
  const { form, name, call } = end.item;
  return form === 'action' ? `\n${end.text}` : `\n${next}. ${name}${call.text}`;
}

const tagIn = (text: string): string => (/<END_OF_PLAN>/.test(text) ? '<END_OF_PLAN>\n' : '');

const touched = (label: string, at: string): string =>
  `task ${label} is changed, but what stands before task ${at} has to stay as it is`;

const isSame = (a: CallItem, b: CallItem): boolean => a.name === b.name && plain(a) === plain(b);

/** The arguments whatever their spaces and brackets. */
const plain = ({ call }: CallItem): string => call.text.slice(1, -1).replace(/\s+/g, ' ').trim();
