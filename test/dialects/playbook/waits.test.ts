/** What is read of lines and triggers about agents, meetings, times and events, and said of them. */
import { describe, expect, test } from 'vitest';
import { checkProgram } from '../../../src/dialects/index.ts';
import { fileOf, mainOf, program, rows, stepsOf } from './written.ts';

const others = '# Bike desk\nRents.\n# Player\nPlays.\n';

describe('lines that speak to other agents', () => {
  test.each([
    [
      '- Ask the Bike desk for the $price',
      ['01:QUE Say(BikeDesk, Ask the Bike desk for the $price)', '02:YLD for agent BikeDesk'],
    ],
    ['- Tell Player to begin', ['01:QUE Say(Player, Tell Player to begin)']],
    ['- Tell the player to begin', ['01:QUE Say(Player, Tell the player to begin)']],
    [
      '- Ask the bike desk for its $price',
      ['01:QUE Say(BikeDesk, Ask the bike desk for its $price)', '02:YLD for agent BikeDesk'],
    ],
    ['- Tell the bike desk prices', ['01:EXE? Tell the bike desk prices']],
    ['- Say(Player, "Begin!")', ['01:QUE Say(Player, "Begin!")']],
    [
      '- Say(Player, "Ready?")\n- Return 1',
      ['01:QUE Say(Player, "Ready?")', '02:YLD for agent Player', '03:RET 1'],
    ],
    [
      '- Tell Player to begin\n- If the player is ready\n  - Return 1',
      [
        '01:QUE Say(Player, Tell Player to begin)',
        ...['02:YLD for agent Player', '03:CND If the player is ready', '03.01:RET 1'],
      ],
    ],
    [
      '- Say($ann, "Ready?")\n- Return 1',
      ['01:QUE Say($ann, "Ready?")', '02:YLD for agent $ann', '03:RET 1'],
    ],
    [
      '- $ann = CreateAgent("Player")\n- Ask $ann for a $number\n- Tell $ann what $number is',
      [
        ...['01:QUE $ann = CreateAgent("Player")', '02:YLD for call'],
        ...['03:QUE Say($ann, Ask $ann for a $number)', '04:YLD for agent $ann'],
        '05:QUE Say($ann, Tell $ann what $number is)',
      ],
    ],
    [
      '- Create a Player agent named Ann as $p\n- $page = 1\n- Ask $page for its $title\n- Wait for $p',
      [
        ...['01:QUE $p = CreateAgent("Player", name="Ann")', '02:EXE $page = 1'],
        ...['03:QUE Say(user, Ask $page for its $title)', '04:YLD for user', '05:YLD for agent $p'],
      ],
    ],
    ['- Wait for the Bike desk to answer', ['01:YLD for agent BikeDesk']],
    [
      '- Tell the meeting what it is about',
      ['01:QUE Say(meeting, Tell the meeting what it is about)'],
    ],
    [
      '- Ask all participants for a dish',
      ['01:QUE Say(meeting, Ask all participants for a dish)', '02:YLD for meeting'],
    ],
    ['- Create a Player agent named Ann', ['01:QUE CreateAgent("Player", name="Ann")']],
    ['- Create a fast player agent as $p', ['01:QUE $p = CreateAgent("Player")']],
    [
      '- $p = Create an agent Player called $name',
      ['01:QUE $p = CreateAgent("Player", name=$name)'],
    ],
    ['- Create a Player agent named {name} as p', ['01:QUE p = CreateAgent("Player", name=name)']],
    // What holds an agent hands it on: to lists, to loops over them, to other variables.
    [
      '- Create a Player agent as $p\n- $all = []\n- Add $p to $all\n- For each $a in $all\n' +
        '  - Tell $a to begin\n- $b = $p\n- Tell $b to stop\n- Tell $c to stop',
      [
        ...['01:QUE $p = CreateAgent("Player")', '02:EXE $all = []', '03:YLD for call'],
        ...['04:EXE? Add $p to $all', '05:LOP For each $a in $all'],
        ...['05.01:QUE Say($a, Tell $a to begin)', '05.02:JMP 05', '06:EXE $b = $p'],
        ...['07:QUE Say($b, Tell $b to stop)', '08:EXE? Tell $c to stop'],
      ],
    ],
    [
      '- $g = $a.Guess(1)\n- Tell $a to stop',
      ['01:QUE $g = $a.Guess(1)', '02:QUE Say($a, Tell $a to stop)'],
    ],
  ])('%s', (lines, steps) => {
    expect(stepsOf(lines, others)).toEqual(steps);
  });

  test('what a playbook is given, and what it returns, may be one', () => {
    const join =
      '## Join(name)\n### Steps\n- Create a Player agent as $made\n- Return $made\n' +
      '## Start($one)\n### Steps\n- Tell $one to begin\n';
    const steps = '- $ann = Join("Ann")\n- Start($ann)\n- Tell $ann to stop';
    expect(stepsOf(steps, `${join}${others}`)).toEqual([
      ...['01:QUE $ann = Join("Ann")', '02:YLD for call', '03:QUE Start($ann)'],
      '04:QUE Say($ann, Tell $ann to stop)',
    ]);
    const file = fileOf(program(steps, `${join}${others}`));
    expect(file.agents[0]?.playbooks[2]?.steps[0]).toMatchObject({ say: { to: '$one' } });
  });

  test('a call of a playbook of theirs is no message', () => {
    const offering = `${others}## Start\npublic: true\n### Steps\n- Return 1\n`;
    expect(stepsOf('- Get $x from Player.Start()', offering)).toEqual([
      '01:QUE $x = Player.Start()',
    ]);
  });
});

test.each([
  ['$p = Bike desk.Price(2)', 'QUE $p = BikeDesk.Price(2)'],
  ['Bike desk.Price(2)', 'QUE BikeDesk.Price(2)'],
  ['$all = Player.list-all("x")', 'QUE $all = Player.list-all("x")'],
  ['$all = Player.get.v-1.b("x")', 'QUE $all = Player.get.v-1.b("x")'],
  ['$n = $m - 2', 'EXE $n = $m - 2'],
])('%s is read by the name that an agent or a tool has', (line, step) => {
  expect(stepsOf(`- ${line}`, others)).toEqual([`01:${step}`]);
});

describe('lines of a playbook by which one attends a meeting', () => {
  const attending = (steps: string): string[] => {
    const text = `# Cook\n## Attend\nmeeting: true\n### Steps\n${steps}\n\n# Clerk\nCounts.\n`;
    return rows(mainOf(text).steps);
  };

  test.each([
    ['- Say("Soup")', '01:QUE Say("Soup")'],
    ['- "Soup, or fish"', '01:QUE Say("Soup, or fish")'],
    ['- Say hello', '01:QUE Say(Say hello)'],
    ['- Say, in short, what you like', '01:QUE Say(Say in short, what you like)'],
    ['- Say(user, "Soup")', '01:QUE Say(user, "Soup")'],
    ['- Say(meeting, "Soup")', '01:QUE Say(meeting, "Soup")'],
    ['- Tell the customer what there is', '01:QUE Say(user, Tell the customer what there is)'],
    ['- Say "Soup" to the guest', '01:QUE Say(user, Say "Soup" to the guest)'],
  ])('%s names whom it is for, or nobody', (line, step) => {
    expect(attending(line)[0]).toBe(step);
  });

  test('are no different in one that says who attends', () => {
    const text =
      '# Cook\n## Plan\nmeeting: true\nrequired_attendees: [User]\n### Steps\n- Say("Soup")\n';
    expect(rows(mainOf(text).steps)).toEqual(['01:QUE Say(user, "Soup")']);
  });

  test.each(['meeting', 'Clerk'])('wait for the %s once in a round', (whom) => {
    const name = whom === 'Clerk' ? 'agent Clerk' : whom;
    expect(
      attending(
        `- While the ${whom} goes on\n  - Wait for the ${whom}\n  - $n = $n + 1\n  - Say(${whom}, "On")`,
      ),
    ).toEqual([
      `01:LOP While the ${whom} goes on`,
      ...[`01.01:YLD for ${name}`, '01.02:EXE $n = $n + 1', `01.03:QUE Say(${whom}, "On")`],
      '01.04:JMP 01',
    ]);
  });
});

describe('lines that hold meetings', () => {
  const others =
    '## ChooseDish\nmeeting: true\n### Steps\n- Return 1\n\n# Cook\nCooks.\n\n# Bike desk\nSells.\n';

  test.each([
    [
      '- Have a meeting with Cook and the Bike desk about soup',
      'ChooseDish(topic="soup", attendees=["Cook", "BikeDesk"])',
    ],
    [
      '- $dish = Start a meeting about the $kind of the day with Cook, Bike desk and me',
      '$dish = ChooseDish(topic="the {$kind} of the day", attendees=["Cook", "BikeDesk", "User"])',
    ],
    [
      '- Invite Cook and the user to a menu meeting as $dish.',
      '$dish = ChooseDish(topic="menu", attendees=["Cook", "User"])',
    ],
    ['- Hold a meeting on $topic with Cook', 'ChooseDish(topic=$topic, attendees=["Cook"])'],
    ['- Have a meeting with $ann and Cook', 'ChooseDish(attendees=[$ann, "Cook"])'],
    ['- Meet Cook to discuss soup', 'ChooseDish(topic="soup", attendees=["Cook"])'],
    [
      '- $größe = Meet Cook and $ünal about the $länge',
      '$größe = ChooseDish(topic="the {$länge}", attendees=["Cook", $ünal])',
    ],
    [
      '- Hold a meeting on $été with Cook as $œuf',
      '$œuf = ChooseDish(topic=$été, attendees=["Cook"])',
    ],
  ])('%s', (line, call) => {
    expect(stepsOf(line, others)[0]).toBe(`01:QUE ${call}`);
  });

  test.each([
    '- Have a meeting with Cook and Pirate about soup',
    '- Start a meeting about soup',
    '- Say how a meeting with Cook about soup goes',
  ])('%s is no such line', (line) => {
    expect(stepsOf(line, others)[0]).not.toContain('ChooseDish(');
  });

  test('agents that lines make are invited, and spoken to, by the names that they get', () => {
    const lines =
      '- Create a Cook agent named Anna.\n- Meet Anna and me\n- Tell Anna that it is over';
    expect(stepsOf(lines, others)).toEqual([
      '01:QUE CreateAgent("Cook", name="Anna")',
      '02:QUE ChooseDish(attendees=["Anna", "User"])',
      // She is there when she has been made, and that is when the call has been waited for.
      '03:YLD for call',
      '04:QUE Say(Anna, Tell Anna that it is over)',
    ]);
    expect(stepsOf('- Meet Anna and me', others)[0]).not.toContain('ChooseDish(');
  });

  test('of several, the one that is named; those who attend may be named there', () => {
    const two = `## Plan menu\nmeeting: true\nrequired_attendees: [Cook]\n### Steps\n- Return 2\n\n${others}`;
    expect(stepsOf('- Hold the plan menu meeting', two)[0]).toBe(
      '01:QUE PlanMenu(topic="plan menu")',
    );
    expect(stepsOf('- Have a meeting with Cook', two)[0]).not.toContain('(');
  });
});

test.each([
  ['- Wait 30 seconds', '01:YLD for timer 30 seconds'],
  ['- Wait until 9:00', '01:YLD for timer 9:00'],
  ['- Wait till noon', '01:YLD for timer noon'],
  ['- Wait until Monday at 9 am.', '01:YLD for timer Monday at 9 am'],
  ['- Wait until Monday', '01:YLD for timer Monday'],
  ['- Wait until next Monday at 9:00', '01:YLD for timer next Monday at 9:00'],
  ['- Wait until tomorrow', '01:YLD for timer tomorrow'],
  ['- Wait until it is 17:30', '01:YLD for timer it is 17:30'],
  ['- Wait until 2026-12-24 at 18:00 in Berlin', '01:YLD for timer 2026-12-24 at 18:00 in Berlin'],
  ['- Wait until $start_time', '01:YLD for timer $start_time'],
  ['- Wait until $done', '01:EXE? Wait until $done'],
  ['- Pause for 10 seconds', '01:YLD for timer 10 seconds'],
  ['- Wait for the user until 9:00', '01:YLD for user until 9:00'],
  ['- Wait until tomorrow at noon for the user', '01:YLD for user until tomorrow at noon'],
  ["- Wait for the user's input", '01:YLD for user'],
  ['- Wait up to 5 minutes for the payment', '01:YLD for event the payment within 5 minutes'],
  ['- Wait for the payment, but at most 2 hours', '01:YLD for event the payment within 2 hours'],
  ['- Wait for the payment for at most $n hours', '01:YLD for event the payment within $n hours'],
  ['- Wait 5 minutes for the oven to heat', '01:YLD for timer 5 minutes'],
  ['- Wait until two days before $date', '01:EXE? Wait until two days before $date'],
  ['- Wait 1 hour and 30 minutes', '01:YLD for timer 1 hour and 30 minutes'],
  ['- Wait twenty-five minutes', '01:YLD for timer twenty-five minutes'],
  ['- Wait half an hour', '01:YLD for timer half an hour'],
  ['- Wait up to 5 minutes for the user to answer', '01:YLD for user within 5 minutes'],
  ['- Wait for the event payment', '01:YLD for event payment'],
  ['- Wait for the event paid until 9:00', '01:YLD for event paid until 9:00'],
  ['- Wait until 9:00 for the payment', '01:YLD for event the payment until 9:00'],
  ['- Wait for a webhook of the shop', '01:YLD for event a webhook of the shop'],
  ['- Wait for the next message', '01:YLD for user'],
  ["- Wait for the customer's next question", '01:YLD for user'],
  ["- Attends que l'utilisateur réponde", '01:YLD for user'],
  [
    '- Wait for the user to confirm the order',
    '01:YLD for user; Wait for the user to confirm the order',
  ],
  ['- Wait for the user to look at $plan', '01:YLD for user; Wait for the user to look at $plan'],
  ['- Wait for the user', '01:YLD for user'],
])('%s', (line, step) => {
  expect(stepsOf(line)).toEqual([step]);
});

test.each([
  ...['Wait for the payment', 'Wait for the oven to be hot', 'Wait until it is done'],
  ...['Pause for effect', 'Wait a moment', 'Wait a few minutes', 'Wait two or so days'],
  'Wait for it to arrive',
])('what a line waits for that names nobody, no time and no event is left open: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ...['Wait 5 minutes, then check the mail', 'Wait 5 minutes and check the mail'],
  ...['Wait 5 minutes; check the mail', 'Wait 5 minutes. Check the mail.'],
  ...['Wait 5 minutes or until the mail is there', 'Wait for the user, then check the mail'],
  ...['Wait for the event paid and check the mail', 'Wait for the meeting, then check the mail'],
  ...['Think about it, then write a letter', 'Think about what to do. Then do it.'],
  ...['Think hard; write a letter', 'Check N1 and mend what is wrong'],
])('what is to be done behind it is not lost: %s', (line) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:EXE? ${line}`]);
});

test.each([
  ['Wait 5 minutes, then go on', 'timer 5 minutes'],
  ['Wait 1 day, 2 hours and 30 minutes', 'timer 1 day, 2 hours and 30 minutes'],
  ['Wait 5 minutes or until the user answers', 'user within 5 minutes'],
  ['Wait for the user, up to 5 minutes', 'user within 5 minutes'],
])('what only says how is: %s', (line, reason) => {
  expect(stepsOf(`- ${line}`)).toEqual([`01:YLD for ${reason}`]);
});

test.each([
  ['When the event paid arrives', 'for the order to be paid', 'event the order to be paid'],
  ['When the payment arrives', 'for a payment', 'event a payment'],
  ['When a file named report arrives', 'until the file arrives', undefined],
  ['When an order_paid message arrives', 'for order paid', 'event order paid'],
  ['When $paid is set', 'for paid', undefined],
  ['Every day at 9:00', 'for day', undefined],
])('an event that a trigger is for needs no other word: %s, wait %s', (trigger, wait, reason) => {
  const due = `## Due\n### Triggers\n- ${trigger}\n### Steps\n- Return 1\n`;
  const want = reason === undefined ? `01:EXE? Wait ${wait}` : `01:YLD for ${reason}`;
  expect(stepsOf(`- Wait ${wait}`, due)).toEqual([want]);
});

test.each([
  ['Wait $t minutes', 'timer $t minutes'],
  ['Wait up to 5 minutes for the event $t', 'event $t within 5 minutes'],
])('how long is known before it is waited: %s', (line, reason) => {
  expect(stepsOf(`- $t = F(1)\n- ${line}`)).toEqual([
    ...['01:QUE $t = F(1)', '02:YLD for call', `03:YLD for ${reason}`],
  ]);
});

const heard = 'what the user has said';

test.each([
  ['- Wait for the user to say something as $message', [`02:EXE $message = ${heard}`]],
  ["- Wait for the user's full $address", [`02:EXE $address = ${heard}`]],
  [
    '- Wait for them to enter a $name and an $age',
    [`02:EXE $name = ${heard}`, `03:EXE $age = ${heard}`],
  ],
])('what is waited for is kept: %s', (line, steps) => {
  expect(stepsOf(line)).toEqual(['01:YLD for user', ...steps]);
});

test('a wait until something holds goes on until then', () => {
  expect(stepsOf('- Wait until the user has confirmed $plan')).toEqual([
    ...['01:LOP Until the user has confirmed $plan', '01.01:YLD for user', '01.02:JMP 01'],
  ]);
});

test.each([
  ['- Ask user for $x within 10 minutes', '02:YLD for user within 10 minutes'],
  [
    "- Ask user for $x\n- If they don't answer for an hour\n  - Return 1",
    '02:YLD for user within an hour',
  ],
  ['- Ask user for the notice of 2 days that $x needs', '02:YLD for user'],
])('how long an answer is waited for: %s', (lines, step) => {
  expect(stepsOf(lines)[1]).toBe(step);
});

const late = '- If nobody has answered\n  - Return 1';

test.each<readonly [string, readonly string[]]>([
  ['- Ask user for $x\n- Wait 2 days', ['01:QUE', '02:YLD for user', '03:YLD for timer 2 days']],
  [
    '- Ask user for $x\n- Say("Thanks.")\n- $n = 3\n- Wait until Monday',
    ['01:QUE', '02:YLD for user', '03:QUE', '04:EXE $n = 3', '05:YLD for timer Monday'],
  ],
  [
    '- If $y\n  - Ask user for $x\n  - Wait 5 minutes',
    ['01:CND If $y', '01.01:QUE', '01.02:YLD for user', '01.03:YLD for timer 5 minutes'],
  ],
  [
    '- While $x is empty\n  - Ask user for $x\n  - Wait 1 day',
    [
      ...['01:LOP While $x is empty', '01.01:QUE', '01.02:YLD for user'],
      ...['01.03:YLD for timer 1 day', '01.04:JMP 01'],
    ],
  ],
  [
    '- Ask user for $x\n- Wait for the Player\n- Wait for the event paid',
    ['01:QUE', '02:YLD for user', '03:YLD for agent Player', '04:YLD for event paid'],
  ],
  [
    '- Ask the Player for $x\n- Wait for the user',
    ['01:QUE', '02:YLD for agent Player', '03:YLD for user'],
  ],
  ['- Ask user for $x\n- End program', ['01:QUE', '02:YLD for user', '03:YLD for exit']],
  [
    '- Ask user for $x\n  - Wait until noon',
    ['01:QUE', '01.01:YLD for user', '01.02:YLD for timer noon'],
  ],
  [
    '- Ask the user whether they like it\n- Wait 1 hour',
    ['01:QUE', '02:YLD for user', '03:YLD for timer 1 hour'],
  ],
  ['- Ask the user to restart it\n- Wait 1 hour', ['01:QUE', '02:YLD for timer 1 hour']],
  ['- Ask user for $x\n- Wait up to 2 hours', ['01:QUE', '02:YLD for user within 2 hours']],
  ['- Ask user for $x, and wait 9 minutes at most', ['01:QUE', '02:YLD for user within 9 minutes']],
  [
    `- Ask user for $x\n- Wait 2 hours\n${late}`,
    ['01:QUE', '02:YLD for user within 2 hours', '03:CND If nobody has answered', '03.01:RET 1'],
  ],
  [
    `- Ask user for $x\n- Wait until Monday\n${late}`,
    ['01:QUE', '02:YLD for user until Monday', '03:CND If nobody has answered', '03.01:RET 1'],
  ],
  [
    '- Ask user for $x\n  - Say("Take your time.")\n  - Wait for the user',
    ['01:QUE', '01.01:QUE', '01.02:YLD for user'],
  ],
])('a question is waited for, whatever else is: %s', (lines, steps) => {
  expect(stepsOf(lines, others).map((step) => step.replace(/QUE .*/, 'QUE'))).toEqual(steps);
});

const said = (text: string): string[] =>
  checkProgram(text, { tools: new Map(), inputs: [] }, { dialect: 'playbook' }).diagnostics.map(
    ({ code, line }) => `${line}: ${code}`,
  );

const due = (trigger: string): string =>
  program('- Return 1', `## Due\n### Triggers\n- ${trigger}\n### Steps\n- Return 1\n`);

test.each([
  ['After 5 minutes', []],
  ['Every day at 9:00', []],
  ['When a message arrives', []],
  ['When the event paid arrives', []],
  ['Every Monday at noon', []],
  ['On weekdays at 18:30 in Lisbon', []],
  ['Every Monday', ['10: PV2441']],
  ['On Mondays at half past nine', ['10: PV2441']],
  ['At 9:00 unless it rains', ['10: PV2441']],
  ['At 9:00 in Europe/Berln', ['10: PV2444']],
  ['When the visitor wants to come at 9:00', []],
  ['When the alarm rings', ['10: PV2441']],
  ['When a file is uploaded', ['10: PV2442']],
])('what is said of a trigger "%s"', (trigger, found) => {
  expect(said(due(trigger))).toEqual(found);
});

test.each<readonly [string, readonly string[]]>([
  ['Wait until Monday', []],
  ['Wait until 2026-12-24 in Lisbon', []],
  ['Wait for the payment', []],
  ['Wait up to 5 minutes for the payment', []],
  ['Wait until 9:00 Foo/Bar', ['7: PV2444']],
  ['Wait until Monday at 9:00 in Europe/Berln', ['7: PV2444']],
  ['Wait for the user until 9:00 in Europe/Berln', ['7: PV2444']],
  ['Wait until tomorrow morning', ['7: PV2441']],
  ['Wait until 24 December', ['7: PV2441']],
  ['Wait until 2026-13-24', ['7: PV2441']],
  ['Wait until next week', ['7: PV2441']],
  ['Wait until half past nine', ['7: PV2441']],
  ['Wait until two days before $day', ['7: PV2441']],
  ['Wait until $day', []],
  ['Wait until $x', ['7: PV2441']],
  ['Wait a few minutes', ['7: PV2441']],
  ['Wait some more hours before the call', ['7: PV2441']],
  ['Pause for effect', []],
])('what is said of a wait "%s"', (line, found) => {
  const inputs = ['day', 'x'];
  const { diagnostics } = checkProgram(
    program(`- ${line}\n- Say("{$day} {$x}")`),
    { tools: new Map(), inputs },
    { dialect: 'playbook' },
  );
  expect(diagnostics.map((one) => `${one.line}: ${one.code}`)).toEqual(found);
});

test('what is waited for at most for a time is kept, too', () => {
  expect(stepsOf('- Wait up to 5 minutes for the user to say something as $message')).toEqual([
    '01:YLD for user within 5 minutes',
    '02:EXE $message = what the user has said',
  ]);
});

test('a time zone that there is not is an error, with one that is like it', () => {
  const messages = (text: string): string[] =>
    checkProgram(text, { tools: new Map(), inputs: [] }, { dialect: 'playbook' }).diagnostics.map(
      ({ message, severity }) => `${severity}: ${message}`,
    );
  const wrong =
    'got the time zone Europe/Berln, want a name such as Europe/Berlin (did you mean Europe/Berlin?)';
  expect(messages(due('At 9:00 in Europe/Berln'))).toEqual([`error: ${wrong}`]);
  for (const front of ['timezone: Europe/Berln', 'planvm:\n  timezone: Europe/Berln']) {
    const text = `---\n${front}\n---\n${due('At 9:00')}`;
    expect(messages(text)).toEqual([`error: timezone: ${wrong}`]);
    expect(messages(text.replace('Berln', 'Berlin'))).toEqual([]);
  }
});

test('a program that only waits for its times begins', () => {
  const text = '# Desk\n## Due\n### Triggers\n- Every hour\n### Steps\n- Say("Ding")\n';
  expect(said(text)).toEqual([]);
  expect(said(text.replace('Every hour', 'When it rains'))).toEqual(['2: PV2414']);
});

test('who is to attend a meeting has to be somebody; what it may be told, it may be called with', () => {
  const meeting = (who: string): string =>
    program(
      '- $x = Meet(topic="soup", attendees=["Player"])\n- Return $x',
      `## Meet\nmeeting: true\nrequired_attendees: [${who}]\n### Steps\n- Return $shared_state\n${others}`,
    );
  expect(said(meeting('bike desk, User'))).toEqual([]);
  expect(said(meeting('Pirate'))).toEqual(['9: PV2443']);
});
