/** `planvm:wikipedia`: the set of the tool `Search`. */
import type { ToolSet } from '../tool-set.ts';
import { searchSpec } from './spec.ts';

export const wikipediaSet: ToolSet = {
  name: 'wikipedia',
  about: 'Search: the first sentences of an article, by its title.',
  options: {
    language: {
      about: 'Which Wikipedia.',
      variable: 'PLANVM_WIKIPEDIA_LANGUAGE',
      default: 'en',
    },
    url: {
      about: 'Address of the api.php of another wiki.',
      variable: 'PLANVM_WIKIPEDIA_URL',
    },
    sentences: { about: 'How many are returned, 1 to 50.', default: '5' },
    userAgent: {
      about: 'Who asks. Wikimedia wants a way to reach you in it.',
      variable: 'PLANVM_USER_AGENT',
      default: 'planvm/0.1',
    },
  },
  specs: [searchSpec],
  async open({ text, address }) {
    const { searchHandler } = await import('./search.ts');
    return [
      searchHandler({
        language: text('language', /^[a-z]{2,3}(-[a-z]+)*$/, 'a language such as en'),
        ...(text('url') !== '' && { url: address('url') }),
        sentences: Number(text('sentences', /^([1-9]|[1-4]\d|50)$/, 'a number from 1 to 50')),
        userAgent: text('userAgent'),
      }),
    ];
  },
};
