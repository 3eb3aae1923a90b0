/** Names in the letters of any language, through the whole command line. */
import { expect, test } from 'vitest';
import { Folder } from '../../support/cli.ts';
import { startModelServer } from '../../support/model-server.ts';
import { ops } from './ops.ts';

const counter = `# 注文窓口

受付です。

\`\`\`tools
def 倍(数):
    return 数 * 2

def Prüfe(größe, maß = "cm"):
    return "%s %s" % (größe, maß)
\`\`\`

## Main($größe)
今は {$größe} 個で、二倍なら {倍($größe)} 個です。
### Triggers
- At the beginning
### Steps
- $año = 倍($größe)
- $prüfung = Prüfe($größe, maß="mm")
- お客様に {$año} と $prüfung を伝える
- 注文を確認($año)
- For each $элемент in [1, 2]
  - Say("Nummer {$элемент}")
- $नाम = "क्षत्रिय"
- Return "{$größe} {$नाम}"

## 注文を確認($数)
### Notes
- 短く
### Steps
- $結果 = 倍($数)
- Return $結果

## Große Bestellung
### Triggers
- When $año > 3
### Steps
- Say("Große Bestellung: {$año}")
`;

test('variables, playbooks, agents, functions and arguments', async () => {
  await using models = await startModelServer(() => ops({ say: 'お客様: {$año}, {$prüfung}' }));
  using folder = new Folder({ 'x.playbook.md': counter });
  const env = { ...models.env.openai };
  const flags = ['--model', 'openai/test', '--input', 'größe=3'.normalize('NFD'), '--json'];

  const checked = await folder.planvm(['check', 'x.playbook.md', '--json']);
  expect(JSON.parse(checked.stdout)).toMatchObject({ ok: true, diagnostics: [] });

  const ended = await folder.planvm(['run', 'x.playbook.md', ...flags], { env });
  const run = JSON.parse(ended.stdout);
  expect(run).toMatchObject({ status: 'done', answer: '3 क्षत्रिय' });
  expect(ended.stderr).not.toContain('is no variable');
  const [asked = ''] = models.requests.map(({ body }) => JSON.stringify(body));
  expect(asked).toContain('今は 3 個で、二倍なら 6 個です。');
  expect(asked).toContain('倍 into $año: 6');
  expect(ended.stderr).toContain('Große Bestellung: 6');

  const shown = await folder.planvm(['show', 'last', '--at', 'Main:06']);
  expect(shown.stdout).toMatch(/\$año +int +6\n/);
  expect(shown.stdout).toMatch(/\$結果 +int +12\n/);

  // What is printed reads back, and plays the same.
  const { stdout: compiled } = await folder.planvm(['compile', 'x.playbook.md']);
  expect(compiled).toContain('- 01:QUE $año = 倍($größe)');
  folder.write('x.pbasm', compiled);
  const again = await folder.planvm(['run', 'x.pbasm', ...flags], { env });
  const { answers, variables } = run;
  expect(JSON.parse(again.stdout)).toMatchObject({ status: 'done', answers, variables });
  const { stdout: twice } = await folder.planvm(['compile', 'x.pbasm']);
  expect(twice).toBe(compiled);
});
