/**
 * The rows of the tables that say what must become of each case that other parsers get wrong, and
 * of the forms that LLMCompiler's syntax glossary specifies.
 */
import { describe, expect, test } from 'vitest';
import { read } from './reading.ts';

/** The codes of what is said, without those that most short plans have. */
type Row = readonly [text: string, tasks: readonly string[], codes?: string];

const one = (text: string): string => `1. ${text}`;
/** With a first task to refer to. */
const two = (text: string): string => `1. any(1)\n2. ${text}`;
const first = '1. any(x=1)';

const calls: readonly Row[] = [
  [one('search("a b")'), ['1. search(query="a b")']],
  [one('search(In Cold Blood)'), ['1. search(query="In Cold Blood")']],
  [one('search(Paris, France)'), ['1. search(query="Paris, France")']],
  [one('Search(Paris, France)'), ['1. Search(query="Paris, France")']],
  [one('Search(Paris, 3)'), ['1. Search(query="Paris", top_k=3)']],
  [one('pair(Paris, France)'), ['1. pair(a="Paris", b="France")'], 'PV2631'],
  [one('pair(Paris, 2024-02-15)'), ['1. pair(a="Paris", b="2024-02-15")']],
  [one('pair("Paris", France)'), ['1. pair(a="Paris", b="France")']],
  [one('pair(Paris, Texas, b=USA)'), ['1. pair(a="Paris, Texas", b="USA")']],
  [one('Search(Paris,  France)'), ['1. Search(query="Paris,  France")']],
  [one('Search(Paris, France, 3)'), ['1. Search(query="Paris, France, 3")'], 'PV2631'],
  [one('Search("Paris, France", 3)'), ['1. Search(query="Paris, France", top_k=3)']],
  [one('Search(Paris, France, top_k=3)'), ['1. Search(query="Paris, France", top_k=3)']],
  [one('say(Well, well, fr)'), ['1. say(text="Well, well", language="fr")']],
  [one('say(Well, fr)'), ['1. say(text="Well", language="fr")']],
  [
    one('weather(Paris, France, 2024-02-15)'),
    ['1. weather(city="Paris, France", day="2024-02-15")'],
  ],
  [one('mail(a@b.org, Well, well)'), ['1. mail(to="a@b.org", body="Well, well")']],
  [one('mail(Dear Ann, a@b.org)'), [], 'PV2613'],
  [one('search("Paris", France)'), ['1. search(query="\\"Paris\\", France")']],
  [one('search("Paris", "France", 3)'), [], 'PV2615'],
  [one('search("Paris", 3)'), [], 'PV2615'],
  // One reading alone: what is whole by itself parts two texts that may hold commas.
  [
    one('TemperatureRange("May 1", Sunday, at noon)'),
    ['1. TemperatureRange(start_date="May 1", end_date="Sunday, at noon")'],
  ],
  [
    one('TemperatureRange(Sunday, at noon, "May 1")'),
    ['1. TemperatureRange(start_date="Sunday, at noon", end_date="May 1")'],
  ],
  [
    two('TemperatureRange(Sunday, behind $1, $1)'),
    [
      first,
      '2. TemperatureRange(start_date=text("Sunday, behind ", ref(1)), end_date=text(ref(1)))',
    ],
  ],
  [one('TemperatureRange(Sunday, at noon, May)'), [], 'PV2615'],
  [one('pair("Paris", Texas, USA)'), [], 'PV2615'],
  [
    one('pair(who said "I came, I saw, I won", Caesar)'),
    ['1. pair(a="who said \\"I came, I saw, I won\\"", b="Caesar")'],
    'PV2631',
  ],
  [one('pair(who said "I came, I saw")'), ['1. pair(a="who said \\"I came, I saw\\"")']],
  [one(`pair(6" pipe, 4" pipe)`), ['1. pair(a="6\\" pipe", b="4\\" pipe")'], 'PV2631'],
  [one('pair(over 1,000,000 people)'), ['1. pair(a="over 1,000,000 people")']],
  [one('Search(towns over 1,000)'), ['1. Search(query="towns over 1,000")']],
  [one('pair(1,200)'), ['1. pair(a=1, b=200)']],
  [one('translated(Well, well, fr)'), ['1. translated(text="Well, well", into="fr")']],
  [one('weather(Paris, 2023-02-29)'), [], 'PV2617'],
  [one('weather("Paris", "tomorrow")'), [], 'PV2617'],
  [one('any([1, 2])'), ['1. any(x=[1, 2])']],
  [one('any((1, 2))'), ['1. any(x=[1, 2])']],
  [one('largest(1, 2, 3.5)'), ['1. largest(values=[1, 2, 3.5])']],
  [
    one('TemperatureRange(2024-02-15, 2024-02-17)'),
    ['1. TemperatureRange(start_date="2024-02-15", end_date="2024-02-17")'],
  ],
  [one('Temperature(2024-12-15)'), ['1. Temperature(date="2024-12-15")']],
  [one('any(2024-12-15)'), ['1. any(x="2024-12-15")']],
  [two('any($1)'), [first, '2. any(x=ref(1))']],
  [two('any("$1")'), [first, '2. any(x=ref(1))']],
  [two(`any(\${1})`), [first, '2. any(x=ref(1))']],
  [two('search($1)'), [first, '2. search(query=text(ref(1)))']],
  [two('double("$1")'), [first, '2. double(value=number(ref(1)))']],
  [two('largest($1)'), [first, '2. largest(values=list(ref(1), false))']],
  [two('largest($1, 3)'), [first, '2. largest(values=[number(ref(1)), 3])']],
  [two('math("a", $1)'), [first, '2. math(problem="a", context=list(ref(1), false))']],
  [two('math("a", $1, "b")'), [first, '2. math(problem="a", context=[ref(1), "b"])']],
  [two('optional($1, $1)'), [first, '2. optional(words=list(ref(1), true), note=text(ref(1)))']],
  [two('optional(["$1"], a)'), [first, '2. optional(words=[text(ref(1))], note="a")']],
  [two('any($1 * 2)'), [first, '2. any(x=text(ref(1), " * 2"))']],
  [two('Calculate($1 * 2)'), [first, '2. Calculate(expression=text(ref(1), " * 2"))']],
  [two('Calculator[$1 * 2]'), [first, '2. Calculator(expression=number(ref(1), " * 2"))']],
  [two('Calculator["$1 * 2"]'), [first, '2. Calculator(expression=number(ref(1), " * 2"))']],
  [
    two('Calculator[max($1, 2) / 3]'),
    [first, '2. Calculator(expression=number("max(", ref(1), ", 2) / 3"))'],
  ],
  [two('Calculator[$1 m * 2,5]'), [first, '2. Calculator(expression=text(ref(1), " m * 2,5"))']],
  [one('Calculator[8,848.86 / 2]'), ['1. Calculator(expression="8,848.86 / 2")']],
  [one('double["8,848.86 m"]'), ['1. double(value=8848.86)'], 'PV2618'],
  [one('double[2 102 650]'), ['1. double(value=2102650)'], 'PV2618'],
  [two('double($1 * 2)'), [first, '2. double(value=number(ref(1), " * 2"))']],
  [two('double("$1 * 2")'), [first, '2. double(value=number(ref(1), " * 2"))']],
  [two('double((1 + $1) ** -2)'), [first, '2. double(value=number("(1 + ", ref(1), ") ** -2"))']],
  [
    two('double(max($1.a, round($1[0] × 2)))'),
    [first, '2. double(value=number("max(", ref(1.a), ", round(", ref(1.0), " × 2))"))'],
  ],
  [
    two('Table(["Ville","Population"], [["Paris", $1]])'),
    [first, '2. Table(headers=["Ville", "Population"], rows=[["Paris", ref(1)]])'],
  ],
  [one('search(query="x")'), ['1. search(query="x")']],
  [one('Search[top_k: 3, query: "x"]'), ['1. Search(top_k=3, query="x")']],
  [one('search("query": "x")'), ['1. search(query="x")']],
  [one('search(Title: the "film", again)'), ['1. search(query="Title: the \\"film\\", again")']],
  [one('search({"query": "x"})'), ['1. search(query="x")'], 'PV2618'],
  [one('any({"a": true, "b": null})'), ['1. any(x={"a": true, "b": null})']],
  [one("any({'a': True, 'b': [None, False]})"), ['1. any(x={"a": true, "b": [null, false]})']],
  [one('any(12345678901234567890)'), ['1. any(x=12345678901234567890)']],
  [one('any(1.0)'), ['1. any(x=1.0)']],
  [one('any(x=a=b)'), ['1. any(x="a=b")']],
  [one('double(2 * (3 + 1))'), ['1. double(value=8)']],
  [one('any(-1.5e3)'), ['1. any(x=-1500.0)']],
  [one("search(What's new)"), ['1. search(query="What\'s new")']],
  [one('search("""a "b"\nc""")'), ['1. search(query="a \\"b\\"\\nc")']],
  [one(String.raw`search("a\n\"b\" \u00e9 \d")`), ['1. search(query="a\\n\\"b\\" é \\\\d")']],
  [one('search("a") # first'), ['1. search(query="a")']],
  [one('search("a") # the (first) one'), ['1. search(query="a")']],
  [one('search("First for Women (magazine)")'), ['1. search(query="First for Women (magazine)")']],
  [one('search(First for Women (magazine))'), ['1. search(query="First for Women (magazine)")']],
  [one("search(The band ('90s) of 1984)"), ['1. search(query="The band (\'90s) of 1984")']],
  [one('get-weather(Paris)'), ['1. get-weather(city="Paris")']],
  [one('mcp.search("a")'), ['1. mcp.search(query="a")']],
  [one('ns:tool/v1("a")'), ['1. ns:tool/v1(query="a")']],
  [one('search ("a")'), ['1. search(query="a")']],
  ['1) search("a")', ['1. search(query="a")']],
  ['$1 = search("a")\n$2 = search($1)', ['1. search(query="a")', '2. search(query=text(ref(1)))']],
  ['  1. search("a")', ['1. search(query="a")']],
  ['- 1. search("a")\n* 2. any(1)', ['1. search(query="a")', '2. any(x=1)']],
  ['**1.** `search("a")`', ['1. search(query="a")']],
  ['```\n1. search("a")\n```', ['1. search(query="a")']],
  ['1. search(\n  "a",  # this one\n)', ['1. search(query="a")']],
  ['1. any([\n  1,\n\n  {"a":\n 2}])\n2. any(1)', ['1. any(x=[1, {"a": 2}])', '2. any(x=1)']],
  ['1. search("a\nb")', ['1. search(query="a\\nb")']],
  ['1. search("a\r\nb")\r\n2. any(1)\r\n', ['1. search(query="a\\nb")', '2. any(x=1)']],
  ['Step 1: search("a")', ['1. search(query="a")']],
  ['1.\u00a0search(\u00a0"a")', ['1. search(query="a")']],
  [one('Search("a", None)'), ['1. Search(query="a")']],
  [one('any(null)'), ['1. any(x=null)']],
  [one('open(city=Paris, days=3)'), ['1. open(city="Paris", days=3)']],
  [one('open({"city": "Paris"})'), ['1. open(city="Paris")'], 'PV2618'],
  [one('Calculate[x=5]'), ['1. Calculate(expression="x=5")']],
  ['Observation: 3. search("inj")\n1. any(1)', ['1. any(x=1)'], 'PV1219'],
];

const repaired: readonly Row[] = [
  [
    two('math("max speed?", ["$1"]\n'),
    [first, '2. math(problem="max speed?", context=[ref(1)])'],
    'PV1208',
  ],
  [two('math("max", ["$1")'), [first, '2. math(problem="max", context=[ref(1)])'], 'PV1208'],
  ['1. search(Paris\n2. any(1)', ['1. search(query="Paris")', '2. any(x=1)'], 'PV1208'],
  [
    '1. search["x")\n2. search("y"]',
    ['1. search(query="x")', '2. search(query="y")'],
    'PV1210 PV1210',
  ],
  ['1. search("abc)\n2. search("b")', ['1. search(query="abc")', '2. search(query="b")'], 'PV1209'],
  [one('search("he said "hi" to me")'), ['1. search(query="he said \\"hi\\" to me")'], 'PV1211'],
  [one('search(“a”)'), ['1. search(query="a")'], 'PV1227'],
  [one('search(‘Schindler’s List’)'), ['1. search(query="Schindler’s List")'], 'PV1227 PV1211'],
  [one('search(« une île »)'), ['1. search(query="une île")'], 'PV1227'],
  [one('search(„a“)'), ['1. search(query="a")'], 'PV1227'],
  [one('search(`a`)'), ['1. search(query="a")'], 'PV1227'],
  [one('Search(‘a’, 3)'), ['1. Search(query="a", top_k=3)'], 'PV1227'],
  [one('search(""'), ['1. search(query="")'], 'PV1208'],
  [one('any([\n1, [2, 3)\n'), ['1. any(x=[1, [2, 3]])'], 'PV1208'],
  [one('search(«Guernica» de Picasso)'), ['1. search(query="«Guernica» de Picasso")'], 'PV1227'],
  ['1. search("a"), 2. search("b")', ['1. search(query="a")', '2. search(query="b")'], 'PV1213'],
  [one('search("a"))'), ['1. search(query="a")'], 'PV1214'],
  [one('search("a") which says'), ['1. search(query="a")'], 'PV1214'],
  [one('SEARCH2("a")'), [], 'PV2611'],
  [one('MATH("a")'), ['1. math(problem="a")'], 'PV2612'],
  [one('get_weather("a")'), ['1. get-weather(city="a")'], 'PV2612'],
  [one('mcp/search("a")'), ['1. mcp.search(query="a")'], 'PV2612'],
  [one('double("1.5")'), ['1. double(value=1.5)'], 'PV2618'],
  [one('math("a", "[1]")'), ['1. math(problem="a", context=[1])'], 'PV2618'],
  [two('search(["a", $1])'), [first, '2. search(query=text("[\\"a\\", ", ref(1), "]"))'], 'PV2618'],
  ['Pensée : voyons\n1. any(1)', ['1. any(x=1)'], 'PV1218'],
  ['Réflexion: a\n1. any(1)', ['1. any(x=1)'], 'PV1218'],
  ['x = any(1)\n1. any(2)', ['1. any(x=2)'], 'PV1202'],
  ['Thought: a\nx := await any(\n1. any(2)', ['1. any(x=2)'], 'PV1202'],
  ['Thought: x = 2\ny = (3)\n1. any(2)', ['1. any(x=2)']],
  ['Thought：a\n1. any(1)', ['1. any(x=1)']],
  ['Action： any(1)', ['1. any(x=1)'], 'PV1203'],
];

const places = ['1. places()', '2. any(x=ref(1.0.height))'] as const;

const references: readonly Row[] = [
  // Parts behind braces, and texts that are computed, as other languages write them.
  [
    two(`double(\${1}.a + \${1}[0].b)`),
    [first, '2. double(value=number(ref(1.a), " + ", ref(1.0.b)))'],
  ],
  [two(`any(\${1}.a)`), [first, '2. any(x=ref(1.a))'], 'PV2618'],
  [two(`search(\${1}.a)`), [first, '2. search(query=text(ref(1.a)))'], 'PV2618'],
  [two(`search("\${1}.a")`), [first, '2. search(query=text(ref(1), ".a"))']],
  [two(`search(see \${1}.a)`), [first, '2. search(query=text("see ", ref(1), ".a"))']],
  [
    two(`search('in ' + $1.a + " now")`),
    [first, '2. search(query=text("in ", ref(1.a), " now"))'],
    'PV2618',
  ],
  [two('any(str($1) + "!")'), [first, '2. any(x=text(ref(1), "!"))'], 'PV2618'],
  [
    two(`search(f"in {$1.a} and {\${1}.b} {x}")`),
    [first, '2. search(query=text("in ", ref(1.a), " and ", ref(1.b), " {x}"))'],
    'PV2618',
  ],
  [two('search("C" + plus)'), [first, '2. search(query="\\"C\\" + plus")']],
  [
    two('search(f"in {$1.a}, then {$1.b}")'),
    [first, '2. search(query=text("in ", ref(1.a), ", then ", ref(1.b)))'],
    'PV2618',
  ],
  [
    two('search("phones under $1000 or $1")'),
    [first, '2. search(query=text("phones under $1000 or ", ref(1)))'],
    'PV2619',
  ],
  [
    two('search("phones under $50 or $1")'),
    [first, '2. search(query=text("phones under $50 or ", ref(1)))'],
    'PV2619',
  ],
  [two('search(phones under $12)'), [first, '2. search(query="phones under $12")'], 'PV2619'],
  [
    '98. search("under $100, see $99")\n99. any(1)\n100. any(2)',
    ['98. search(query=text("under $100, see ", ref(99)))', ...['99. any(x=1)', '100. any(x=2)']],
    'PV2606 PV2610 PV2619',
  ],
  [
    two('search("$1,000 or $1.50, but $1.")'),
    [first, '2. search(query=text("$1,000 or $1.50, but ", ref(1), "."))'],
  ],
  [
    two('any({"k": "$1", "l": ["a $1"]})'),
    [first, '2. any(x={"k": ref(1), "l": [text("a ", ref(1))]})'],
  ],
  [
    two(String.raw`search("\$1, $$1, $ 1, $x, $$ and $1")`),
    [first, '2. search(query=text("$1, $1, $ 1, $x, $$ and ", ref(1)))'],
  ],
  [two(String.raw`search(\$1 and $$1)`), [first, '2. search(query="$1 and $1")']],
  [two(`any(\${1.a[0].b})`), [first, '2. any(x=ref(1.a.0.b))']],
  [two('any($1.a)'), [first, '2. any(x=ref(1.a))']],
  [two('any($1[-1])'), [first, '2. any(x=ref(1.-1))']],
  [two('any($1["a k"])'), [first, '2. any(x=ref(1.a k))']],
  [two('any($1[*].url)'), [first, '2. any(x=ref(1.*.url))']],
  [two('any($p1.1)'), [first, '2. any(x=ref(1))']],
  [two(`search(\${1}st)`), [first, '2. search(query=text(ref(1), "st"))']],
  ['1. places()\n2. any($1[0].height)\n3. any($1[*].name)', [...places, '3. any(x=ref(1.*.name))']],
  ['1. places()\n2. any($1[0].heigth)', [places[0], '2. any(x=ref(1.0.heigth))'], 'PV2629'],
  ['1. places()\n2. any($1.name)', [places[0], '2. any(x=ref(1.name))'], 'PV2629'],
  ['1. places()\n2. any($1[0].name.a)', [places[0], '2. any(x=ref(1.0.name.a))']],
  [
    '1. any(1)\n2. places_of($1[*])\n3. any($2[0].name)\n4. any($2.name)',
    [first, '2. places_of(x=ref(1.*))', '3. any(x=ref(2.0.name))', '4. any(x=ref(2.name))'],
    'PV2629',
  ],
  ['1. any("$2")\n2. any(1)', ['1. any(x=ref(2))', '2. any(x=1)'], 'PV2610'],
  [one('any($1)'), [], 'PV2608'],
  [one('any("$9")'), [], 'PV2607'],
  [one('search("see $9")'), [], 'PV2607'],
  [one('any("$50")'), [], 'PV2607'],
  ['7. search("see $14")', [], 'PV2606 PV2607'],
  [
    '1. any($3)\n2. any($1)\n3. any($2)',
    ['1. any(x=ref(3))', '2. any(x=ref(1))', '3. any(x=ref(2))'],
    'PV2610 PV2609',
  ],
  ['1. any(1)\n3. any(2)\n4. join()', [first, '3. any(x=2)'], 'PV2606'],
  ['5. any(1)\n6. join()', ['5. any(x=1)'], 'PV2606'],
  ['0. any(1)\n1. any($0)', ['0. any(x=1)', '1. any(x=ref(0))'], 'PV2606'],
  ['1. any(1)\n1. any(2)', [first, '1. any(x=2)'], 'PV2605'],
];

const refused: readonly Row[] = [
  [one('search()'), [], 'PV2613'],
  [one('search(None)'), [], 'PV2613'],
  [one('search(term="a")'), [], 'PV2614 PV2613'],
  [one('Search(qury=Paris)'), [], 'PV2614 PV2613'],
  [one('open("Paris")'), [], 'PV2615'],
  [one('pair(Paris, Texas, USA)'), [], 'PV2615'],
  [one('Search(query=Paris, 3)'), [], 'PV2623'],
  [one('Search(query=Paris, France, top_k=3)'), [], 'PV2623'],
  [one('pair(a=Paris, France)'), [], 'PV2623'],
  [one('Search("Paris", France)'), [], 'PV2620'],
  [one('say(Well, frr)'), [], 'PV2617'],
  [one('weather(Paris, tomorrow)'), [], 'PV2613'],
  [one('NodeStatus("Paris")'), [], 'PV2615'],
  [one('search("a", "b")'), [], 'PV2615'],
  [one('search(qery="a")'), [], 'PV2614 PV2613'],
  [one('Search(query="a", "b")'), [], 'PV2623'],
  [one('double(2024-12-15)'), [], 'PV2617'],
  [one('double(many)'), [], 'PV2620'],
  [one('double(1 / 0)'), [], 'PV2620'],
  [two(String.raw`double(\$1 * $1)`), [first], 'PV2620'],
  [one('flag(true, ["slow"])'), [], 'PV2618 PV2617'],
  [two('double($1 euros)'), [first], 'PV2620'],
  [two('double(open("x"))'), [first], 'PV2620'],
  [one('flag(true, slwo)'), [], 'PV2617'],
  [two('any({$1: 2})'), [first], 'PV1225'],
  [one('any(,)'), [], 'PV1222 PV2613'],
  [one('search("a'), [], 'PV1212 PV2601'],
  [one('any(1, [2'), [], 'PV1212 PV2601'],
  [one('search("a" # and'), [], 'PV1212 PV2601'],
  ['1. find the population\n2. any(1)', ['2. any(x=1)'], 'PV1201 PV2606'],
  ['Thought: a\n2. b\n5. c\n2. any(1)', ['2. any(x=1)'], 'PV1226 PV1226 PV2606'],
  [
    '1. any(1)\nThought: why\n2. look it up\n3. any($1)',
    [first, '3. any(x=ref(1))'],
    'PV1201 PV2606',
  ],
  ['NodeStatus[]', [], 'PV1202 PV2601'],
  [one(`any(${'['.repeat(100)}${']'.repeat(100)})`), [], 'PV1223'],
];

const groups: readonly (readonly [string, readonly Row[]])[] = [
  ['calls', calls],
  ['what is repaired', repaired],
  ['references', references],
  ['what is refused', refused],
];

describe.each(groups)('%s', (_, rows) => {
  test.each(rows.map((row) => [row[0], row] as const))('%j', (text, [, tasks, codes = '']) => {
    const found = read(text);
    expect(found.tasks).toEqual(tasks);
    expect(found.codes.toSorted()).toEqual(codes.split(' ').filter(Boolean).toSorted());
    for (const { line, column, message } of found.diagnostics) {
      expect(
        [line, column].every((place) => place > 0),
        message,
      ).toBe(true);
    }
  });
});
