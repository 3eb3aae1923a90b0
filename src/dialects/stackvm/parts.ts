/**
 * A plan taken apart into its instructions and put together again, so that a model can rewrite one
 * of them, or all from one on. Instructions that stay keep their text to the letter.
 */
import { type JsonNode, member } from '../../text/json-node.ts';
import { readModelJson } from '../../text/json-text.ts';
import type { Part, Parts, Replaced, Replacement } from '../dialect.ts';

export const planParts: Parts = { of: partsOf, replace, isStep };

interface Item extends Part {
  readonly number: number;
}

function partsOf(text: string): readonly Item[] {
  return (itemsIn(text) ?? []).toSorted((a, b) => a.number - b.number);
}

/**
 * Undefined for a text that is no list of instructions. Without any number they are numbered from
 * `first` on.
 */
function itemsIn(text: string, first = 0): Item[] | undefined {
  const { node } = readModelJson(text, 'array', { bytesMax: Infinity });
  if (!node) return undefined;
  const nodes = node.kind === 'array' ? node.items : [node];
  if (!nodes.every(({ kind }) => kind === 'object')) return undefined;
  const numbered = nodes.some((one) => numberOf(one) !== undefined);
  return nodes.map((one, position) => {
    const number = numbered ? (numberOf(one) ?? Infinity) : first + position;
    const source = text.slice(one.start, one.end);
    return {
      ...{ label: String(number), number },
      // A number of its own: by position it would have another one in another list.
      text: numbered ? source : source.replace('{', `{"seq_no": ${number}, `),
    };
  });
}

/** One instruction without a list around it. */
function isStep(text: string, label: string): boolean {
  const { node } = readModelJson(text, 'array', { bytesMax: Infinity });
  return node?.kind === 'object' && numberOf(node) === Number(label);
}

function numberOf(node: JsonNode): number | undefined {
  const given = member(node, 'seq_no');
  if (given === undefined || given.kind === 'array' || given.kind === 'object') return undefined;
  const number = given.kind === 'string' ? Number.parseInt(String(given.value), 10) : given.value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

function replace(text: string, { at, scope, written }: Replacement): Replaced {
  const parts = partsOf(text);
  const from = parts.findIndex(({ label }) => label === at);
  const items = itemsIn(written, Number(at));
  if (from < 0 || !items) return { problem: 'what was written is no JSON list of instructions' };
  const before = parts.slice(0, from);
  const inserted: Item[] = [];
  for (const item of items) {
    const kept = before.find(({ label }) => label === item.label);
    if (!kept) inserted.push(item);
    else if (!sameData(kept.text, item.text)) return { problem: touched(item.label, at) };
  }
  const [only, ...more] = inserted;
  if (!only) return { problem: `there is nothing in it in place of step ${at}` };
  if (scope === 'step' && (more.length > 0 || only.label !== at)) {
    return { problem: `want one instruction with seq_no ${at}, in place of step ${at} alone` };
  }
  const [lowest] = inserted.toSorted((a, b) => a.number - b.number);
  if (lowest && lowest.number < Number(at)) return { problem: touched(lowest.label, at) };
  if (lowest?.label !== at) return { problem: `the lowest seq_no in it has to be ${at}` };
  const behind = scope === 'step' ? parts.slice(from + 1) : [];
  const texts = [...before, ...inserted, ...behind].map((item) => `  ${item.text}`);
  return { text: `[\n${texts.join(',\n')}\n]\n` };
}

const touched = (label: string, at: string): string =>
  `step ${label} is changed, but what stands before step ${at} has to stay as it is`;

function sameData(a: string, b: string): boolean {
  const [one, other] = [a, b].map((text) => dataOf(readModelJson(text).node));
  return one === other;
}

/** A text that is the same for equal JSON, whatever its spaces and the order of its keys. */
function dataOf(node: JsonNode | undefined): string {
  if (node === undefined) return '';
  if (node.kind === 'array') return `[${node.items.map(dataOf).join()}]`;
  if (node.kind !== 'object') return `${node.kind} ${String(node.value)}`;
  const members = node.members.map(({ key, value }) => `${JSON.stringify(key)}:${dataOf(value)}`);
  return `{${members.sort().join()}}`;
}
