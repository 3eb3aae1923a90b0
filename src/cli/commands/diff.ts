/** `planvm diff`: what differs between two runs, from their programs to their ends. */
import { structuredPatch } from 'diff';
import { findRun } from '../../agent/record/find-run.ts';
import { load } from '../../agent/record/load.ts';
import {
  type Compared,
  type Comparison,
  compareRuns,
  type Divergence,
} from '../../engine/views/compare.ts';
import type { EffectView } from '../../engine/views/show.ts';
import type { Change } from '../../engine/views/state-diff.ts';
import { stringify } from '../../program/json.ts';
import {
  clip,
  count,
  duration,
  grouped,
  oneLine,
  price,
  withoutControls,
} from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { withJournal } from '../run/journal.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { present, type Style, styleOf } from '../view/output.ts';

interface Flags {
  readonly json?: true;
}

export const command: CommandSpec = {
  about:
    'Show what differs between two runs: the programs, line by line; the first effect that was ' +
    'another one or came to something else; the variables at the end with the places inside ' +
    'them; answers, status, and what each has used itself.',
  takes: [
    ['<run>', 'The beginning of a run id, or last.'],
    ['<other>', 'The beginning of a run id, or last.'],
  ],
  options: [json('Print { runs, program, effect, inputs, variables }.')],
  examples: [
    ['planvm diff r0abc last', 'a run and its latest fork'],
    ["planvm diff r0abc r0abd --json | jq '.variables'", 'for another program'],
  ],
  act: diff,
};

async function diff(one: string, other: string, flags: Flags): Promise<ExitCode> {
  return await withJournal(await openWorkspace({ execute: false }), (journal) => {
    const runs = [findRun(journal, one).id, findRun(journal, other).id] as const;
    const comparison = compareRuns({ journal, runs, load });
    present(flags.json, documentOf(comparison), () => linesOf(comparison));
    return exit.done;
  });
}

function documentOf({ runs, effect, inputs, variables, isCut }: Comparison): unknown {
  const [a, b] = runs.map(({ program, ...run }) => run);
  return {
    runs: [a, b],
    ...{ program: programDiff(runs), effect: effect ?? null, inputs, variables, isCut },
  };
}

/** Edits beyond which it is not worth while to look for what stayed. */
const editsMost = 1_000;

/** A unified diff without names of files; nothing where both are the same but for their ends. */
function programDiff(runs: Comparison['runs']): string[] {
  const [before, after] = runs.map(({ program }) => `${program.trimEnd()}\n`) as [string, string];
  const options = { context: 3, maxEditLength: editsMost };
  const patch = structuredPatch('', '', before, after, '', '', options);
  if (!patch) return [...signed('-', before), ...signed('+', after)];
  return patch.hunks.flatMap(({ oldStart, oldLines, newStart, newLines, lines }) => [
    `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`,
    ...lines,
  ]);
}

const signed = (sign: '-' | '+', text: string): string[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => sign + line);

function linesOf({ runs, effect, inputs, variables, isCut }: Comparison): string[] {
  const style = styleOf(process.stdout);
  const program = programDiff(runs);
  const sections = [
    ['program', program.map((line) => lineOfProgram(line, style))],
    ['first difference', effect ? divergenceLines(runs, effect) : []],
    ['inputs', inputs.map((change) => changeLine(change, style))],
    ['variables', variables.map((change) => changeLine(change, style))],
    ['answer', pairOf(runs, answerOf)],
    ['status', pairOf(runs, statusOf)],
  ] as const;
  const lines = [style.strong(`${runs[0].run} → ${runs[1].run}`)];
  for (const [title, found] of sections) {
    if (found.length > 0) lines.push('', style.strong(title), ...found);
  }
  if (isCut) lines.push('  and more variables');
  if (lines.length === 1) lines.push('', 'no difference');
  lines.push('', style.strong('used'), ...runs.map((run) => `  ${run.run}  ${usedBy(run)}`));
  return lines;
}

function lineOfProgram(line: string, style: Style): string {
  const text = withoutControls(line);
  if (line.startsWith('+')) return style.good(text);
  return line.startsWith('-') ? style.error(text) : style.dim(text);
}

const valueColumns = 100;

function divergenceLines([a, b]: Comparison['runs'], { what, id, effects }: Divergence): string[] {
  const [one, other] = effects;
  const step = one?.step ?? other?.step ?? '';
  const place = `effect ${id}${step === '' ? '' : ` at step ${step}`}`;
  const why = what === 'request' ? 'another call' : 'another outcome';
  return [
    `  ${place}: ${why}`,
    ...[a, b].map(({ run }, i) => `  ${run}  ${effectText(effects[i] ?? null)}`),
  ];
}

function effectText(effect: EffectView | null): string {
  if (!effect) return 'nothing';
  const { name, request, outcome, status } = effect;
  const asked = `${oneLine(name)} ${clip(oneLine(stringify(request)), valueColumns)}`;
  if (!outcome) return `${asked} → ${status}`;
  const text = 'value' in outcome ? stringify(outcome.value) : outcome.error.message;
  return `${asked} → ${'value' in outcome ? '' : 'error: '}${clip(oneLine(text), valueColumns)}`;
}

function changeLine({ change, path, before, after }: Change, style: Style): string {
  const [was, is] = [before, after].map((text = '') => clip(oneLine(text), valueColumns));
  const name = oneLine(path);
  if (change === 'added') return style.good(`  + ${name}  ${is}`);
  if (change === 'removed') return style.error(`  - ${name}  ${was}`);
  return `  ~ ${name}  ${was} → ${is}`;
}

/** Both, where they differ. */
function pairOf(runs: Comparison['runs'], textOf: (run: Compared) => string): string[] {
  const [one, other] = runs.map(textOf);
  return one === other ? [] : runs.map((run) => `  ${run.run}  ${textOf(run)}`);
}

function answerOf({ answers }: Compared): string {
  if (answers.length === 0) return 'none';
  return answers.map((answer) => clip(oneLine(stringify(answer)), valueColumns)).join('; ');
}

function statusOf({ status, reason, error }: Compared): string {
  const text = reason === undefined ? status : `${status} (${reason})`;
  return error ? `${text}  ${error.code} ${oneLine(error.message)}` : text;
}

function usedBy({ effects, usage, wallMs }: Compared): string {
  const parts = [count(effects, 'effect'), duration(wallMs)];
  if (usage.modelCalls > 0) {
    parts.push(count(usage.modelCalls, 'model call'));
    parts.push(`${grouped(usage.inputTokens + usage.outputTokens)} tokens`);
    if (usage.cost !== null) parts.push(price(usage.cost));
  }
  return parts.join(' · ');
}
