/**
 * `planvm doctor`: whether the installation works, and where each setting comes from. Each part is
 * tried by itself: one failure hides no other.
 */

import { existsSync, statSync } from 'node:fs';
import { reasonOf } from '../../agent/port/errors.ts';
import {
  journalPath,
  knowledgePath,
  type ModelRole,
  shortPath,
} from '../../agent/port/workspace.ts';
import { showBytes, showLimit } from '../../agent/settings/quantity.ts';
import { openBase } from '../../agent/tools/knowledge-base.ts';
import { configuredModel, roleSetting } from '../../agent/tools/model-roles.ts';
import { openToolbox, type Toolbox } from '../../agent/tools/toolbox.ts';
import { redact, secretsOf } from '../../effects/model/endpoint.ts';
import { openJournal } from '../../engine/journal/open-journal.ts';
import { defaultApprovals } from '../../engine/perform/approvals.ts';
import { stringify } from '../../program/json.ts';
import { limitNames, limitTable } from '../../program/limits.ts';
import { columns, count, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { modelOptions, type RunFlags, toolOptions } from '../run/run-options.ts';
import { nameInFile, type Origins, type Settings, settingNames } from '../settings/settings.ts';
import { openWorkspace, type Workspace } from '../settings/workspace.ts';
import { present, styleOf } from '../view/output.ts';

export const command: CommandSpec = {
  about:
    'Check the installation: Node, journal, configuration, model, tools, knowledge base; and ' +
    'say where each setting comes from. Calls no model and shows no keys.',
  options: [json('Print a JSON document.'), ...toolOptions(), ...modelOptions()],
  examples: [
    ['planvm doctor', 'does everything work here?'],
    ['planvm doctor --model ollama/llama3.2', 'would it work with this model?'],
  ],
  act: doctor,
};

async function doctor(flags: RunFlags): Promise<ExitCode> {
  const { findings, settings } = await diagnose(flags);
  const ok = findings.every(({ status }) => status !== 'wrong');
  present(flags.json, { ok, checks: findings, settings }, () => [
    ...findingLines(findings),
    `\n${styleOf(process.stdout).strong('settings')}`,
    ...columns(settings.map(({ name, value, origin }) => [name, shown(value), origin])).map(
      (line) => `  ${line}`,
    ),
  ]);
  return ok ? exit.done : exit.usage;
}

function findingLines(findings: readonly Finding[]): string[] {
  const style = styleOf(process.stdout);
  const markers = { good: style.good('✔'), wrong: style.error('✖'), absent: style.dim('○') };
  return findings.flatMap(({ what, status, about, hint }) => [
    `${markers[status]} ${what}: ${oneLine(about)}`,
    ...(hint === undefined ? [] : [`    ${style.dim('hint:')} ${oneLine(hint)}`]),
  ]);
}

function shown(value: unknown): string {
  if (value === null) return 'not set';
  return oneLine(typeof value === 'string' ? value : stringify(value));
}

export interface Finding {
  readonly what: string;
  /** `absent` is neither good nor bad: it is not there yet. */
  readonly status: 'good' | 'wrong' | 'absent';
  readonly about: string;
  readonly hint?: string;
}

export interface ShownSetting {
  readonly name: string;
  /** Null: it is not set, and nothing stands in for it. */
  readonly value: unknown;
  readonly origin: string;
}

export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly settings: readonly ShownSetting[];
}

export async function diagnose(flags: RunFlags): Promise<Diagnosis> {
  const { node, sqlite = 'none' } = process.versions;
  const findings: Finding[] = [
    { what: 'Node', status: 'good', about: `${node}, SQLite ${sqlite}` },
  ];
  let workspace: Workspace;
  try {
    workspace = await openWorkspace({ flags });
  } catch (error) {
    findings.push(wrong('configuration', error, {}));
    return { findings, settings: [] };
  }
  const { env } = workspace;
  const attempt = async (what: string, look: () => Finding | Promise<Finding>): Promise<void> => {
    try {
      findings.push(await look());
    } catch (error) {
      findings.push(wrong(what, error, env));
    }
  };
  findings.push(configuration(workspace));
  await attempt('journal', () => journalFinding(workspace));
  await attempt('tools', async () => {
    const toolbox = await openToolbox(workspace);
    toolbox.close();
    return toolsFinding(toolbox);
  });
  await attempt('model', () => modelFinding(workspace, 'worker'));
  for (const role of ['planner', 'judge'] as const) {
    const { model } = workspace.settings;
    if (roleSetting(workspace.settings, role) === model) continue;
    await attempt(`model of the ${role}`, () => modelFinding(workspace, role));
  }
  await attempt('knowledge base', () => knowledgeFinding(workspace));
  return { findings, settings: shownSettings(workspace) };
}

function wrong(what: string, error: unknown, env: Workspace['env']): Finding {
  const hint = error instanceof Error && 'hint' in error ? error.hint : undefined;
  const about = redact(reasonOf(error), secretsOf(env));
  return { what, status: 'wrong', about, ...(typeof hint === 'string' ? { hint } : {}) };
}

function configuration({ project, added }: Workspace): Finding {
  const { configFile, personalFile, envFile } = project;
  const files = [configFile, personalFile].flatMap((file) => (file ? [shortPath(file)] : []));
  if (envFile !== undefined) {
    const names = Object.keys(added).sort().join(', ');
    files.push(`${shortPath(envFile)} (adds ${names || 'nothing'})`);
  }
  const what = 'configuration';
  if (files.length > 0) return { what, status: 'good', about: files.join('; ') };
  return { what, status: 'absent', about: 'no file', hint: 'planvm init writes a first one' };
}

/** From here on it may be worth dropping something. */
const largeJournalBytes = 1e9;

function journalFinding(workspace: Workspace): Finding {
  const path = journalPath(workspace);
  const what = 'journal';
  if (!existsSync(path)) {
    return { what, status: 'absent', about: `${shortPath(path)} is made by the first run` };
  }
  const journal = openJournal(path);
  try {
    const { size } = statSync(path);
    const parts = [shortPath(path), showBytes(size)];
    for (const status of ['suspended', 'waiting'] as const) {
      const runs = journal.list({ status }).length;
      if (runs > 0) parts.push(`${count(runs, 'run')} ${status}`);
    }
    const hint = size > largeJournalBytes ? 'planvm gc --help: drop old runs' : undefined;
    return { what, status: 'good', about: parts.join(', '), ...(hint && { hint }) };
  } finally {
    journal.close();
  }
}

function toolsFinding({ origins }: Toolbox): Finding {
  const counts = new Map<string, number>();
  for (const origin of origins.values()) counts.set(origin, (counts.get(origin) ?? 0) + 1);
  const about = [...counts].map(
    ([origin, n]) => `${n} ${origin === 'built in' ? origin : `of ${origin}`}`,
  );
  return { what: 'tools', status: 'good', about: about.join(', ') };
}

/** Opening a model finds a misspelt name and a missing key; it calls nobody. */
function modelFinding(workspace: Workspace, role: ModelRole): Finding {
  const what = role === 'worker' ? 'model' : `model of the ${role}`;
  if (!roleSetting(workspace.settings, role)) {
    const hint = 'name one with --model, PLANVM_MODEL or the setting model: provider/model';
    return { what, status: 'absent', about: 'none configured', hint };
  }
  return {
    what,
    status: 'good',
    about: `${configuredModel(workspace, role).name} (not called)`,
  };
}

function knowledgeFinding(workspace: Workspace): Finding {
  const path = knowledgePath(workspace);
  const what = 'knowledge base';
  if (!existsSync(path)) {
    const hint = 'planvm ingest PATHS… loads files into it';
    return { what, status: 'absent', about: 'none yet', hint };
  }
  const knowledge = openBase(workspace, { mustExist: true });
  try {
    const { documents, chunks, facts } = knowledge.counts();
    const held = [count(documents, 'document'), count(chunks, 'piece'), count(facts, 'fact')];
    return { what, status: 'good', about: `${shortPath(path)}: ${held.join(', ')}` };
  } finally {
    knowledge.close();
  }
}

/** Every setting and every limit, with its value and its origin. Keys are not settings. */
function shownSettings({ settings, origins, home }: Workspace): ShownSetting[] {
  const made: ShownSetting[] = settingNames
    .filter((name) => name !== 'home')
    .flatMap((name) => shownSetting(name, settings, origins));
  made.push({ name: 'home', value: home, origin: origins.home ?? 'default' });
  for (const name of limitNames) {
    const { [name]: value = limitTable[name].default } = settings.limits;
    const { [name]: origin = 'default' } = origins;
    made.push({ name: `limits.${name}`, value: showLimit(name, value), origin });
  }
  return made;
}

function shownSetting(
  name: (typeof settingNames)[number],
  settings: Settings,
  origins: Origins,
): ShownSetting[] {
  const shown = nameInFile(name);
  const setting = settings[name];
  if (setting !== undefined) {
    return [{ name: shown, value: setting, origin: origins[name] ?? '' }];
  }
  const { model } = settings;
  const isRole = name === 'plannerModel' || name === 'judgeModel';
  if (isRole && model) return [{ name: shown, value: model, origin: `model: ${origins.model}` }];
  const value = name === 'approve' ? defaultApprovals.policy : null;
  return [{ name: shown, value, origin: 'default' }];
}
