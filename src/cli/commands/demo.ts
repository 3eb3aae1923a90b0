/** `planvm demo`: the main job on a small knowledge base, the model's part from a transcript. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { shortPath } from '../../agent/port/workspace.ts';
import { openBase } from '../../agent/tools/knowledge-base.ts';
import { ingest } from '../../effects/retrieve/ingest.ts';
import { count } from '../../text/words.ts';
import { type CommandSpec, json, quiet } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { answerHere } from '../planning/ask-here.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { say, styleOf } from '../view/output.ts';

const goal = "What is the population of the capital of France's third-largest neighbour by area?";

/** Where the package keeps what the demo needs, from here as from the built files. */
const folder = fileURLToPath(new URL('../../../examples/geography/', import.meta.url));

/** Time between the words of the recorded replies, so that who looks on sees them arrive. */
const paceMs = 12;

interface Flags {
  readonly json?: true;
  readonly quiet?: true;
}

export const command: CommandSpec = {
  about:
    'Show the main job: load a small geography, let a plan be written, run it, answer. The ' +
    "model's part is replayed from a transcript: no key, no network.",
  options: [
    json('Print the result as one JSON document.'),
    quiet('Only the answer, and what went wrong.'),
  ],
  examples: [
    ['planvm demo', 'see it run'],
    ['planvm demo --json', 'the result document of a run'],
  ],
  act: act,
};

async function act(flags: Flags): Promise<ExitCode> {
  const replay = join(folder, 'transcript.ndjson');
  const configured = await openWorkspace({ flags: { replay, tools: [], dialect: 'stackvm-2' } });
  const isShown = !flags.quiet && process.stderr.isTTY;
  const home = join(configured.home, 'demo');
  const workspace: Workspace = { ...configured, home, paceMs: isShown ? paceMs : 0 };
  const tell = (text: string): void => {
    if (!flags.quiet) say(text);
  };
  const style = styleOf(process.stderr);
  tell(`${style.strong('Goal:')} ${goal}`);
  tell(
    style.dim(
      "The model's part is replayed from a transcript; the plan is checked and run for real. How " +
        'to use a real model instead stands at the end.',
    ),
  );
  await load(workspace, tell);
  const asked = { goal: { text: goal }, inputs: new Map(), flags: { ...flags, journal: true } };
  const code = await answerHere({ workspace, ...asked, isNamed: false });
  if (code === exit.done) tell(whatNext(workspace));
  return code;
}

async function load(workspace: Workspace, tell: (text: string) => void): Promise<void> {
  const knowledge = openBase(workspace);
  try {
    const report = await ingest(knowledge, [join(folder, 'knowledge')]);
    const facts = report.files.reduce((sum, file) => sum + file.facts, 0);
    const chunks = report.files.reduce((sum, file) => sum + file.chunks, 0);
    const loaded = `${count(report.files.length, 'file')}: ${count(facts, 'fact')}`;
    tell(`${styleOf(process.stderr).strong('Knowledge:')} ${loaded}, ${count(chunks, 'passage')}`);
  } finally {
    knowledge.close();
  }
}

function whatNext(workspace: Workspace): string {
  const style = styleOf(process.stderr);
  const home = `PLANVM_HOME=${shortPath(workspace.home)}`;
  const next = [
    ['every step and effect of this run', `${home} npx planvm show last`],
    ['the plan, checked', `npx planvm check ${shortPath(join(folder, 'plan.json'))}`],
    [
      'a real model in place of the transcript',
      `${home} OPENAI_API_KEY=… npx planvm ask "${goal}" --model openai/gpt-5-mini`,
    ],
  ];
  const lines = next.map(([about, line]) => `  ${style.dim(`# ${about}`)}\n  ${line}`);
  return `\n${style.strong('Try next:')}\n${lines.join('\n')}`;
}
