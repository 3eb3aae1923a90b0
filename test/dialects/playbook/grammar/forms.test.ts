/** The forms: what a formal line is, what is only like one, and that one more word makes it open. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isMachines } from '../../../../src/dialects/playbook/compiled.ts';
import { lineOf, linesOf, shown } from '../written.ts';

/** A head stands over a line of its own. */
const under = '\n  - Say("x")';

interface FormCase {
  /** Lines, each with what it does. */
  readonly formal: Readonly<Record<string, string>>;
  /** Lines that are open, or the model's. */
  readonly near: readonly string[];
  readonly isHead?: true;
  /** Of loops: a head stands around the lines. */
  readonly isInLoop?: true;
}

const forms: Readonly<Record<string, FormCase>> = {
  set: {
    formal: {
      '$x = 5': '$x = 5',
      '$x: list[str] = ["a", $y]': '$x: list[str] = ["a", y_]',
      'total = $x + guest * 2': 'total = x_ + guest * 2',
      '$x += 2': '$x = x_ + (2)',
      '$x = "{$a} of {guest}"': '$x = f"{(a_)} of {(guest)}"',
      '$x = $order.items[0]': '$x = order_["items"][0]',
      '$done = true': '$done = True',
      'Set $x to 5': '$x = 5',
      'Set $x to -5': '$x = -5',
      'Set $x to ["a", "b"].': '$x = ["a", "b"]',
    },
    near: [
      'Set $x to $y + 1',
      'Set $x to at most 100',
      'Set $x to 50/50',
      'Set $x to [Price(1)]',
      'Let $x be at most 100',
      '$order.status = "held"',
      '$x = what the guest wants',
      '$x = "a" and say it',
      'size = large enough for two',
      '$x == 5',
    ],
  },
  call: {
    formal: {
      'Price("city", 2)': 'function Price(kind: "city", days: 2)',
      '$x = Price($kind, days = 3)': '$x = function Price(kind: kind_, days: 3)',
      'find_bikes("Sunday")': 'tool find_bikes(day: "Sunday")',
      '$x = bikes.find("Sunday")': '$x = tool find_bikes(day: "Sunday")',
      'BookABike($x, 2, 3)': 'playbook Desk.BookABike(2: 3, bike: x_, days: 2)',
      '$rate = TaxOffice.Rate($x)': '$rate = playbook TaxOffice.Rate(income: x_)',
      'Get $x from Price("city")': '$x = function Price(kind: "city")',
      'Book a bike': 'playbook Desk.BookABike(bike: bike_)',
      'offer the bikes.': 'playbook Desk.OfferTheBikes()',
      '$x: int = Price(Price(1))': '$x = function Price(kind: Price(1))',
    },
    near: [
      'Do not call Price(1)',
      'Price(1) twice',
      'Either Price(1) or Price(2)',
      'Price(1) # only for VIPs',
      'Nothing(1)',
      'TaxOffice.Secret()',
      '$ann.Rate(1)',
      'Offer the bikes again',
      'Offer bikes',
      'A',
      'Get the price from Price(1)',
      'len($x)',
    ],
  },
  say: {
    formal: {
      'Say("Hello {$name}, {len($x)} left.")': 'say user: Hello {name_}, {len(x_)} left.',
      'Say(Ann, "Come!")': 'say Ann: Come!',
      'Say(user, $report)': 'say user: {report_}',
      'Say(the user, "Ready?")': 'say user: Ready? (waits)',
      'Say "It is {$x:.2f} euros"': 'say user: It is {f"{(x_):.2f}"} euros',
      'Say(“Ready?”)': 'say user: Ready? (waits)',
      'Say(Tax office, "Ready?")': 'say TaxOffice: Ready?',
      'Say("{\\"a\\": 1} {} [1]")': 'say user: {"a": 1} {} [1]',
    },
    near: [
      'Say(suggest another day)',
      'Say nothing',
      'Say $x',
      'Say "Hello" to the guest',
      'Say(the kitchen, "Come!")',
      'Say("Hello {the name}")',
      'Say("Hello, [name]!")',
      'Say("Hello") and wave',
      'Say("a", "b", "c")',
    ],
  },
  ask: {
    formal: {
      'Ask user for $a': 'ask user $a',
      'Ask the user for $a, $b and $c': 'ask user $a, $b, $c',
      'Ask Ann for $n: int': 'ask Ann $n: int',
      'Ask human for $a, and $b': 'ask user $a, $b',
      '$a = Ask(Ann, "Which day?")': 'ask Ann $a: Which day?',
      '$n: int = Ask("How many, {$a}?")': 'ask user $n: int: How many, {a_}?',
    },
    near: [
      'Ask the kitchen for $dish',
      'Ask our clerk for $rate',
      'Ask user for the $number of their order',
      'Ask the user to contact support at 555-1234',
      'Ask no questions',
      'Ask $colleague to answer "a"',
      'Ask user for $a if it is unknown',
      '$a = Ask(user, what they like)',
      'Ask(user, "Which day?")',
    ],
  },
  head: {
    isHead: true,
    formal: {
      'If $x > 3:': 'if x_ > 3 { say user: x }',
      'If not $x': 'if not x_ { say user: x }',
      'If guest is None and $y is set': 'if guest == None and y_ != None { say user: x }',
      'If "urgent" in $mail.lower()': 'if "urgent" in mail_.lower() { say user: x }',
      'While len($x) < 3': 'while len(x_) < 3 { say user: x }',
      'Until $done (up to 5 times)': 'until done_ (5) { say user: x }',
      'Repeat $n times': 'times n_ { say user: x }',
      'For each $bike in $bikes': 'each $bike in bikes_ { say user: x }',
      'For each x in Price(1) (up to 3 times):': 'each x in Price(1) (3) { say user: x }',
    },
    near: [
      'If the guest is angry',
      'If you do not know enough, up to 3 rounds',
      'While the guest has not chosen (up to 3 times)',
      'While you are at it, greet the guest',
      'Repeat this three times',
      'Repeat after me: "a"',
      'For all other questions',
      'For each guest',
      'For each guest, ask for $name',
      'Greet everybody',
      'If $x is empty',
      'For $x in $xs',
    ],
  },
  leave: {
    isInLoop: true,
    formal: {
      ...{ Return: 'return', 'Return $x + 1': 'return x_ + 1', Break: 'go break' },
      ...{ Continue: 'go continue', 'Go to step 3': 'go 03', 'Go to line 03.1': 'go 03.01' },
      ...{ 'End program.': 'end', 'Return Price(1)': 'return Price(1)' },
    },
    near: [
      'Return items that are damaged to the depot',
      'Return the list, and thank them',
      'Return $x to the guest',
      'Break the news',
      'Continue with the next guest',
      'Go to the step before',
      'Go to step 3 if $x',
      'End the program',
      'Restart',
    ],
  },
  wait: {
    formal: {
      'Wait for user': 'wait user',
      'Wait for Ann (up to 2 hours)': 'wait person Ann (7200)',
      'Wait for Tax office': 'wait agent TaxOffice',
      'Wait 5 minutes': 'wait time 300',
      'Wait for an hour and 30 minutes': 'wait time 5400',
      'Wait until 9:00': 'wait moment 9:00',
      'Wait until tomorrow at noon': 'wait moment tomorrow at noon',
      'Wait for event order_paid': 'wait event order_paid',
      'Wait for event "order paid" (up to 1 day)': 'wait event order paid (86400)',
    },
    near: [
      'Wait for the customer record to load',
      "Wait for the guest's luggage",
      'Wait for a reply from support',
      'Wait until the user has left',
      'Wait for user (up to a while)',
      'Wait a few minutes',
      'Wait on the customer',
      'Wait for user to say something',
      'Wait',
    ],
  },
  note: {
    formal: {
      ...{ 'CHK N1': 'note N1', 'Think about it': 'note', 'YLD for call': 'note' },
    },
    near: ['Think about whether to refund, and refund if so', 'CHK N1 now', 'Check N1'],
  },
};

const french: Readonly<Record<string, FormCase>> = {
  lines: {
    isInLoop: true,
    formal: {
      'Demander à l’utilisateur $a et $b': 'ask user $a, $b',
      'Demander à Ann $a': 'ask Ann $a',
      "$a = Demander(l'utilisateur, « Quel jour ? »)": 'ask user $a: Quel jour ?',
      'Dire("Bonjour {$a}, ça va ?")': 'say user: Bonjour {a_}, ça va ? (waits)',
      'Dire « Bonjour »': 'say user: Bonjour',
      'Retourner $x': 'return x_',
      "Attendre l'utilisateur (jusqu'à 5 minutes)": 'wait user (300)',
      'Attendre 2 heures': 'wait time 7200',
      "Attendre jusqu'à 9h30": 'wait moment 9h30',
      "Attendre l'événement paiement": 'wait event paiement',
      ...{ "Aller à l'étape 3": 'go 03', 'Arrêter la boucle': 'go break' },
      ...{ 'Continuer la boucle': 'go continue', 'Fin du programme': 'end' },
      'Mettre $x à 5': '$x = 5',
    },
    near: ['Demander à la cuisine $a', 'Dire bonjour', 'Attendre un peu', 'Continuer à servir'],
  },
  heads: {
    isHead: true,
    formal: {
      'Si $x > 3': 'if x_ > 3 { say user: x }',
      'Tant que len($x) < 3 (au plus 4 fois)': 'while len(x_) < 3 (4) { say user: x }',
      "Jusqu'à ce que $fini": 'until fini_ { say user: x }',
      'Répéter 3 fois': 'times 3 { say user: x }',
      'Pour chaque $x dans $xs': 'each $x in xs_ { say user: x }',
    },
    near: ['Si le client est fâché', 'Pour chaque client', 'Tant que tu y es, salue le client'],
  },
};

const cases = [...Object.entries(forms), ...Object.entries(french)];

const written = (line: string, { isHead, isInLoop }: FormCase): string =>
  isInLoop ? `- While True\n  - ${line}` : `- ${line}${isHead ? under : ''}`;

const read = (line: string, form: FormCase) => {
  const [inner] = lineOf(written(line, form)).children;
  return form.isInLoop && inner ? inner : lineOf(written(line, form));
};

describe.each(cases)('%s', (_, form) => {
  test.each(Object.entries(form.formal))('formal: %s', (line, does) => {
    expect(shown(read(line, form))).toBe(does);
  });

  test.each(form.near)('the model does: %s', (line) => {
    const made = read(line, form);
    expect([isMachines(made), shown(made)]).toEqual([false, expect.anything()]);
  });
});

const all = cases.flatMap(([, form]) =>
  Object.keys(form.formal)
    .filter((line) => !/^(?:think|$)/i.test(line))
    .map((line) => ({ line, form })),
);

/** Where a word may stand: at blanks outside of quotes and brackets, and at both ends. */
function places(line: string): number[] {
  const hide = (part: string): string => '_'.repeat(part.length);
  const hidden = line
    .replace(/"(?:\\.|[^"\\])*"|[“«][^”»]*[”»]/g, hide)
    .replace(/\([^()]*\)|\[[^[\]]*\]/g, hide)
    .replace(/\([^()]*\)/g, hide);
  return [0, line.length, ...[...hidden.matchAll(/ /g)].map(({ index }) => index)];
}

test('one more word makes any form open', () => {
  const cut = fc.constantFrom(...all).chain(({ line, form }) =>
    fc.record({
      ...{ line: fc.constant(line), form: fc.constant(form) },
      at: fc.constantFrom(...places(line)),
      word: fc.constantFrom('please', 'again', 'perhaps', 'vite', 'all'),
    }),
  );
  fc.assert(
    fc.property(cut, ({ line, form, at, word }) => {
      const made = read(`${line.slice(0, at)} ${word} ${line.slice(at)}`.trim(), form);
      expect([line, at, shown(made), isMachines(made)]).toEqual([line, at, shown(made), false]);
      expect(made.does.is).not.toBe('ask');
    }),
    { numRuns: 2000 },
  );
});

test('no line makes the compiler fail', () => {
  const part = fc.constantFrom(
    ...[
      '$x',
      '"',
      "'",
      '{',
      '}',
      '(',
      ')',
      '[',
      ']',
      ' = ',
      ', ',
      ': ',
      ' and ',
      'Say',
      'Ask',
      'If ',
    ],
    ...[
      'For each ',
      ' in ',
      'Price',
      'TaxOffice.Rate',
      ' times',
      ' for ',
      'f"',
      '\\',
      '#',
      '.',
      '5',
    ],
    ...['“', '«', ' (up to ', 'user', 'is set', 'lambda x: ', '$', '`', 'élan', '\u0301'],
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 12 }), fc.boolean(), (parts, isHead) => {
      const line = lineOf(`- a${parts.join('')}${isHead ? under : ''}`);
      const other = lineOf(`- $y = ${parts.join('')}${isHead ? under : ''}`);
      expect([line.number, other.number]).toEqual(['01', '01']);
    }),
  );
});

test.each([
  ['If $x > 3: Return 5', '01:CND If $x > 3', '01.01:RET Return 5'],
  ['Otherwise: $x = {"a": 1}', '01:ELS Otherwise', '01.01:EXE $x = {"a": 1}'],
])('a head and its form in one line: %s', (text, head, line) => {
  const [first, ...more] = linesOf(`- ${text}`);
  expect(more).toEqual([]);
  const rows = [first, ...(first?.children ?? [])].map(
    (one) => `${one?.number}:${one?.code} ${one?.text}`,
  );
  expect(rows).toEqual([head, line]);
});

test.each([
  ['If $x > 3: greet them', 'what follows the colon is in words'],
  ['If $x > 3', 'nothing stands under it'],
  ['Ask the kitchen for $dish', '"the kitchen" is nobody in this file'],
  ['Nothing(1)', 'there is nothing of the name Nothing to call'],
  ['$x = Price(size)', undefined],
  ['Break', 'it stands in no loop'],
  ['Say("Hello {the name}")', '{the name} cannot be computed'],
])('a line that is like a form says why it is open: %s', (text, likely) => {
  const { does } = lineOf(`- ${text}`);
  expect(does.is === 'open' ? does.likely : undefined).toBe(likely);
});

test('a long line is open, and one with a block of code under it', () => {
  expect(lineOf(`- $x = "${'a'.repeat(2000)}"`).does.is).toBe('open');
  expect(lineOf('- Say("a")\n  ```\n  b\n  ```').does.is).toBe('open');
  expect(shown(lineOf('- $mail =\n  ```\n  Dear {$x}\n  ```'))).toBe('$mail = in words');
});
