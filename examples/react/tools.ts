/** A small encyclopedia. */
const articles: Record<string, string> = {
  'Mount Everest': 'Mount Everest is 8848.86 metres high.',
};

export default [
  {
    name: 'search',
    description: 'The first sentence of an article.',
    parameters: {
      type: 'object',
      properties: { entity: { type: 'string', description: 'What it is about.' } },
      required: ['entity'],
    },
    effect: 'read',
    idempotent: false,
    run({ entity }: { entity: string }): string {
      const article = articles[entity];
      if (article !== undefined) return article;
      throw new Error(`no article ${entity}; similar: ${Object.keys(articles).join(', ')}`);
    },
  },
];
