/**
 * What the questions of this folder can be answered with, without a network: `search`, over short
 * articles of our own, which says what it does not find, as an encyclopedia does; and for the game of
 * 24 `propose`, the numbers that one step leaves, and `evaluate`, whether 24 can still be reached.
 */
import { readFileSync } from 'node:fs';

const articles = JSON.parse(readFileSync(new URL('articles.json', import.meta.url), 'utf8'));
const titles = Object.keys(articles);

const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\d]+/gu) ?? [];

/** The article of that name; else the only one whose name has these words in it. */
function titleOf(entity) {
  const wanted = wordsOf(entity).filter((word) => word !== 'the');
  const named = titles.filter((title) => {
    const words = wordsOf(title);
    return wanted.length > 0 && wanted.every((word) => words.includes(word));
  });
  const exact = titles.find((title) => title.toLowerCase() === entity.trim().toLowerCase());
  return exact ?? (named.length === 1 ? named[0] : undefined);
}

/** Titles that share a word with what was looked for. */
function similar(entity) {
  const wanted = new Set(wordsOf(entity).filter((word) => word.length > 3));
  return titles.filter((title) => wordsOf(title).some((word) => wanted.has(word))).slice(0, 5);
}

/** Every way to make one number of two of them; texts keep fractions exact: 8/3. */
function steps(numbers) {
  const found = new Map();
  for (const [i, a] of numbers.entries()) {
    for (const [j, b] of numbers.entries()) {
      if (i === j) continue;
      const rest = numbers.filter((_, at) => at !== i && at !== j);
      for (const [sign, value] of results(read(a), read(b), i < j)) {
        const left = [...rest.map(String), write(value)];
        const key = left.toSorted().join(' ');
        if (!found.has(key)) found.set(key, { step: `${a} ${sign} ${b} = ${write(value)}`, left });
      }
    }
  }
  return [...found.values()];
}

/** Of sums and products one order is enough. */
function results([a, b], [c, d], once) {
  const all = [['-', [a * d - c * b, b * d]]];
  if (c !== 0) all.push(['/', [a * d, b * c]]);
  if (once) all.push(['+', [a * d + c * b, b * d]], ['*', [a * c, b * d]]);
  return all;
}

/** A number as numerator and denominator. */
function read(number) {
  const [over, under = '1'] = String(number).split('/');
  if (!/^-?\d+$/.test(over) || !/^\d+$/.test(under)) {
    throw new Error(`got ${JSON.stringify(number)}, want a whole number or a fraction such as 8/3`);
  }
  return [Number(over), Number(under)];
}

function write([over, under]) {
  const sign = under < 0 ? -1 : 1;
  const common = divisor(Math.abs(over), Math.abs(under));
  const [top, bottom] = [(sign * over) / common, (sign * under) / common];
  return bottom === 1 ? String(top) : `${top}/${bottom}`;
}

const divisor = (a, b) => (b === 0 ? a || 1 : divisor(b, a % b));

function reaches24(numbers) {
  if (numbers.length === 1) return write(read(numbers[0])) === '24';
  return steps(numbers).some(({ left }) => reaches24(left));
}

/** Four numbers at most: more are not looked through in a moment. */
function upToFour(numbers) {
  if (numbers.length >= 1 && numbers.length <= 4) return numbers;
  throw new Error(`got ${numbers.length} numbers, want one to four`);
}

const someNumbers = {
  type: 'object',
  properties: {
    numbers: {
      type: 'array',
      items: { type: ['integer', 'string'] },
      description: 'One to four numbers: 4, or "8/3" for a fraction.',
    },
  },
  required: ['numbers'],
};

export default [
  {
    name: 'search',
    description:
      'Gives the first sentences of the encyclopedia article about one person, place, film or ' +
      'thing; where there is none, the titles that come near.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: {
        entity: { type: 'string', description: 'The name alone, as a title: Mont Blanc.' },
      },
      required: ['entity'],
    },
    run({ entity }) {
      const title = titleOf(entity);
      if (title !== undefined) return articles[title];
      return `Could not find ${entity}. Similar: ${JSON.stringify(similar(entity))}.`;
    },
  },
  {
    name: 'propose',
    description:
      'Game of 24: every next step, two numbers made one. Returns [{ step: "10 - 4 = 6", ' +
      'left: ["9", "13", "6"] }].',
    effect: 'pure',
    parameters: someNumbers,
    run: ({ numbers }) => steps(upToFour(numbers)),
  },
  {
    name: 'evaluate',
    description: 'Game of 24: "sure" where 24 can be made of the numbers, else "impossible".',
    effect: 'pure',
    parameters: someNumbers,
    run: ({ numbers }) => (reaches24(upToFour(numbers)) ? 'sure' : 'impossible'),
  },
];
