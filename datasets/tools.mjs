/**
 * What the questions of this folder can be answered from without a network: `search`, over short
 * articles of our own. It says what it does not find, as an encyclopedia does.
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
];
