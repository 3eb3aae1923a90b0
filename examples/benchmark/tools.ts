/** An encyclopedia of two articles. */
const articles: Readonly<Record<string, string>> = {
  'Mont Blanc': 'Mont Blanc is the highest mountain of the Alps. It is 4806 m high.',
  Matterhorn: 'The Matterhorn is a mountain of the Alps. It is 4478 m high.',
};

export default [
  {
    name: 'search',
    description: 'Gives the first sentences of the article about a thing.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { entity: { type: 'string' } },
      required: ['entity'],
    },
    run: ({ entity }: { entity: string }): string =>
      articles[entity] ?? `Could not find ${entity}. Similar: ${Object.keys(articles).join(', ')}.`,
  },
];
