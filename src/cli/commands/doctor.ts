/** `planvm doctor`: whether the installation works, and where each setting comes from. */
import { stringify } from '../../program/json.ts';
import { columns, oneLine } from '../../text/words.ts';
import { type CommandSpec, json } from '../command.ts';
import { diagnose, type Finding } from '../diagnose.ts';
import { type ExitCode, exit } from '../exit.ts';
import { modelOptions, type RunFlags, toolOptions } from '../run/run-options.ts';
import { print, styleOf } from '../view/output.ts';

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
  if (flags.json) {
    print(stringify({ ok, checks: findings, settings }, 2));
  } else {
    for (const line of findingLines(findings)) print(line);
    print(`\n${styleOf(process.stdout).strong('settings')}`);
    const rows = settings.map(({ name, value, origin }) => [name, shown(value), origin]);
    for (const line of columns(rows)) print(`  ${line}`);
  }
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
