/**
 * Texts of Python with expressions between braces, as replies of late 2025 had them: computed as in
 * quotes of a playbook, or told to the model. Nobody hears code.
 */
import { describe, expect, test } from 'vitest';
import { played } from './played.ts';

const program = (line: string) => `# Desk
## Main
### Triggers
- At the beginning
### Steps
- $total = 2.5
- $name = "eve"
- $d = {"a": [1, 2]}
- k = 7
- ${line}
- Return $total
`;

const reply = (text: string) => `\`\`\`python
await self.Step("Main:01:EXE")
self.state.total = 2.5
await self.Step("Main:02:EXE")
self.state.name = "eve"
await self.Step("Main:03:EXE")
self.state.d = {"a": [1, 2]}
await self.Step("Main:04:EXE")
k = 7
await self.Step("Main:05:QUE")
await self.Say("user", ${text})
await self.Step("Main:06:RET")
await self.Return(self.state["total"])
\`\`\``;

describe('a text of Python says what its braces come to', () => {
  test.each([
    ['Say("Is {$total:.2f} ok")', 'f"Is {self.state.total:.2f} ok"', 'Is 2.50 ok'],
    ['Say("Is {$total * 2} ok")', 'f"Is {self.state.total * 2} ok"', 'Is 5.0 ok'],
    ['Say("Hi {$name.upper()}")', 'f"Hi {self.state.name.upper()}"', 'Hi EVE'],
    ['Say("n {len($d["a"])}")', `f"n {len(self.state.d['a'])}"`, 'n 2'],
    ['Say("k {k} {$d["a"][1]}")', `f'k {k} {self.state.d["a"][1]}'`, 'k 7 2'],
    ['Say the total', 'f"Is {self.state.total:>6.1f} ok"', 'Is    2.5 ok'],
    ['Say the total', 'f"Is {self.state["total"]!s:.2f} ok"', 'Is 2.50 ok'],
    ['Say the name', `f"A { 'b' if self.state.total > 2 else 'c' }"`, 'A b'],
    ['Say the name', 'f"{{literal}} $5 {self.state.name} $name"', '{literal} $5 eve $name'],
    ['Say the name', 'f"{", ".join(["a", self.state.name])}"', 'a, eve'],
    ['Say the name', 'f"Hi {self.state.name}" " {k}," f\' and {k + 1}\'', 'Hi eve 7, and 8'],
    ['Say the name', 'f"""Hi {self.state.name}\nand "bye\\""""', 'Hi eve\nand "bye"'],
  ])('%s: %s', async (line, text, want) => {
    const { result, said } = await played(program(line), { replies: [reply(text)] });
    expect([result.error, said]).toEqual([undefined, [want]]);
  });
});

describe('what cannot be computed in a text of Python is told, and heard by nobody', () => {
  test.each([
    ['f"Is {round(self.state.total * 2)} ok"', 'calls round'],
    ['f"Is {self.state.nobody} ok"', '$nobody'],
    ['f"Is {nobody + 1} ok"', '$nobody'],
    ['f"Is {self.state.total=} ok"', 'shows its own name'],
    ['f"Is {self.state.total:{k}} ok"', 'has the format {k}'],
    ['f"Is {[x for x in self.state.d]} ok"', 'more than is computed there'],
    ['f"Is {self.state.total ok"', 'whose braces and quotes are closed'],
    ['f"Is {} ok"', 'is no expression'],
  ])('%s', async (text, want) => {
    const { said, prompts } = await played(program('Say how it is'), {
      replies: [reply(text), '{"step":"05"}\n{"say":"Fine"}\n{"step":"06"}\n{"return":"$total"}'],
    });
    expect(said).toEqual(['Fine']);
    expect(prompts[1]).toContain(want);
  });
});
