/** Writes cases: one of a run that there is, and a first one to begin with. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { AgentError } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';
import { dialectFiles, dialectNames } from '../dialects/names.ts';
import type { Journal, RunSummary } from '../engine/journal/journal.ts';
import { readPast } from '../engine/past/read-past.ts';
import { decode, stringify, toJson } from '../program/json.ts';
import { caseName, type Description } from './case-file.ts';
import { outcomesOf } from './outcomes.ts';

/** The files of a case that runs the same program with the same inputs, on recorded outcomes. */
export function filesOfRun(
  journal: Journal,
  { id, inputs, status }: RunSummary,
): Record<string, string> {
  const { program: loaded } = readPast(journal.events(id));
  if (!loaded || (status !== 'done' && status !== 'failed')) {
    throw new AgentError('PV6043', `run ${id} is not over: ${status}`, {
      facts: { run: id, lacks: 'end' },
    });
  }
  const known = dialectNames.find((name) => name === loaded.dialect);
  const [ending = '.json'] = known ? dialectFiles[known] : [];
  const program = `program${ending}`;
  const described: Description = {
    program,
    dialect: loaded.dialect,
    inputs: toJson(decode(inputs)) as Record<string, unknown>,
    outcomes: 'outcomes.ndjson',
  };
  return {
    [caseName]: `${stringify(described, 2)}\n`,
    [program]: loaded.text,
    'outcomes.ndjson': outcomesOf(journal, id),
  };
}

/** A program with a model's answer in it. */
export const starterCase: Readonly<Record<string, string>> = {
  [caseName]: `${JSON.stringify(
    {
      program: 'program.star',
      inputs: { city: 'Lisbon' },
      transcript: 'transcript.ndjson',
    },
    null,
    2,
  )}\n`,
  'program.star': 'river = llm_generate("Which river is " + city + " on?")\nanswer(river)\n',
  'transcript.ndjson': '{"prompt": "Which river is * on?", "reply": "The Tagus."}\n',
};

/** Throws `AgentError` PV6014 where one of the files is there already. */
export function writeCase(folder: string, files: Readonly<Record<string, string>>): void {
  const target = resolve(folder);
  const existing = Object.keys(files).filter((name) => existsSync(join(target, name)));
  if (existing.length > 0) {
    const message = `${shortPath(target)} has ${existing.join(', ')} already; nothing was written`;
    throw new AgentError('PV6014', message, { hint: 'choose another folder, or move them away' });
  }
  mkdirSync(target, { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(target, name), text, { flag: 'wx' });
  }
}
