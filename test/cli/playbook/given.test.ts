/** Functions that a message sets off, with what it gives: talked with, answered, and killed. */
import { expect, test } from 'vitest';
import { type Ended, Folder } from '../../support/cli.ts';
import { isPoint } from '../../support/depth.ts';
import {
  type ServedReply,
  type ServedRequest,
  startModelServer,
} from '../../support/model-server.ts';
import { logIn } from './logged.ts';
import { ops } from './ops.ts';

const program = `# Gate

\`\`\`tools
@playbook(triggers=["When somebody gives a PIN"], metadata={"retrigger": "edge"})
def CheckPin(pin):
    state["ok"] = len(pin) == 4
    Say("Validation1 " + pin if state["ok"] else "no PIN: " + pin)

def Left(x):
    return 9999 - x
\`\`\`

## Main
### Triggers
- At the beginning
### Steps
- While $ok is not true
  - Ask user for the PIN
- Ask user for an $email
- $x = 1000
- Say("{$x}")
- End program

## CheckEmail
### Triggers
- When user provides an $email
### Steps
- Say("Validation2 {$email}")

## TooBig
### Triggers
- When $x > 15
### Steps
- Say("TooBig")
- $x = Left($x)
`;

const email = 'test@playbooks.com';

/**
 * A reply that something it sets off cuts short. Its end comes when nobody hears it any more, so that
 * it is cut off each time, however slow the process is.
 */
const cutBehind =
  (...operations: readonly object[]) =>
  ({ abandoned }: ServedRequest): ServedReply => {
    const pieces = [`${ops(...operations)}\n`, ops({ say: 'never said' })];
    return { text: pieces.join(''), pieces, gate: abandoned };
  };

/** What is asked of a model, in order: Main, three messages, and what they set off. */
const replies: readonly (string | ((request: ServedRequest) => ServedReply))[] = [
  ops({ step: '01' }, { step: '01.01' }, { say: 'PIN?' }, { step: '01.02' }, { yield: 'user' }),
  '{"holds": [1], "values": {"1": {"pin": "123"}}}',
  ops(
    ...[{ step: '01.03' }, { step: '01' }, { step: '01.01' }, { say: 'PIN?' }],
    ...[{ step: '01.02' }, { yield: 'user' }],
  ),
  '{"holds": [1], "values": {"pin": "1234"}}',
  ops(
    ...[{ step: '01.03' }, { step: '01' }, { step: '02' }, { say: 'Mail?' }],
    ...[{ step: '03' }, { yield: 'user' }],
  ),
  '{"holds": []}',
  ops({ set: { $email: email } }, { step: '04' }, { set: { $x: 1 } }, { say: 'never said' }),
  '{"holds": [1]}',
  ops({ step: '01' }, { say: 'Validation2 {$email}' }, { return: null }),
  cutBehind({ step: '04' }, { set: { $x: 1000 } }, { step: '05' }),
  ops(
    ...[{ step: '01' }, { say: 'TooBig' }, { step: '02' }],
    ...[{ call: 'Left', args: ['$x'], into: '$x' }, { return: null }],
  ),
  ops({ step: '05' }, { say: '{$x}' }, { step: '06' }, { yield: 'exit' }),
];

const said = ['PIN?', 'no PIN: 123', 'PIN?', 'Validation1 1234', 'Mail?', `Validation2 ${email}`];
function replyAt(index: number, request: ServedRequest): ServedReply {
  const reply = replies[index] ?? '';
  return typeof reply === 'string' ? reply : reply(request);
}

const stdout = `${[...said, 'TooBig', '8999'].join('\n')}\n`;
const messages = ['123', '1234', email];
const model = ['--model', 'openai/m'];

test('messages that are piped into a talk give functions what they say', async () => {
  await using server = await startModelServer((one) => replyAt(one.index, one));
  using folder = new Folder({ 'x.playbook.md': program });
  const input = messages.map((one) => `${one}\n`).join('');
  const options = { env: server.env.openai, input };
  const ended = await folder.planvm(['chat', 'x.playbook.md', ...model], options);
  expect(ended, ended.stderr).toMatchObject({ code: 0, stdout });
  expect(server.requests).toHaveLength(replies.length);
});

/** How much of a reply that is cut off has come by then, and whether its end has, is not given. */
async function steadyLogIn(folder: Folder): Promise<object> {
  const { effects, ...rest } = await logIn(folder);
  return {
    ...rest,
    effects: effects.map(({ ended, outcome, ...one }) => {
      const isCut = ended === 'cancelled' || JSON.stringify(outcome).includes('"isWhole":false');
      return isCut ? { ...one, isCut } : { ...one, ended, outcome };
    }),
  };
}

/** Of requests; see `points`. */
const stride = 3;

test('killed at every request, it says the same, asks nothing else, and has the same log', async () => {
  const heard: string[] = [];
  let die: (() => void) | undefined;
  await using server = await startModelServer((request) => {
    const text = JSON.stringify(request.body);
    const at = heard.indexOf(text);
    if (at === -1) heard.push(text);
    if (at !== -1 || !die || !isPoint(heard.length, stride))
      return replyAt(at === -1 ? heard.length - 1 : at, request);
    die();
    return { hang: true };
  });
  const env = server.env.openai;
  const start = ['run', 'x.playbook.md', ...model];
  const calls = [start, ...messages.map((one) => ['answer', 'last', one])];

  using whole = new Folder({ 'x.playbook.md': program });
  let out = '';
  for (const args of calls) out += (await whole.planvm(args, { env })).stdout;
  expect(out).toBe(stdout);
  const asked = heard.splice(0);
  expect(asked).toHaveLength(replies.length);

  using folder = new Folder({ 'x.playbook.md': program });
  const live = async (args: readonly string[]): Promise<Ended> => {
    const call = folder.start(args, { env });
    die = () => call.process.kill('SIGKILL');
    return await call.ended;
  };
  let deaths = 0;
  let outAgain = '';
  for (const args of calls) {
    let ended = await live(args);
    outAgain += ended.stdout;
    for (; ended.signal === 'SIGKILL'; deaths++) {
      ended = await live(['resume', 'last']);
      outAgain += ended.stdout;
    }
  }
  expect(deaths).toBe(asked.filter((_, index) => isPoint(index + 1, stride)).length);
  expect(heard).toEqual(asked);
  expect(outAgain).toBe(stdout);
  expect(await steadyLogIn(folder)).toEqual(await steadyLogIn(whole));
});
