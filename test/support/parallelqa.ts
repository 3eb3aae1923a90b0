/**
 * Plans in the shape of ParallelQA: some searches, arithmetic over what they found, an end. The
 * texts, the entities and the numbers are made up.
 */

/** What `search` finds. */
export const articles: Readonly<Record<string, string>> = {
  'Lake Orra': 'Lake Orra covers 420 square kilometres. Its greatest depth is 96 metres.',
  'Lake Tin': 'Lake Tin covers 84 square kilometres. Its greatest depth is 310 metres.',
  'Lake Vesk': 'Lake Vesk covers 1260 square kilometres. Its greatest depth is 45 metres.',
  'Mount Ardo': 'Mount Ardo is 3104 metres high. It was first climbed in 1871.',
  'Mount Belt': 'Mount Belt is 2816 metres high. It was first climbed in 1902.',
  'Mount Corr': 'Mount Corr is 5120 metres high. It was first climbed in 1934.',
  'Port Aln': 'Port Aln has 210000 inhabitants on 70 square kilometres.',
  'Port Brim': 'Port Brim has 96000 inhabitants on 48 square kilometres.',
  'Port Cass': 'Port Cass has 450000 inhabitants on 90 square kilometres.',
  'The Dunmore Bridge': 'The Dunmore Bridge is 1250 metres long and was opened in 1931.',
  'The Elda Bridge': 'The Elda Bridge is 2500 metres long and was opened in 1964.',
};

/**
 * What `math` makes of a problem and of the texts that come with it: it takes a number of each,
 * the first but where the problem says which, and reckons as the first word says.
 */
const math = `
function math({ problem, context }) {
  const at = /second number/.test(problem) ? 1 : 0;
  const numbers = context.map((text) => Number((String(text).match(/\\d+(\\.\\d+)?/g) ?? [])[at]));
  const [a, b] = numbers;
  const sum = numbers.reduce((all, one) => all + one, 0);
  const word = /^\\w+/.exec(problem)[0].toLowerCase();
  const by = { max: Math.max(...numbers), min: Math.min(...numbers), sum, mean: sum / numbers.length,
    difference: Math.abs(a - b), ratio: a / b, product: a * b, double: 2 * a };
  if (!(word in by) || Number.isNaN(by[word])) throw new Error('cannot solve ' + problem);
  return Math.round(by[word] * 1000) / 1000;
}`;

/** A tools module with `search` and `math`. */
export const tools = `${math}
const articles = ${JSON.stringify(articles)};
const text = { type: 'string' };
export default [
  { name: 'search', description: 'Finds the article of an entity.', effect: 'read',
    parameters: { type: 'object', properties: { entity: text }, required: ['entity'] },
    run: ({ entity }) => {
      if (!(entity in articles)) throw new Error('could not find ' + entity);
      return articles[entity];
    } },
  { name: 'math', description: 'Solves a problem with numbers of the context.', effect: 'pure',
    parameters: { type: 'object', required: ['problem', 'context'],
      properties: { problem: text, context: { type: 'array', items: text } } },
    run: math },
];`;

export interface ParallelPlan {
  readonly question: string;
  /** Calls in parentheses; `brackets` makes the other style of it. */
  readonly text: string;
  /** What the last task comes to. */
  readonly answer: number;
}

/** `search("x")` as `search["x"]`; join keeps its parentheses. */
export const brackets = (text: string): string =>
  text.replace(/^(\d+\. (?:search|math))\((.*?)\)?$/gm, (_, call, args) => `${call}[${args}]`);

function plan(question: string, lines: readonly string[], answer: number): ParallelPlan {
  const tasks = lines.map((line, i) => `${i + 1}. ${line}`);
  const end = `Thought: I can answer the question now.\n${lines.length + 1}. join()<END_OF_PLAN>`;
  return { question, text: `${tasks.join('\n')}\n${end}\n`, answer };
}

const search = (entity: string): string => `search("${entity}")`;
/** As planners have learnt it from examples: without the last bracket. */
const unclosed = (problem: string, ...refs: readonly string[]): string =>
  `math("${problem}", [${refs.map((ref) => `"${ref}"`).join(', ')}]`;
const solved = (problem: string, ...refs: readonly string[]): string =>
  `${unclosed(problem, ...refs)})`;

const [orra, tin, vesk] = ['Lake Orra', 'Lake Tin', 'Lake Vesk'].map(search) as [
  string,
  string,
  string,
];
const [ardo, belt, corr] = ['Mount Ardo', 'Mount Belt', 'Mount Corr'].map(search) as [
  string,
  string,
  string,
];
const [aln, brim, cass] = ['Port Aln', 'Port Brim', 'Port Cass'].map(search) as [
  string,
  string,
  string,
];
const [dunmore, elda] = ['The Dunmore Bridge', 'The Elda Bridge'].map(search) as [string, string];

export const plans: readonly ParallelPlan[] = [
  plan(
    'How much larger is Lake Orra than Lake Tin?',
    [orra, tin, solved('difference of areas', '$1', '$2')],
    336,
  ),
  plan(
    'How deep is the deepest lake?',
    [orra, tin, vesk, unclosed('max second number', '$1', '$2', '$3')],
    310,
  ),
  plan(
    'How high is the lowest mountain?',
    [ardo, belt, solved('min of heights', '$1', '$2')],
    2816,
  ),
  plan(
    'How many live in all ports?',
    [aln, brim, cass, solved('sum of inhabitants', ...[1, 2, 3].map((id) => `$\{${id}}`))],
    756000,
  ),
  plan(
    'How many years lie between the first climbs?',
    [ardo, belt, unclosed('difference, second number', '$1', '$2')],
    31,
  ),
  plan(
    'How often does Lake Tin fit into Lake Orra?',
    [orra, tin, solved('ratio of areas', '$1', '$2')],
    5,
  ),
  plan('How large is Port Aln?', [aln, solved('min second number', '$1')], 70),
  plan(
    'Mean height of all mountains?',
    [ardo, belt, corr, unclosed('mean height', '$1', '$2', '$3')],
    3680,
  ),
  plan(
    'Twice the difference of the bridges?',
    [dunmore, elda, unclosed('difference of lengths', '$1', '$2'), unclosed('double it', '$3')],
    2500,
  ),
  plan(
    'Ratio of the larger lakes to the larger ports?',
    [
      orra,
      vesk,
      aln,
      cass,
      solved('sum', '$1', '$2'),
      solved('sum', '$3', '$4'),
      solved('ratio', '$6', '$5'),
    ],
    392.857,
  ),
  plan(
    'Largest of the differences of heights?',
    [
      ...[ardo, belt, corr],
      unclosed('difference', '$1', '$2'),
      unclosed('difference', '$2', '$3'),
      unclosed('max of both', '$4', '$5'),
    ],
    2304,
  ),
  plan(
    'When was the later bridge opened?',
    [dunmore, elda, solved('max second number', '$1', '$2')],
    1964,
  ),
  plan('Area of all ports?', [aln, brim, cass, solved('sum second number', '$1', '$2', '$3')], 208),
  plan(
    'Sum of differences of areas and of depths?',
    [
      ...[orra, tin],
      solved('difference of areas', '$1', '$2'),
      unclosed('difference, second number', '$1', '$2'),
      unclosed('sum', '$3', '$4'),
    ],
    550,
  ),
  plan(
    'How much higher is Mount Corr than Mount Ardo?',
    [corr, ardo, solved('difference', '$1', '$2')],
    2016,
  ),
  plan(
    'Ten times through the searches?',
    [orra, tin, vesk, ardo, belt, unclosed('sum', '$1', '$2', '$3', '$4', '$5')],
    7684,
  ),
  plan(
    'Product of both bridges, in metres?',
    [dunmore, elda, solved('product', '$1', '$2')],
    3125000,
  ),
  plan('Smallest area of a lake?', [vesk, tin, orra, unclosed('min', '$1', '$2', '$3')], 84),
  plan(
    'Is the mean of the ports above twice the smallest?',
    [
      aln,
      brim,
      cass,
      solved('mean', '$1', '$2', '$3'),
      solved('min', '$1', '$2', '$3'),
      solved('double', '$5'),
      solved('difference', '$4', '$6'),
    ],
    60000,
  ),
  plan('How long is the shorter bridge?', [elda, dunmore, solved('min', '$2', '$1')], 1250),
];
