/**
 * `planvm init`: a configuration, a file with tools and a first plan, which runs as it is: without
 * a model, a key or a network.
 */
import { appendFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { print, say, styleOf } from '../view/output.ts';
import { ourName } from '../view/result.ts';

interface Flags {
  readonly model?: string;
}

export const command: CommandSpec = {
  about: 'Set up a folder: planvm.config.ts, tools.ts and a first plan, ready to run.',
  takes: [['[folder]', 'Where; here when absent.', '.']],
  options: [['--model <provider/model>', 'The model to configure.']],
  examples: [
    ['planvm init', 'in this folder'],
    ['planvm init demo --model ollama/llama3.2', 'in a new folder'],
  ],
  act: init,
};

function init(folder: string, { model = '' }: Flags): ExitCode {
  const target = resolve(folder);
  const there = Object.keys(starterFiles('')).filter((name) => existsSync(join(target, name)));
  if (there.length > 0) {
    throw new CliError('PV6014', `${target} has ${there.join(', ')} already; nothing was written`, {
      hint: 'choose another folder, or move them away',
    });
  }
  mkdirSync(target, { recursive: true });
  for (const [name, text] of Object.entries(starterFiles(model))) {
    writeFileSync(join(target, name), text, { flag: 'wx' });
    print(`wrote ${join(folder, name)}`);
  }
  const added = ignore(join(target, '.gitignore'));
  if (added.length > 0) print(`added ${added.join(', ')} to ${join(folder, '.gitignore')}`);
  const style = styleOf(process.stderr);
  say(`\n${style.strong('next')}`);
  if (folder !== '.') say(`  cd ${folder}`);
  for (const args of ['run plan.json', 'show last', 'doctor']) say(`  ${ourName} ${args}`);
  return exit.done;
}

/** Adds what git should leave alone and does not yet; gives what was added. */
function ignore(file: string): string[] {
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  const lines = new Set(before.split('\n').map((line) => line.trim()));
  const missing = ignored.filter((line) => !lines.has(line));
  const gap = before === '' || before.endsWith('\n') ? '' : '\n';
  if (missing.length > 0) appendFileSync(file, `${gap}${missing.join('\n')}\n`);
  return missing;
}

/** Lines for .gitignore. */
export const ignored: readonly string[] = ['.planvm/', '.env'];

/** File names and their texts; `model` is empty where none was chosen. */
export function starterFiles(model: string): Readonly<Record<string, string>> {
  return { 'planvm.config.ts': config(model), 'tools.ts': tools, 'plan.json': plan };
}

function config(model: string): string {
  const line = model === '' ? "// model: 'openai/gpt-5-mini'," : `model: ${JSON.stringify(model)},`;
  return `// Settings of planvm in this folder. \`planvm doctor\` says which hold, and why.
// Keys stay out of here: OPENAI_API_KEY and the like are read from the environment or .env.
export default {
  ${line.replaceAll('"', "'")}
  tools: './tools.ts',
  limits: { tokens: 200_000, wallMs: '10m' },
};
`;
}

const tools = `// Tools that programs may call here.
//
// \`effect\` says what a call does to the world: 'pure' computes, 'read' looks something up,
// 'write' changes something. Reads run side by side; writes run one at a time, in the program's
// order.

const celsius: Record<string, number> = { Lisbon: 17.4, Oslo: 6.3, Cairo: 22.1 };

export default [
  {
    name: 'mean_temperature',
    description: 'Mean temperature of a city over a year. Returns { city, celsius }.',
    effect: 'read',
    parameters: {
      type: 'object',
      properties: { city: { type: 'string', description: 'Name of the city.' } },
      required: ['city'],
    },
    async run({ city }: { city: string }) {
      if (!(city in celsius)) throw new Error(\`no temperature of \${city}\`);
      return { city, celsius: celsius[city] };
    },
  },
];
`;

const plan = `[
  {
    "seq_no": 0,
    "type": "calling",
    "execution_objective": "Find out how warm Lisbon is.",
    "parameters": {
      "tool_name": "mean_temperature",
      "tool_params": { "city": "Lisbon" },
      "output_vars": ["lisbon"]
    }
  },
  {
    "seq_no": 1,
    "type": "calling",
    "execution_objective": "Find out how warm Oslo is. This runs beside the step before.",
    "parameters": {
      "tool_name": "mean_temperature",
      "tool_params": { "city": "Oslo" },
      "output_vars": ["oslo"]
    }
  },
  {
    "seq_no": 2,
    "type": "calling",
    "execution_objective": "Compare the two.",
    "parameters": {
      "tool_name": "calculate",
      "tool_params": { "expression": "round(\${lisbon.celsius} - \${oslo.celsius}, 1)" },
      "output_vars": ["difference"]
    }
  },
  {
    "seq_no": 3,
    "type": "assign",
    "execution_objective": "Say it.",
    "parameters": {
      "final_answer": "Lisbon is \${difference} degrees warmer than Oslo."
    }
  }
]
`;
