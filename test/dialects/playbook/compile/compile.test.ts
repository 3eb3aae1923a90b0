/** Files to compiled files: numbers, scopes, triggers, notes, and lines that used to be misread. */
import { describe, expect, test } from 'vitest';
import { flatLines, isMachines } from '../../../../src/dialects/playbook/compiled.ts';
import { compiled, linesOf, mainOf, shown } from '../written.ts';

test('lines have numbers by their places in the tree, and codes', () => {
  const steps = [
    ...['- Say("a")', '- While $x < 3', '  - $x += 1', '  - If $x == 2: Break', '- Greet them'],
    ...['- Otherwise', '  - Return', '- Wait for user', '- Go to step 1', '- Think about it'],
  ];
  const rows = flatLines(linesOf(steps.join('\n'))).map(({ code, number }) => `${number}:${code}`);
  expect(rows).toEqual([
    ...['01:QUE', '02:LOP', '02.01:EXE', '02.02:CND', '02.02.01:JMP', '03:EXE', '04:ELS'],
    ...['04.01:RET', '05:YLD', '06:JMP', '07:TNK'],
  ]);
});

test('lines know the variables that they name, in words and in blocks', () => {
  const [line] = linesOf('- Tell the guest about $x\n  ```\n  {total} $y\n  ```\n- total = 5');
  expect(line?.names).toEqual([
    ...[
      { name: 'x', scope: 'state' },
      { name: 'y', scope: 'state' },
    ],
    ...[
      { name: 'guest', scope: 'local' },
      { name: 'total', scope: 'local' },
    ],
  ]);
  expect(line?.block).toBe('```\n{total} $y\n```');
});

test('another case after a head in words that may be anything is open, too', () => {
  const [first, second] = linesOf(
    '- If you do not know, up to 3 rounds\n  - Ask\n- Otherwise\n  - Return',
  );
  expect([first?.does.is, second?.does.is, second?.code]).toEqual(['open', 'open', 'EXE']);
});

test('a description is filled in as far as it can be computed', () => {
  const text = '# Desk\n## Main(day)\nFor {day}, not {the day}.\n### Steps\n- Return\n';
  expect(mainOf(text).about).toMatchObject(['For ', { code: 'day' }, ', not ', '{the day}', '.']);
  expect(mainOf(text.replace('{day}', 'a day')).about).toBeUndefined();
});

describe('scopes', () => {
  const scopes = (more: string): readonly string[] => {
    const [agent] = compiled(`# Desk
## Main($day, plain)
### Steps
- $x = $day + plain
${more}`).agents;
    const [main] = agent?.playbooks ?? [];
    const [line] = main?.lines ?? [];
    return [...(line?.names ?? []).map(({ name, scope }) => `${name} ${scope}`)];
  };
  test.each([
    '',
    '## Other\n### Steps\n- Return $day',
    '## Other\n### Triggers\n- When $day is set\n### Steps\n- Return',
  ])('a parameter belongs to the call, with a dollar, too, also before %j', (more) => {
    expect(scopes(more)).toEqual(['x state', 'day local', 'plain local']);
  });
});

test('a name is called as it is written: no function swallows lines', () => {
  const does = linesOf('- Say "We are closed."\n- Delete nothing\n- a\n- The\n- A()').map(shown);
  expect(does).toEqual(['say user: We are closed.', 'open', 'open', 'open', 'function A()']);
});

describe('triggers', () => {
  const triggerOf = (text: string) => {
    const [trigger] = mainOf(
      `# Desk\n\`\`\`tools\ndef F(a):\n    return a\n\`\`\`\n## Main(plain)\n### Triggers\n- ${text}\n### Steps\n- Return`,
    ).triggers;
    const condition = trigger?.condition ? ` ${trigger.condition.code}` : '';
    return `${trigger?.id}:${trigger?.code}${condition}`;
  };

  test.each([
    ['At the beginning', 'T1:BGN'],
    ['When the program starts', 'T1:BGN'],
    ['Au début du programme.', 'T1:BGN'],
    ['When the event paid arrives', 'T1:EVT'],
    ['On event order_paid', 'T1:EVT'],
    ["Quand l'événement paiement arrive", 'T1:EVT'],
    ['Every day at 9:00 in Berlin', 'T1:EVT'],
    ['After 5 minutes', 'T1:EVT'],
    ['Before the program ends', 'T1:EVT'],
    ['When $x > 15', 'T1:CND x_ != None and (x_ > 15)'],
    ['When $x is set', 'T1:CND x_ != None'],
    ['If $a == "x" or $b', 'T1:CND a_ != None and b_ != None and (a_ == "x" or b_)'],
    ['Quand $x > 15', 'T1:CND x_ != None and (x_ > 15)'],
    ['`T4:CND When len($x) > 1', 'T1:CND x_ != None and (len(x_) > 1)'],
    ['When the event is sold out', 'T1:CND'],
    ['When the guest says that the program starts late', 'T1:CND'],
    ['When the visitor types a $pin', 'T1:CND'],
    ['When $x is bigger than the others', 'T1:CND'],
    ['When F($x)', 'T1:CND'],
    ['When plain > 3', 'T1:CND'],
  ])('%s: %s', (text, read) => {
    expect(triggerOf(text)).toBe(read);
  });
});

test('notes have their numbers, and take over those that are written', () => {
  const { notes } = mainOf(
    '# D\n## Main\n### Steps\n- Return\n### Notes\n- Be brief\n  - Really\n- N7 Be kind',
  );
  expect(notes.map(({ id, text }) => `${id} ${text}`)).toEqual([
    ...['N1 Be brief', 'N2 Really', 'N7 Be kind'],
  ]);
});

/** Lines that an English parser misread: each is the model's, or means what it says. */
const misread: Readonly<Record<string, string>> = {
  'Set $x to 50/50': 'open',
  'Let $total be at most 100': 'open',
  'Let $x be ready when the user comes': 'open',
  'Ask the database for $rows': 'open',
  'Ask Google for $x': 'open',
  'Ask agents how to go on': 'open',
  'Announce the phase to all agents': 'open',
  'Ask $colleague to answer "a"': 'open',
  'Ask the tax office what the $rate for 900 is': 'open',
  'Ask the guest to wait in the hall': 'open',
  'Ask the user to try again later': 'open',
  'Ask nothing': 'open',
  'Wait for the user’s payment to arrive': 'open',
  'Wait for an answer from the manager': 'open',
  'Wait for a few moments for everyone to sit down': 'open',
  'Wait until the user has left': 'open',
  'For all other questions, ask the clerk': 'open',
  'While you are at it, greet the guest': 'open',
  'Until further notice, say "We are closed"': 'open',
  'Repeat after me: "a"': 'open',
  'For each guest state the name, explain the reason, and give a price': 'open',
  'For each guest ask for $name, then Price($name)': 'open',
  'Ask the guest what they would order, if money were no object': 'open',
  'Set $order.status to "held" and ask them to resume': 'open',
  'Respond to the customer by refunding them': 'open',
  'Think about whether to refund, and refund if so': 'open',
  'Return items that are damaged to the depot': 'return in words',
  Continue: 'open',
  'Say nothing': 'open',
  Restart: 'open',
  'Start again': 'open',
  'Price(1) # only for VIPs': 'open',
  'Say "Hello, [name]!"': 'open',
  'Welcome everyone to the meeting': 'open',
  'Wait for a message': 'open',
  'Apologize and refund the order': 'open',
};

test.each(Object.entries(misread))('%s: %s', (text, does) => {
  const [line] = linesOf(`- ${text}`);
  expect(line && shown(line).replace(/: .*/, '')).toBe(does);
  expect(line && isMachines(line)).toBe(false);
});

test('a head that says how often in words has no second reading', () => {
  const [line] = linesOf('- If you do not know enough, up to 3 rounds\n  - Search once more');
  expect(line?.does.is).toBe('open');
});
