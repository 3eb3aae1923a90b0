/** Lines that are left open: asked about, verified, asked about once more, and then left as they are. */
import { expect, test } from 'vitest';
import { printCompiled } from '../../../src/dialects/playbook/pbasm/print.ts';
import { readPlaybooks } from '../../../src/dialects/playbook/source/read.ts';
import { compilePlaybooks } from '../../../src/dialects/playbook/steps/compile.ts';
import { openLines } from '../../../src/dialects/playbook/steps/open/settle.ts';
import { linesHandlers } from '../../../src/planner/playbook/lines.ts';
import { runLoop } from '../run-loop.ts';
import { scripted } from '../scripted.ts';

const text = [
  '# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps',
  '- $bikes = FreeBikes($day)',
  '- Something nice for the visitor',
  '- End program',
].join('\n');

const parameters = { type: 'object', properties: { day: { type: 'string' } } };
const tools = [{ name: 'FreeBikes', about: 'Lists bikes.', parameters }];
const compiled = printCompiled(compilePlaybooks(readPlaybooks(text).file, ['FreeBikes']));
const at = /^- (\d+):EXE\? Something/m.exec(compiled)?.[1] ?? 'none';
const line = `Desk.Main:${at}`;

const settled = (...replies: string[]) => settledIn(compiled, ...replies);

async function settledIn(program: string, ...replies: string[]) {
  const { model, requests } = scripted(...replies);
  const task = { compiled: program, tools };
  const result = await runLoop(
    'lines',
    linesHandlers(() => model),
    { task, rounds: 2 },
  );
  expect(result.error).toBeUndefined();
  const { compiled: after, open } = Object(result.answer);
  return { after: String(after), open, requests };
}

test('a line becomes what the model says, and everything else stays', async () => {
  const reply = JSON.stringify({ [line]: ['QUE Say(user, a compliment on their hat)'] });
  const { after, open, requests } = await settled(reply);
  expect(after).toContain(`- ${at}:QUE Say(user, a compliment on their hat)`);
  expect(after.replace(/^.*(?:hat|Something).*$/m, '')).toBe(
    compiled.replace(/^.*Something.*$/m, ''),
  );
  expect(open).toEqual([]);
  expect(requests).toHaveLength(1);
  const [system, user] = requests[0]?.messages ?? [];
  expect(system?.content).toContain('- FreeBikes(day): Lists bikes.');
  expect(user?.content).toContain(`Open lines:\n- ${line}: Something nice for the visitor`);
});

/** The program with another open line, and steps that a model says it stands for. */
async function meant(own: string, ...replies: readonly (readonly string[])[]) {
  const program = compiled.replace('Something nice for the visitor', own);
  return await settledIn(program, ...replies.map((steps) => JSON.stringify({ [line]: steps })));
}

test('a line that only waits may be a wait for an event, as the model that is asked is told', async () => {
  const { after, requests } = await meant('Wait for it to be paid or sent', ['YLD for event paid']);
  expect(after).toContain(`- ${at}:YLD for event paid\n`);
  expect(requests[0]?.messages[0]?.content).toContain('YLD for event paid, of which');
});

test.each([
  ['Ask for $mood and wait 5 minutes', 'Say(user, Ask for $mood)', 'for timer 5 minutes'],
  ['Ask for $mood and wait half an hour', 'Say(user, Ask for $mood)', 'for timer 30 minutes'],
  ['Wait 5 to 10 minutes, $mood', 'Say(user, Wait, $mood)', 'for timer 7 minutes'],
  ['Wait a few hours for the $mood', 'Say(user, Wait for the $mood)', 'for timer 3 hours'],
  ['Say "We may" or "No, $mood"', 'Say(user, "No, $mood")', 'for user'],
  ['Sit tight until noon, $mood', 'Say(user, Wait, $mood)', 'for timer until 12:00'],
  ['Sit tight till 5 pm, $mood', 'Say(user, Wait, $mood)', 'for timer until 17:00'],
  ['Sit tight until half past five, $mood', 'Say(user, Wait, $mood)', 'for timer until 17:30'],
  ['Sit tight for a fortnight, $mood', 'Say(user, Wait, $mood)', 'for timer 14 days'],
  ['Wait a moment, then praise the $mood', 'Say(user, praise of the mood)', 'for timer 1 minute'],
  ['Sit tight till tomorrow morning, $mood', 'Say(user, Wait, $mood)', 'for timer until 9:00'],
  ['Hold until they pay, with their $mood in mind', 'Say(user, their mood)', 'for event paid'],
  ['Hold on until they pay, $mood', 'Say(user, $mood)', 'for event payment received'],
  ['Ask for $mood and wait for the money', 'Say(user, Ask for $mood)', 'for event money'],
])('a wait is that of its line: %s', async (own, said, wait) => {
  const { open, after } = await meant(own, [`QUE ${said}`, `YLD ${wait}`]);
  expect([open, after.includes(`YLD ${wait}`)]).toEqual([[], true]);
});

test.each([
  ['Wait 5 minutes or so', ['YLD for timer 7 minutes'], 'a time that the line says'],
  ['Wait 5 minutes or so', ['YLD for timer 5 hours'], 'a time that the line says'],
  ['Wait 5 to 10 minutes', ['YLD for timer 12 minutes'], 'a time that the line says'],
  ['Wait for the oven to be hot', ['YLD for timer 10 minutes'], 'a time that the line says'],
  ['Wait for them at 9:00', ['YLD for timer until 10:00'], 'a time that the line says'],
  ['Wait for it to be paid', ['YLD for event paid within 2 hours'], 'a time that the line says'],
  [
    'Wait for it to be paid',
    ['YLD for event refunded'],
    'an event that the line or a trigger names',
  ],
  [
    'Tell Ann and the guest the price',
    ['QUE Say(Zoe, the price)'],
    'one to an agent that there is',
  ],
  [
    'If they are rude end the chat',
    ['QUE Say(user, "end the chat")'],
    'the line has no such quote',
  ],
  [
    'Say "We may" if you can, or "No"',
    ['QUE Say(user, "if you can")'],
    'the line has no such quote',
  ],
  ['Say "We can" or "No" if you may', ['QUE Say(user, "We ca")'], 'the line has no such quote'],
  ['Ask for $day and wait', ['YLD for user'], 'what the line does with it'],
  [
    'Ask for $mood and wait 5 minutes',
    ['QUE Say(user, Ask for $mood)', 'EXE $bonus = 5', 'YLD for timer 5 minutes'],
    'no variable that nothing uses',
  ],
])('%s is not %j', async (own, steps, want) => {
  const { after, requests } = await meant(own, steps, ['EXE Something']);
  expect(requests[1]?.messages.at(-1)?.content).toContain(want);
  expect(after).not.toContain(steps.at(-1));
});

test('the functions of the agents are told of, which a line may mean as well as a tool', async () => {
  const code =
    '```tools\ndef Compliment(of, warmth=1):\n    """Flatters.\n    Much."""\n    return of\n\n' +
    'def Kick(it):\n    return it\n\ndef _own():\n    pass\n```\n\n';
  const file = readPlaybooks(text.replace('## Main', `${code}## Main`)).file;
  const task = { compiled: printCompiled(compilePlaybooks(file, ['FreeBikes'])), tools };
  const { model, requests } = scripted(JSON.stringify({ [line]: ['QUE Compliment("visitor")'] }));
  const handlers = linesHandlers(() => model);
  const { answer } = await runLoop('lines', handlers, { task, rounds: 2 });
  expect(String(Object(answer).compiled)).toContain(`- ${at}:QUE Compliment("visitor")`);
  const asked = requests[0]?.messages[1]?.content;
  expect(asked).toContain(
    'Functions of Desk:\n- Compliment(of, warmth): Flatters.\n- Kick(it)\n\n',
  );
});

test('what does not hold is asked about once more, and then stays open', async () => {
  const wrong = JSON.stringify({ [line]: ['QUE Flatter($visitor)'] });
  const right = JSON.stringify({ [line]: ['EXE Something nice for the visitor'] });
  const mended = await settled(wrong, right);
  expect(mended.requests[1]?.messages.at(-1)?.content).toContain(line);
  expect(mended.open).toEqual([]);
  const never = await settled(wrong, 'I do not know.');
  expect(never.after).toBe(compiled);
  expect(never.open.length).toBeGreaterThan(0);
});

test('what is still open has one name, whatever was put in before it', async () => {
  const more = text.replace('- End', '- Something kind for the dog\n- End');
  const file = compilePlaybooks(readPlaybooks(more).file, ['FreeBikes']);
  const [hat, dog] = openLines(file).map((one) => one.at);
  const two = ['QUE Say(user, a compliment on their hat)', 'EXE Be nice'];
  const { model, requests } = scripted(
    JSON.stringify({ [`${hat}`]: two, [`${dog}`]: ['QUE Pat("dog")'], 'Desk.Main:77': ['RET'] }),
    JSON.stringify({ 'Desk.Main:05': ['EXE Pat the dog'] }),
  );
  const handlers = linesHandlers(() => model);
  const task = { compiled: printCompiled(file), tools };
  const { answer } = await runLoop('lines', handlers, { task, rounds: 2 });
  const [, asked, report] = requests[1]?.messages ?? [];
  expect(asked?.content).toMatch(/Open lines:\n- Desk\.Main:05: Something kind for the dog$/);
  expect(report?.content).toContain('\nDesk.Main:05: got a call of Pat, want');
  expect(report?.content).toContain('\namong what was said: got the line Desk.Main:77, want');
  expect(Object(answer)).toMatchObject({ open: [] });
  expect(Object(answer).compiled).toContain('- 05:EXE Pat the dog\n');
});

test('a block of code is shown with its line, and stays under what that becomes', async () => {
  const block = '\n  ```\n  nice $HAT\n    hat\n  ```';
  const own = text.replace('visitor', `visitor:${block}`);
  const compiled = printCompiled(compilePlaybooks(readPlaybooks(own).file, ['FreeBikes']));
  const steps = ['QUE Say(user, Hello)', 'EXE Praise the $HAT'];
  const { model, requests } = scripted(JSON.stringify({ [line]: steps }));
  const handlers = linesHandlers(() => model);
  const { answer } = await runLoop('lines', handlers, { task: { compiled, tools }, rounds: 2 });
  expect(requests[0]?.messages[1]?.content).toContain(
    `Open lines:\n- ${line}: Something nice for the visitor:${block}`,
  );
  expect(String(Object(answer).compiled)).toContain(`:EXE Praise the $HAT${block}`);
});

test.each([
  ['LOP While $days < 3', '  QUE Say(user, "nice")'],
  ['QUE Say(user, "You look {$mood}.")'],
  ['QUE $bikes = FreeBikes($days)'],
  ['CND If $days > 3', '  EXE be nice'],
])('a variable that nothing sets is not taken: %s', async (...steps) => {
  const wrong = JSON.stringify({ [line]: steps });
  const { after, requests } = await settled(wrong, wrong);
  expect(after).toBe(compiled);
  expect(requests[1]?.messages.at(-1)?.content).toMatch(
    /Desk.Main:[\d.]+: got \$(?:days|mood), which nothing sets, want a variable that there is/,
  );
});

test.each([
  [['EXE $days = 3', 'LOP While $days < 3', '  QUE Say(user, something nice)']],
  [['EXE Work out how many $days it takes', 'QUE FreeBikes($days)']],
  [['QUE $free = FreeBikes($day)', 'QUE Say(user, "{$free}")']],
])('one that its own steps set is: %j', async (steps) => {
  const { open, requests } = await settled(JSON.stringify({ [line]: steps }));
  expect(open).toEqual([]);
  expect(requests).toHaveLength(1);
});

test.each([
  [
    'QUE Say(user, "Take an umbrella, fool!")',
    /got "Take an umbrella, fool!", want Say\(user, what/,
  ],
  ['EXE $new = 3', /got \$new set to 3, want no value that the line does not say/],
  ['EXE $bikes = "none"', /got \$bikes set to "none", want no value/],
  ['EXE $bikes = $day', /got \$bikes set to \$day, want no variable of other lines that this/],
  [
    'QUE $bikes = FreeBikes($bikes)',
    /got \$bikes set to what that gives, want no variable of other/,
  ],
  ['QUE FreeBikes("today")', /got "today" in FreeBikes\("today"\), want no value that the line/],
  ['RET 3', /got 3 in 3, want no value that the line does not say/],
])('what the line does not say is not taken, and said so once: %s', async (step, want) => {
  const { after, open, requests } = await settled(
    JSON.stringify({ [line]: [step] }),
    JSON.stringify({ [line]: ['EXE Be nice'] }),
  );
  expect(requests[1]?.messages.at(-1)?.content).toMatch(want);
  expect([after.includes(step), open]).toEqual([false, []]);
});

test.each([
  ['prose', 'It means to be nice.'],
  ['a list', '["EXE be nice"]'],
  ['another line', '{"Desk.Main:77": ["EXE be nice"]}'],
  ['nothing for it', `{"${line}": []}`],
  ['an answer that is cut', `{"${line}": ["QUE Say(us`],
])('%s leaves the line as it is', async (_, reply) => {
  const { after } = await settled(reply, reply);
  expect(after).toBe(compiled);
});

test('where nothing is open nobody is asked', async () => {
  const { model, requests } = scripted();
  const task = { compiled: compiled.replace(':EXE?', ':EXE'), tools };
  const result = await runLoop(
    'lines',
    linesHandlers(() => model),
    { task, rounds: 2 },
  );
  expect(result.answer).toEqual({ compiled: task.compiled, open: [], replies: [] });
  expect(requests).toEqual([]);
});
