/** `planvm check`: everything that can be said about a program without running anything. */
import { Option } from '@commander-js/extra-typings';
import { checkKnown, knownProgram, withNamed } from '../../agent/known-program.ts';
import type { Workspace } from '../../agent/port/workspace.ts';
import { saidModels } from '../../agent/program/check.ts';
import type { Source } from '../../agent/program/source.ts';
import { renderAll } from '../../dialects/diagnostic.ts';
import type { Checked } from '../../dialects/dialect.ts';
import type { Diagnostic } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';
import type { Program } from '../../program/program.ts';
import type { Value } from '../../program/value.ts';
import { count } from '../../text/words.ts';
import { flagged, withFlags } from '../advice.ts';
import { type CommandSpec, json, repeated } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { playbookOptions } from '../playbook/playbook-options.ts';
import {
  type InputFlags,
  inputNameOption,
  readInputs,
  readingInputsOf,
} from '../program/inputs.ts';
import { readProgram } from '../program/read-program.ts';
import { type PlanFlags, planOptions, programOptions, strictOption } from '../run/run-options.ts';
import { limitOptions } from '../settings/limit-options.ts';
import { openWorkspace, type SettingFlags } from '../settings/workspace.ts';
import { isColoured, print, say, styleOf } from '../view/output.ts';

interface Flags extends SettingFlags, InputFlags, PlanFlags {
  readonly cost?: true;
  readonly explain?: true;
  readonly inline?: number;
  readonly json?: true;
  readonly modules?: true;
  readonly strict?: true;
}

export const command: CommandSpec = {
  about:
    'Say what is wrong with a program, without running it, its tools or planvm.config.ts. Tools ' +
    'that only a module declares are warnings; --modules or a JSON file of declarations makes ' +
    'them known.',
  takes: [['<file>', 'The program; - reads it from stdin.']],
  options: [
    inputNameOption,
    ['--inputs <file>', 'Input variables: a JSON object.', repeated],
    ['--cost', 'Also what its calls of models will use and cost, as far as that is known.'],
    new Option('--model <provider/model>', 'The model whose price counts.').helpGroup('Models:'),
    json('Print { ok, dialect, diagnostics }, with --cost also cost: null for what is invalid.'),
    ...playbookOptions(['explain', 'inline', 'agentModel']),
    ...programOptions(),
    [
      '--modules',
      'Also import planvm.config.ts and modules of tools, for what they declare: your own code.',
    ],
    strictOption,
    ...planOptions(),
    ...limitOptions(['sourceBytes', 'programInstructions']),
  ],
  examples: [
    ['planvm check plan.json', 'what is wrong with a plan'],
    ['planvm check plan.json --tools tools.json', 'against declared tools'],
    ['planvm check plan.json --modules', 'against those of your own modules'],
    ['planvm check plan.json --cost --model openai/gpt-5-mini', 'what a run of it will cost'],
    ['planvm check plan.txt --strict', 'and nothing in it that had to be forgiven'],
    ['planvm check - --dialect stackvm-2 --json < plan.json', 'for another program'],
  ],
  act: check,
};

async function check(file: string, flags: Flags): Promise<ExitCode> {
  const imports = flags.modules === true;
  const own = await openWorkspace({ flags, execute: imports });
  // Only the names matter, and a name alone is enough.
  const input = flags.input?.map((pair) => (pair.includes('=') ? pair : `${pair}=`));
  const given = readInputs({ ...flags, ...(input && { input }) });
  const inputs = new Map([...given, ...readingInputsOf(flags)]);
  const text = await readProgram(file);
  const known = await knownProgram(text, own, imports);
  const { source, workspace, specs } = known;
  if (flags.agentModel) {
    const { refuseUnknownAgents } = await import('../../agent/playbook/manner-of.ts');
    refuseUnknownAgents(source.text, flags.agentModel);
  }
  const options = { inputs: [...inputs.keys()], strict: flags.strict };
  const checked = await checkKnown(known, options);
  const { ok, dialect, diagnostics } = checked;
  const priced = ok && flags.cost && !checked.program ? withNamed(known, diagnostics) : known;
  const { program } = priced === known ? checked : await checkKnown(priced, options);
  const cost =
    flags.cost && program ? await costOf(program, priced.specs, inputs, workspace, flags) : null;
  const { lines, about } =
    ok && dialect === 'playbook' ? await aboutPlaybooks(source, specs, flags, workspace) : {};
  if (flags.json) {
    const found = { ok, dialect, diagnostics: diagnostics.map(complete) };
    const document = {
      ...found,
      ...(lines && { lines }),
      ...(about && { explained: about.explained }),
    };
    print(stringify(flags.cost ? { ...document, cost: cost?.document ?? null } : document, 2));
  } else {
    const who = lines && `, ${count(lines.formal, 'formal line')}, ${lines.open} open`;
    print(`${textOf({ ok, dialect, diagnostics }, source)}${who ?? ''}`);
    if (about) for (const line of about.lines) print(line);
    for (const line of cost?.lines ?? []) print(line);
    const isUnsure = diagnostics.some(({ unknown }) => unknown !== undefined);
    if (known.unread.length > 0 && isUnsure) say(`--modules imports ${known.unread.join(', ')}`);
    if (ok && flags.cost && !cost) say(noCost);
  }
  return ok ? exit.done : exit.invalid;
}

/** How many lines of valid playbooks are open; where that is asked for, what became of them. */
async function aboutPlaybooks(
  { text }: Source,
  specs: ReadonlyMap<string, ToolSpec>,
  flags: Flags,
  workspace: Workspace,
) {
  const { countedLines, explainedText } = await import('../../agent/playbook/explained.ts');
  const { explainedLines } = await import('../playbook/explain.ts');
  const lines = countedLines(text, specs);
  if (!flags.explain) return { lines };
  const { mannerOf } = await import('../../agent/playbook/manner-of.ts');
  const { inline: inlineSteps } = mannerOf(workspace, flags, text);
  const { named: models } = saidModels(workspace.settings);
  const explained = explainedText(text, specs, { inlineSteps, models });
  return { lines, about: { explained, lines: explainedLines(explained) } };
}

const noCost = 'what it costs cannot be said: declare its tools in a JSON file, --tools tools.json';

/** Inputs of which only the name was given have a value that nobody knows. */
async function costOf(
  program: Program,
  specs: ReadonlyMap<string, ToolSpec>,
  inputs: ReadonlyMap<string, Value>,
  workspace: Workspace,
  flags: Flags,
): Promise<{ readonly document: object; readonly lines: readonly string[] }> {
  // Most checks cost nothing and need not know how models are called.
  const { estimateCost } = await import('../../agent/program/cost.ts');
  const { estimateLines } = await import('../program/estimate.ts');
  const unvalued = new Set(flags.input?.filter((pair) => !pair.includes('=')));
  const given = [...inputs].filter(([name]) => !unvalued.has(name));
  const document = estimateCost(program, specs, new Map(given), workspace);
  return { document, lines: estimateLines(document).map(withFlags) };
}

/** Every member is there, so that a reader need not ask. */
function complete(diagnostic: Diagnostic): Record<string, unknown> {
  const { code, severity, message, file, line, column, hint = null, step, notes } = diagnostic;
  return { code, severity, message, file, line, column, hint, step, notes };
}

function textOf({ ok, dialect, diagnostics }: Checked, { file, text }: Source): string {
  const style = styleOf(process.stdout);
  const found = renderAll(diagnostics.map(flagged), text, {
    file,
    color: isColoured(process.stdout),
  });
  if (!ok) return found;
  const good = `${style.good('✔')} ${file}: a valid program (${dialect})`;
  return found === '' ? good : `${found}\n${good}`;
}
