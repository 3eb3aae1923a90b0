import { expect, test } from 'vitest';
import { quickTool } from '../engine/support.ts';
import { atEachDeath, answersLeft, ops, played, stageOf, saidIn, orders } from '../planner/playbook/played.ts';

const desk = (steps: string, rest = ''): string =>
  `# Desk\nYou are brief.\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;
const show = (ran: any) => { if (ran.result.status !== 'done' || ran.result.warnings.length) console.log(JSON.stringify(ran.result, null, 1).slice(0, 2500)); };
const warnings = (ran: any) => ran.result.warnings.map((w: any) => w.message ?? w);

test('asked back', async () => {
  const ran = await played(desk('- Ask user for $wants\n- If $wants == "yes"\n  - Say("Voucher!")\n- Ask user for $more\n- Say("Goodbye")'), { idle: false, replies: [
    ops({say: 'A voucher?'}), ops({say: 'Anything you like. Would you like it?'}, {yield: 'user'}), ops({set:{wants:'yes'}}), ops({say:'Anything else?'}), ops({set:{more:'no'}})],
    answers: ['what can I buy with it?', 'yes then', 'no'] });
  show(ran);
  expect(ran.said).toEqual(['A voucher?', 'Anything you like. Would you like it?', 'Voucher!', 'Anything else?', 'Goodbye']);
});
test('set whole, then triggers', async () => {
  const ran = await played(desk('- Ask user for $people and $day\n- Say("{$people} on {$day}")', '## Big\n### Triggers\n- When $people > 8\n### Steps\n- Say("A big party.")'), { replies: [
    ops({say: 'How many, when?'}), ops({set:{people:10, day:'friday'}})], answers: ['ten on friday'] });
  show(ran);
  expect(ran.said).toEqual(['How many, when?', 'A big party.', '10 on friday']);
});
test('passed open line', async () => {
  const ran = await played(desk('- Greet them\n- Tell a joke\n- Wish luck\n- Say("bye")'), { replies: [
    ops({say: 'Hi'},{at:'03'},{say:'luck'}), ops({at:'03'},{say:'luck'})] });
  show(ran);
  expect(ran.said).toEqual(['Hi', 'luck', 'bye']);
  expect(ran.prompts.at(-1)).toContain('line 02 comes before line 03 and was not named');
});
test('unknown way', async () => {
  const ran = await played(desk('- Greet them\n- Wish luck\n- Say("bye")'), { replies: [
    ops({at: '02'}, {at:'01'},{say:'x'}), ops({at:'01'}, {at: '02'})] });
  show(ran);
  expect(ran.said).toEqual(['bye']);
});
test('needs result', async () => {
  const calls: unknown[] = [];
  const ran = await played(desk('- Find something with find(n) and tell it\n- Say("bye")'), { tools: [quickTool('find', (a: any) => { calls.push(a); return 7; }, { parameters: { type: 'object', properties: { n: { type: 'integer' } } } } as any)], replies: [
    ops({call:'find', args:{n:1}, into:'x'},{say:'It is {$x}'}), ops({say:'It is {$x}'})] });
  show(ran);
  expect(ran.said).toEqual(['It is 7', 'bye']);
  expect(calls).toEqual([{n: 1}]);
});
test('write once a visit', async () => {
  const calls: unknown[] = [];
  const ran = await played(desk('- Order something with order(n)\n- Say("{$b}")'), { tools: [quickTool('order', (a: any) => { calls.push(a); return calls.length; }, orders as any)], replies: [
    ops({call:'order', args:{n:1}, into:'a'},{call:'order', args:{n:1}, into:'$b'})] });
  show(ran);
  expect(calls).toEqual([{n: 1}]);
  expect(ran.said).toEqual(['1']);
});
test('failed call of the machine', async () => {
  const ran = await played(desk('- $x = find(1)\n- If $x == 5\n  - Say("five")\n- Say goodbye\n- Say("end")'), { tools: [quickTool('find', () => { throw new Error('nothing there'); }, { parameters: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] } } as any)], replies: [
    ops({say:'Sorry'},{at:'03'},{say:'bye'})] });
  show(ran);
  console.log(ran.prompts.at(-1)?.slice(-700));
  expect(ran.said).toEqual(['Sorry', 'bye', 'end']);
});
test('conditions in words', async () => {
  const ran = await played(desk('- If they are angry\n  - Say("Calm")\n- While they want more\n  - Say("more")\n- For each of the two\n  - Name it\n- Say("end")'), { replies: [
    ops({at:'01', holds:true}), ops({at:'02', holds: true}), ops({holds: false, at: '02'},{at:'03.01'},{say:'both'},{at:'03', holds:false})] });
  show(ran);
  expect(ran.said).toEqual(['Calm', 'more', 'both', 'end']);
});
test('say a question; ask in quotes', async () => {
  const ran = await played(desk('- Say("Ready?")\n- $n: int = Ask(user, "How many?")\n- Say("{$n + 1}")\n- Return $n'), { replies: [], answers: ['yes', 'many', '4'] });
  show(ran);
  expect(ran.said).toEqual(['Ready?', 'How many?', expect.stringContaining('want a value of the type int'), '5']);
});
test('return in words, yield', async () => {
  const ran = await played(desk('- Help them choose a bike, as $bike\n- Return the bike'), { replies: [ops({say:'Which?'},{yield:'user'}), ops({set:{bike:'t'}},{at:'02'},{return:'$bike'})], answers:['t'] });
  show(ran);
  expect(ran.result.answer).toBe('t');
});
test('prose in a chat', async () => {
  const ran = await played(desk('- Ask user for $a\n- Help them\n- Say("bye")'), { replies: [ops({say:'a?'}), ops({set:{a:1}}), 'Hello there', 'Hello again'], answers:['1'] });
  show(ran);
  expect(ran.said).toEqual(['a?', 'Hello again', 'bye']);
});
test('calls playbooks, tail', async () => {
  const ran = await played(desk('- $a = First("x")\n- Say("{$a}")\n- Return Down(3)', '## First(word)\n### Steps\n- b = word + "!"\n- Return b\n\n## Down(n)\n### Steps\n- If n == 0\n  - Return "ground"\n- Return Down(n - 1)\n'), { replies: [] });
  show(ran);
  expect(ran.said).toEqual(['x!']);
  expect(ran.result.answer).toBe('ground');
});
test('overlap', async () => {
  let open = 0, most = 0;
  const slow = quickTool('slow', async () => { open++; most = Math.max(most, open); await new Promise((r) => setTimeout(r, 5)); open--; return 1; }, { parameters: { type: 'object', properties: { n: { type: 'integer' } } } } as any);
  const ran = await played(desk('- $a = slow(1)\n- $b = slow(2)\n- $c = $a + $b\n- Return $c'), { tools: [slow], replies: [] });
  show(ran);
  expect([ran.result.answer, most]).toEqual([2, 2]);
});
test('killed anywhere', async () => {
  const text = desk('- Ask user for $day\n- $n = order(len($day))\n- If $n > 3\n  - Tell them something nice and order(5)\n- $x = Other($day)\n- Say("ok {$n} {$x}")\n- Return $n', '## Other(d)\n### Steps\n- Find a word for d, as $word\n- Return $word\n\n## Sun\n### Triggers\n- When $day == "Sunday"\n### Steps\n- Say("Sunday!")');
  const whole: any = {};
  const replies = ({ prompt }: { prompt: string }) => {
    const at = /You are at (\S+?)[;.]? ?(?:\n|$| )/g; const last = [...prompt.matchAll(/You are at ([\d.]+\d)/g)].at(-1)?.[1];
    if (prompt.includes('## Other(')) return ops({set:{word:'w'}});
    if (last === '01') return prompt.includes('Sunday please') ? ops({set:{day:'Sunday'}}) : ops({say:'Which day?'});
    return ops({at:'03.01'},{call:'order',args:{n:5}},{say:'nice'});
  };
  const make = () => { const calls: unknown[] = []; return { calls, stage: (journal: any) => stageOf(text, { journal, replies, inline: 0, answers: answersLeft(['Sunday please'], journal), tools: [quickTool('order', (a: any) => { calls.push(a); return a.n; }, {...orders, idempotent: true} as any)] }) }; };
  const one = make(); const { memoryJournal } = await import('../../src/engine/journal/memory/journal.ts');
  const j = memoryJournal(); const result = await one.stage(j).start(); if (result.status !== 'done') console.log(JSON.stringify(result.error), JSON.stringify(result.warnings));
  expect(result).toMatchObject({ status: 'done', answer: 6 });
  const said = saidIn(j, result.run);
  expect(said).toEqual(['Which day?', 'Sunday!', 'nice', 'ok 6 w']);
  const n = await atEachDeath(make, ({ journal, run, result }, { calls }) => {
    expect(result, JSON.stringify(result.error)).toMatchObject({ status: 'done', answer: 6 });
    expect(saidIn(journal, run)).toEqual(said);
  }, 1);
  console.log('deaths', n);
}, 60000);
