/** Answers by the command line that a reply notes before it names a line, as models are shown to. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const at = (step: string) => ({ step });
const asks = (say: string, wait: string) => [{ say }, at(wait), { yield: 'user' }];

async function answered(
  steps: string,
  reply: (request: { readonly asked: number; readonly prompt: string }) => string,
  answers: readonly string[],
) {
  const file = 'x.playbook.md';
  const head = '# Desk\n## Main\n### Triggers\n- At the beginning\n### Steps\n';
  using folder = new Folder({ [file]: `${head}${steps}` });
  let asked = 0;
  await using models = await startModelServer(({ prompt }) => reply({ asked: ++asked, prompt }));
  const env = { env: models.env.openai };
  const ends = [await folder.planvm(['run', file, '--model', 'openai/test'], env)];
  for (const one of answers) ends.push(await folder.planvm(['answer', 'last', one], env));
  return { codes: ends.map(({ code }) => code), stdout: ends.at(-1)?.stdout, asked };
}

test('a line ahead that sets the same variable sets it behind that', async () => {
  const steps = `- Ask user for $city
- If $city is a country
  - $city = its capital
- Say("To {$city}.")
- Return $city
`;
  const replies = [
    ops(at('01'), ...asks('Which city?', '02')),
    ops(
      ...[{ set: { city: 'France' } }, at('03'), at('03.01'), { set: { city: 'Paris' } }],
      ...[at('04'), { say: 'To {$city}.' }, at('05'), { return: '$city' }],
    ),
  ];
  const ran = await answered(steps, ({ asked }) => replies[asked - 1] ?? '', ['France']);
  expect(ran).toEqual({ codes: [4, 0], stdout: 'To Paris.\nParis\n', asked: 2 });
});

test('a loop asks as often as it says, by a model that minds the round that it is told', async () => {
  const steps = `- Up to 2 times:
  - Ask user for the $pin
  - If $pin == "4711"
    - Return "open"
- Return "locked"
`;
  const ask = [at('01'), at('01.01'), ...asks('PIN?', '01.02')];
  const reply = ({ prompt }: { readonly prompt: string }): string => {
    const [, pin] = [...prompt.matchAll(/wrote: "(\d+)"/g)].at(-1) ?? [];
    const [, round, most] = [...prompt.matchAll(/At line 01: round (\d) of (\d)/g)].at(-1) ?? [];
    if (pin === undefined) return ops(...ask);
    const over = [at('01'), at('02'), { return: 'locked' }];
    const goesOn = [at('01.04'), ...(round === most ? over : ask)];
    return ops({ set: { pin } }, at('01.03'), ...goesOn);
  };
  const ran = await answered(steps, reply, ['1', '2']);
  expect(ran).toEqual({ codes: [4, 4, 0], stdout: 'locked\n', asked: 3 });
});
