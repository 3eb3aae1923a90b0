/** `planvm prices`: what calls of models are taken to cost. */
import { priceOf, priceSources, prices, pricesAsOf } from '../../effects/model/prices.ts';
import { columns } from '../../text/words.ts';
import type { CommandSpec } from '../command.ts';
import { type ExitCode, exit } from '../exit.ts';
import { CliError } from '../failure.ts';
import { openWorkspace } from '../settings/workspace.ts';
import { present, say, styleOf } from '../view/output.ts';

interface Flags {
  readonly json?: true;
}

interface Row {
  readonly model: string;
  /** USD per million tokens. */
  readonly input: number;
  readonly output: number;
  /** `planvm`, or the configuration that says so. */
  readonly origin: string;
}

export const command: CommandSpec = {
  about:
    'List the prices of models, in USD per million tokens: those that planvm knows, and those ' +
    'of the configuration (prices), which come first. With a model, its price alone.',
  takes: [['[model]', 'provider/model.']],
  options: [['--json', 'Print { asOf, sources, prices: [{ model, input, output, origin }] }.']],
  examples: [
    ['planvm prices', 'all of them'],
    ['planvm prices openai/gpt-5-mini', 'of one model'],
    ['planvm prices --json', 'for another program'],
  ],
  act: list,
};

async function list(model: string | undefined, flags: Flags): Promise<ExitCode> {
  const { settings, origins } = await openWorkspace();
  const { prices: own = {} } = settings;
  const { prices: origin = '' } = origins;
  const all = { ...prices, ...own };
  const originOf = (name: string): string => (Object.hasOwn(own, name) ? origin : 'planvm');
  const rows = Object.entries(all).map(
    ([name, price]): Row => ({ model: name, ...price, origin: originOf(name) }),
  );
  const shown = model === undefined ? rows : [rowOf(model, priceOf(model, all), originOf(model))];
  const document = { asOf: pricesAsOf, sources: priceSources, prices: shown };
  const cells = shown.map(({ input, output, origin: from, ...row }) => [
    ...[row.model, String(input), String(output), from],
  ]);
  present(flags.json, document, () => columns([['model', 'input', 'output', 'origin'], ...cells]));
  if (flags.json) return exit.done;
  say(styleOf(process.stderr).dim(`USD per million tokens; planvm's own as of ${pricesAsOf}`));
  return exit.done;
}

function rowOf(model: string, price: ReturnType<typeof priceOf>, origin: string): Row {
  if (price !== undefined) return { model, ...price, origin };
  throw new CliError('PV6027', `the price of ${model} is not known`, {
    hint: `write it into prices of planvm.config.json: "${model}": { "input": 1, "output": 4 }`,
  });
}
