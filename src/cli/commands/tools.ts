/** `planvm tools`: which tools a program may call here, and a call of one of them. */
import { openToolbox, type Toolbox } from '../../agent/tools/toolbox.ts';
import { nearest } from '../../program/diagnostic.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { findTool, namespaceOf, toolHint } from '../../program/tool-names.ts';
import { oneLine } from '../../text/words.ts';
import { type CommandSpec, json, repeated } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { modelOptions, type RunFlags, toolOptions } from '../run/run-options.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { callHere } from '../tools/call-tool.ts';
import { filtered, listLines, showLines } from '../tools/tool-lines.ts';
import { present, say, styleOf } from '../view/output.ts';

interface Flags extends RunFlags {
  readonly arg?: readonly string[];
}

export const command: CommandSpec = {
  about:
    'List, show and call the tools that programs may call here: the built-in ones, and those of ' +
    'the configuration and of --tools.',
  examples: [
    ['planvm tools', 'every tool, with its class and where it comes from'],
    ['planvm tools show vector_search', 'the parameters of one'],
    ['planvm tools call calculate --arg expression="6 * 7"', 'try one'],
  ],
  parts: {
    ls: {
      isDefault: true,
      about: 'List the tools (the default), by namespace.',
      takes: [['[filter]', 'A pattern (github.*), a namespace, or a text that they are about.']],
      options: [json('Print a JSON list.'), ...toolOptions()],
      examples: [
        ['planvm tools', 'every tool'],
        ['planvm tools ls --tools ./tools.ts --json', 'with those of a file'],
        ["planvm tools ls 'library.*' --openapi library.yaml", 'those of a document'],
      ],
      act: (filter: string | undefined, flags: Flags) =>
        using(flags, (toolbox) => listTools(toolbox, filter, flags)),
    },
    show: {
      about: 'Show one tool: what it does, its parameters, its class.',
      takes: [['<name>', 'Name of the tool.']],
      options: [json('Print its declaration.'), ...toolOptions()],
      examples: [
        ['planvm tools show llm_generate', 'one tool'],
        ['planvm tools show calculate --json', 'its declaration'],
      ],
      act: (name: string, flags: Flags) =>
        using(flags, (toolbox) => showTool(toolbox, name, flags)),
    },
    call: {
      about: 'Call a tool once, outside of any run; nothing is journaled.',
      takes: [
        ['<name>', 'Name of the tool.'],
        ['[arguments]', 'Its arguments, a JSON object.'],
      ],
      options: [
        ['--arg <name=value>', 'One argument: JSON or text.', repeated],
        json('Print the result as JSON, texts too.'),
        ...toolOptions(),
        ...modelOptions(),
      ],
      examples: [
        ['planvm tools call calculate \'{"expression": "6 * 7"}\'', 'with JSON'],
        ['planvm tools call vector_search --arg query="river"', 'by name'],
      ],
      act: (name: string, text: string | undefined, flags: Flags) =>
        using(flags, (toolbox) => {
          const given = { text, pairs: flags.arg, json: flags.json };
          return callHere(toolbox, known(toolbox, name).name, given);
        }),
    },
  },
};

async function using(
  flags: Flags,
  act: (toolbox: Toolbox) => ExitCode | Promise<ExitCode>,
): Promise<ExitCode> {
  const workspace = await openWorkspace({ flags });
  const toolbox = await openToolbox(workspace);
  for (const { message } of toolbox.warnings) {
    say(`${styleOf(process.stderr).warning('warning:')} ${oneLine(message)}`);
  }
  try {
    return await act(toolbox);
  } finally {
    toolbox.close();
  }
}

function known(toolbox: Toolbox, name: string): ToolSpec {
  const spec = findTool(toolbox.specs, name);
  if (spec) return spec;
  const hint = toolHint(toolbox.specs, name) ?? 'planvm tools lists them';
  throw new CliError('PV6013', `there is no tool ${name}`, { hint });
}

function listTools(toolbox: Toolbox, filter: string | undefined, { json }: Flags): ExitCode {
  const { specs, origins } = toolbox;
  const found = filtered(specs.values(), filter);
  if (found.length === 0 && filter !== undefined) {
    const command = nearest(filter, ['ls', 'show', 'call']);
    if (command !== undefined) {
      throw new CliError('PV6001', `tools has no command ${filter}, and there is no tool like it`, {
        hint: `did you mean planvm tools ${command}?`,
      });
    }
    throw new CliError('PV6013', `there is no tool like ${filter}`, {
      hint: toolHint(specs, filter) ?? 'planvm tools lists all of them',
    });
  }
  const documents = found.map((spec) => documentOf(spec, toolbox));
  present(json, documents, () => listLines(found, origins));
  return exit.done;
}

function showTool(toolbox: Toolbox, name: string, { json }: Flags): ExitCode {
  const spec = known(toolbox, name);
  const origin = toolbox.origins.get(spec.name) ?? '';
  const pinned = toolbox.pinned.get(spec.name) ?? {};
  present(json, { ...documentOf(spec, toolbox), pinned }, () =>
    showLines(spec, { origin, pinned, env: process.env }),
  );
  return exit.done;
}

/** The declaration, and what stands around it. */
const documentOf = (spec: ToolSpec, { origins }: Toolbox) => ({
  ...spec,
  namespace: namespaceOf(spec.name),
  origin: origins.get(spec.name),
});
