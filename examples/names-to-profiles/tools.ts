/** A page of people, and what a network for careers knows of them. */
const careers: Readonly<Record<string, string>> = {
  'Ada Byron, Analytical': 'Wrote programs for an engine that was not built.',
  'Grace Murray, Navy': 'Wrote a compiler, and found a moth.',
  'Mary Ward, Telescopes': 'Drew what she saw through lenses.',
};

interface Who {
  readonly first_name: string;
  readonly last_name: string;
  readonly company_name: string;
}

const text = { type: 'string' };

export default [
  {
    name: 'team_page',
    description: 'Returns the text of the page of the team.',
    parameters: { type: 'object', properties: {} },
    effect: 'read',
    run: (): string =>
      'With us are Ada Byron (Analytical), Grace Murray (Navy) and Mary Ward (Telescopes).',
  },
  {
    name: 'get_linkedin_profile',
    aliases: ['WebHelpers.get_linkedin_profile'],
    description: 'Returns the profile of a person.',
    parameters: {
      type: 'object',
      properties: { first_name: text, last_name: text, company_name: text },
      required: ['first_name', 'last_name', 'company_name'],
    },
    effect: 'read',
    run({ first_name, last_name, company_name }: Who): string {
      const found = careers[`${first_name} ${last_name}, ${company_name}`];
      if (found === undefined) throw new Error(`${first_name} ${last_name} is not there`);
      return `${first_name} ${last_name}: ${found}`;
    },
  },
];
