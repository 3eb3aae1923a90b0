/**
 * The instructions of both stackvm dialects: one table that the parser, the checker, the published
 * schemas and the description for planners all read; the description has examples besides.
 */
import type { DialectName } from './plan.ts';

/**
 * - `value`: any JSON; references at any depth.
 * - `text`: text with references, or a reference to a value.
 * - `variable`: the name of a variable. `outputs`: one such name, or a list of them.
 * - `step`: the seq_no of an instruction. `branch`: a list of instructions.
 * - `tool`: the name of a tool. `arguments`: an object of values by the tool's parameter names.
 * - `note`: text or data for a person; never evaluated.
 */
export type ParameterType =
  | 'value'
  | 'text'
  | 'variable'
  | 'outputs'
  | 'step'
  | 'branch'
  | 'tool'
  | 'arguments'
  | 'note';

export interface ParameterRow {
  readonly name: string;
  readonly type: ParameterType;
  readonly required: boolean;
  readonly about: string;
  /** Other names in use today; taken without a word. */
  readonly also?: readonly string[];
  /** Names of older plans; taken with a warning. */
  readonly formerly?: readonly string[];
  /** It is handed to the tool of the same name as the instruction, whose schema judges it. */
  readonly argument?: true;
}

export interface InstructionRow {
  readonly type: string;
  readonly kind: 'assign' | 'call' | 'jump' | 'condition' | 'foreach' | 'reasoning';
  readonly dialects: readonly DialectName[];
  readonly about: string;
  readonly parameters: readonly ParameterRow[];
  /** Sets of parameters of which one has to be there whole. */
  readonly needs?: readonly (readonly string[])[];
  /** What a parameter is that the row does not name. */
  readonly rest: 'unknown' | 'variables' | 'arguments' | 'notes';
  readonly formerly?: readonly string[];
  /** Plans in the wild use it in these dialects, whose documents do not have it. */
  readonly unlisted?: readonly DialectName[];
}

const first: readonly DialectName[] = ['stackvm-1'];
const second: readonly DialectName[] = ['stackvm-2'];
const both: readonly DialectName[] = ['stackvm-1', 'stackvm-2'];

type More = Partial<Pick<ParameterRow, 'also' | 'formerly' | 'argument'>>;

const required = (
  name: string,
  type: ParameterType,
  about: string,
  more: More = {},
): ParameterRow => ({ name, type, required: true, about, ...more });

const optional = (
  name: string,
  type: ParameterType,
  about: string,
  more: More = {},
): ParameterRow => ({ name, type, required: false, about, ...more });

const context: ParameterRow = optional('context', 'value', 'Data that the model sees with it.');
const outputVar: ParameterRow = required(
  'output_var',
  'outputs',
  'The variable that gets the result.',
  { also: ['output_vars'] },
);
const argument: More = { argument: true };

/** What a call has beside the parameters of its tool, where the tool stands as type. */
export const toolRow: InstructionRow = {
  type: '',
  kind: 'call',
  dialects: both,
  about: 'Calls the tool.',
  parameters: [{ ...outputVar, required: false }],
  rest: 'arguments',
};

export const rows: readonly InstructionRow[] = [
  {
    type: 'assign',
    kind: 'assign',
    dialects: first,
    about: 'Stores a value in a variable.',
    parameters: [
      required('value', 'value', 'What is stored.'),
      required('var_name', 'variable', 'The variable that gets it.'),
    ],
    rest: 'unknown',
  },
  {
    type: 'assign',
    kind: 'assign',
    dialects: second,
    about:
      'Stores values in variables, one for each key, in the order of the keys: a later one can ' +
      'refer to an earlier one.',
    parameters: [],
    rest: 'variables',
  },
  {
    type: 'llm_generate',
    kind: 'call',
    dialects: first,
    about: 'Lets a language model write a text.',
    parameters: [
      required('prompt', 'text', 'What the model is asked.', argument),
      optional('context', 'value', 'Data that the model sees with it.', argument),
      outputVar,
    ],
    rest: 'arguments',
  },
  {
    type: 'retrieve_knowledge_graph',
    kind: 'call',
    dialects: first,
    about: 'Looks up entities and their relations in the knowledge graph.',
    parameters: [required('query', 'text', 'What is looked up.', argument), outputVar],
    rest: 'arguments',
  },
  {
    type: 'retrieve_embedded_chunks',
    kind: 'call',
    dialects: first,
    about: 'Finds passages in the knowledge base.',
    parameters: [
      required('embedding_query', 'text', 'What the passages are about.', argument),
      optional('top_k', 'value', 'How many passages, an integer.', argument),
      outputVar,
    ],
    rest: 'arguments',
    formerly: ['retrieve_knowledge_embedded_chunks'],
  },
  {
    type: 'vector_search',
    kind: 'call',
    dialects: first,
    about: 'Finds passages in the knowledge base.',
    parameters: [
      required('query', 'text', 'What the passages are about.', argument),
      optional('top_k', 'value', 'How many passages, an integer.', argument),
      outputVar,
    ],
    rest: 'arguments',
    unlisted: first,
  },
  {
    type: 'condition',
    kind: 'condition',
    dialects: first,
    about: 'Asks a language model a question of yes or no and executes one of two branches.',
    parameters: [
      required('prompt', 'text', 'The question, with the data it is about.', {
        formerly: ['condition'],
      }),
      context,
      optional('true_branch', 'branch', 'The list of instructions for yes; empty does nothing.', {
        formerly: ['if_true'],
      }),
      optional('false_branch', 'branch', 'The list of instructions for no; empty does nothing.', {
        formerly: ['if_false'],
      }),
    ],
    needs: [['true_branch'], ['false_branch']],
    rest: 'unknown',
  },
  {
    type: 'jmp',
    kind: 'jump',
    dialects: both,
    about:
      'Goes on at another instruction: always, or as a language model answers a question of yes ' +
      'or no. Jumping back makes a loop.',
    parameters: [
      optional('condition_prompt', 'text', 'The question, with the data it is about.'),
      context,
      optional('jump_if_true', 'step', 'The seq_no to go on at when the answer is yes.'),
      optional(
        'jump_if_false',
        'step',
        'The seq_no to go on at when it is no; the next instruction where it is left out.',
      ),
      optional('target_seq', 'step', 'The seq_no to go on at when nothing is asked.'),
    ],
    needs: [['target_seq'], ['condition_prompt', 'jump_if_true']],
    rest: 'unknown',
    unlisted: first,
  },
  {
    type: 'jmp_if',
    kind: 'jump',
    dialects: both,
    about: 'Goes on at another instruction as a language model answers a question of yes or no.',
    parameters: [
      required('condition_prompt', 'text', 'The question, with the data it is about.'),
      context,
      required('jump_if_true', 'step', 'Where to go on when yes.'),
      optional('jump_if_false', 'step', 'Where to go on when no.'),
    ],
    rest: 'unknown',
    unlisted: both,
  },
  {
    type: 'calling',
    kind: 'call',
    dialects: second,
    about: 'Calls a tool.',
    parameters: [
      required('tool', 'tool', 'The name of the tool.', { also: ['tool_name'] }),
      optional('params', 'arguments', 'A value for each parameter of the tool, by name.', {
        also: ['tool_params'],
      }),
      optional(
        'output_vars',
        'outputs',
        'Text: the variable that gets the whole result. A list: the result is a JSON object, and ' +
          'each variable gets the value of the key of its name; llm_generate is told these keys.',
        { formerly: ['output_var'] },
      ),
    ],
    rest: 'unknown',
  },
  {
    type: 'foreach',
    kind: 'foreach',
    dialects: second,
    about:
      'Executes instructions once for each item of a list, whatever its length. The calls of one ' +
      'item do not wait for those of another.',
    parameters: [
      required('items', 'value', 'The list.', { also: ['list', 'in'] }),
      optional('item_var', 'variable', 'The variable that holds the item; `item` if left out.', {
        also: ['item', 'var', 'as'],
      }),
      optional('index_var', 'variable', 'The variable that holds its position, from 0.', {
        also: ['index'],
      }),
      required(
        'instructions',
        'branch',
        'What is executed for each item: calling, assign, reasoning, foreach. They may number ' +
          'themselves from 0 again.',
        { also: ['body', 'do', 'steps'] },
      ),
      optional(
        'output_vars',
        'variable',
        'The variable that gets a list of what the last output for each item was.',
        { also: ['output_var'] },
      ),
    ],
    rest: 'unknown',
  },
  {
    type: 'reasoning',
    kind: 'reasoning',
    dialects: both,
    about: 'Says why the plan is as it is. It does nothing.',
    parameters: [
      optional('chain_of_thoughts', 'note', 'The thoughts behind the plan.'),
      optional('dependency_analysis', 'note', 'Which steps need which, as text or data.'),
    ],
    rest: 'notes',
  },
];

export const dialectNames: readonly DialectName[] = both;

/** The row of a type in a dialect, or else in the other one, also by its former name. */
export function rowOf(type: string, dialect: DialectName): InstructionRow | undefined {
  const named = rows.filter((row) => row.type === type || row.formerly?.includes(type));
  return named.find((row) => row.dialects.includes(dialect)) ?? named[0];
}

/** The types of a dialect that its description names. */
export const rowsOf = (dialect: DialectName): readonly InstructionRow[] =>
  rows.filter((row) => row.dialects.includes(dialect) && !row.unlisted?.includes(dialect));

/** The keys of an instruction. */
export const instructionKeys: readonly string[] = [
  'seq_no',
  'type',
  'parameters',
  'execution_objective',
  'on_error',
];
