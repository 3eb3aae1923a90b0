/** Profiles and papers that are written down here, under the names that the programs have. */
const profiles: Readonly<Record<string, string>> = {
  Jia: 'Bill Jia, VP of Engineering at Meta, AI infrastructure. Earlier: search at Microsoft.',
  Ramani: 'Aparna Ramani, VP of Engineering at Meta, data and AI platforms. Earlier: Cloudera.',
  Dean: 'Jeff Dean, Chief Scientist at Google. Training of large models on many machines.',
};

const papers: Readonly<Record<string, string>> = {
  'https://arxiv.org/pdf/2004.09984.pdf':
    'Lower layers of BERT can read a question and a passage apart from each other.',
  'https://arxiv.org/pdf/1903.10676.pdf':
    'BERT that is trained on papers of science does better with such papers.',
};

const text = { type: 'string' };

export default [
  {
    name: 'find_profile',
    aliases: ['WebHelpers.search_linkedin_profile'],
    description: 'Finds the profile of a person.',
    parameters: {
      type: 'object',
      properties: { first_name: text, last_name: text, company: text },
      required: ['first_name', 'last_name'],
    },
    effect: 'read',
    run: ({ last_name }: { last_name: string }): string => {
      const profile = profiles[last_name];
      if (profile === undefined) throw new Error(`there is no profile of ${last_name}`);
      return profile;
    },
  },
  {
    name: 'paper',
    aliases: ['PdfHelpers.parse_pdf'],
    description: 'Reads a paper.',
    parameters: { type: 'object', properties: { source: text }, required: ['source'] },
    effect: 'read',
    run: ({ source }: { source: string }): string => papers[source] ?? '',
  },
];
