/** `planvm tools`: which tools a program may call here, and a call of one of them. */
import { type Command, Option } from '@commander-js/extra-typings';
import { togetherLines } from '../../dialects/signature.ts';
import { nearest } from '../../program/diagnostic.ts';
import { mandatory, type ToolSpec } from '../../program/effect.ts';
import { stringify } from '../../program/json.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { acting, addExamples } from '../help.ts';
import { addModelOptions, addToolsOption, type RunFlags, repeated } from '../run-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { callTool } from '../tools/call-tool.ts';
import { openToolbox, type Toolbox } from '../tools/toolbox.ts';
import { print, styleOf } from '../view/output.ts';
import { clip, columns, oneLine, withoutControls } from '../view/text.ts';

interface Flags extends RunFlags {
  readonly arg?: readonly string[];
}

export function define(command: Command, end: (code: ExitCode) => void): void {
  command.description(
    'List, show and call the tools that programs may call here: the built-in ones, and those of ' +
      'the configuration and of --tools.',
  );
  const list = command
    .command('ls', { isDefault: true })
    .description('List the tools (the default).')
    .addOption(new Option('--json', 'Print a JSON list.').helpGroup('Output:'))
    .action(acting(end, (flags: Flags) => using(flags, (toolbox) => listTools(toolbox, flags))));
  const show = command
    .command('show')
    .description('Show one tool: what it does, its parameters, its class.')
    .argument('<name>', 'Name of the tool.')
    .addOption(new Option('--json', 'Print its declaration.').helpGroup('Output:'))
    .action(
      acting(end, (name: string, flags: Flags) =>
        using(flags, (toolbox) => showTool(toolbox, name, flags)),
      ),
    );
  const call = command
    .command('call')
    .description('Call a tool once, outside of any run; nothing is journaled.')
    .argument('<name>', 'Name of the tool.')
    .argument('[arguments]', 'Its arguments, a JSON object.')
    .addOption(new Option('--arg <name=value>', 'One argument: JSON or text.').argParser(repeated))
    .addOption(new Option('--json', 'Print the result as JSON, texts too.').helpGroup('Output:'))
    .action(
      acting(end, (name: string, args: string | undefined, flags: Flags) =>
        using(flags, (toolbox) => {
          known(toolbox, name);
          return callTool(toolbox, name, { text: args, pairs: flags.arg, json: flags.json });
        }),
      ),
    );
  for (const part of [list, show, call]) addToolsOption(part);
  addModelOptions(call);
  addExamples(command, ...examples);
  addExamples(
    list,
    ['planvm tools', 'every tool'],
    ['planvm tools ls --tools ./tools.ts --json', 'with those of a file'],
  );
  addExamples(
    show,
    ['planvm tools show llm_generate', 'one tool'],
    ['planvm tools show calculate --json', 'its declaration'],
  );
  addExamples(
    call,
    ['planvm tools call calculate \'{"expression": "6 * 7"}\'', 'with JSON'],
    ['planvm tools call vector_search --arg query="river"', 'by name'],
  );
}

const examples = [
  ['planvm tools', 'every tool, with its class and where it comes from'],
  ['planvm tools show vector_search', 'the parameters of one'],
  ['planvm tools call calculate --arg expression="6 * 7"', 'try one'],
] as const;

async function using(
  flags: Flags,
  act: (toolbox: Toolbox) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const toolbox = await openToolbox(workspace, { record: flags.record });
  try {
    return await act(toolbox);
  } finally {
    toolbox.close();
  }
}

function known(toolbox: Toolbox, name: string): ToolSpec {
  const spec = toolbox.specs.get(name);
  if (spec) return spec;
  const near = nearest(name, toolbox.specs.keys());
  const hint = near === undefined ? 'planvm tools lists them' : `did you mean ${near}?`;
  throw new CliError('PV6013', `there is no tool ${name}`, { hint });
}

const descriptionColumns = 70;

function listTools({ specs, origins }: Toolbox, { json }: Flags): ExitCode {
  const all = [...specs.values()];
  if (json) {
    print(
      stringify(
        all.map((spec) => ({ ...spec, origin: origins.get(spec.name) })),
        2,
      ),
    );
    return exit.done;
  }
  const rows = all.map(({ name, effect, description }) => [
    name,
    effect,
    origins.get(name) ?? '',
    clip(oneLine(description), descriptionColumns),
  ]);
  const [head = '', ...lines] = columns([['tool', 'class', 'from', 'what it does'], ...rows]);
  print(styleOf(process.stdout).dim(head));
  for (const line of lines) print(line);
  return exit.done;
}

function showTool(toolbox: Toolbox, name: string, { json }: Flags): ExitCode {
  const spec = known(toolbox, name);
  const origin = toolbox.origins.get(name);
  if (json) print(stringify({ ...spec, origin }, 2));
  else for (const line of describe(spec, origin ?? '')) print(line);
  return exit.done;
}

function describe(spec: ToolSpec, origin: string): string[] {
  const style = styleOf(process.stdout);
  const { name, description, parameters, effect, idempotent, destructive, requires = [] } = spec;
  const facts = [
    `class ${effect}`,
    idempotent ? 'may be repeated' : 'never repeated without asking',
    ...(destructive ? ['destructive'] : []),
    origin,
  ];
  const required = new Set(mandatory(spec));
  const limits = Object.entries(spec.limits ?? {});
  const needOf = (key: string): string =>
    required.has(key) ? 'required' : requires.includes(key) ? 'asked for' : 'optional';
  const rows = Object.entries(parameters.properties ?? {}).map(([key, schema]) => [
    `  ${key}`,
    [schema.type ?? 'anything'].flat().join(' or '),
    needOf(key),
    oneLine(schema.description ?? ''),
  ]);
  return [
    `${style.strong(name)}  ${style.dim(facts.join(' · '))}`,
    withoutControls(description),
    ...(rows.length === 0 ? ['takes no parameters'] : columns(rows)),
    ...togetherLines(spec),
    ...(limits.length === 0 ? [] : [`limits: ${limits.map((one) => one.join(' ')).join(', ')}`]),
  ];
}
