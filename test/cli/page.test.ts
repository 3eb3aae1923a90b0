/** The page of a run: whole in one file, and text whatever tools and models have written. */

import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { memoryJournal } from '../../src/engine/journal/open-journal.ts';
import { lookAt } from '../../src/engine/views/show.ts';
import { runPage } from '../../src/page/page.ts';
import { byName, loading, programOf, quickTool, start } from '../engine/support.ts';
import { domOf, noBrowser } from '../support/browser.ts';
import { answering, calling, Folder, ref } from '../support/cli.ts';

const attack = '</script><script>document.title="owned"</script><img src=x onerror="alert(1)">';

const tools = `
  let calls = 0;
  export default [
    { name: 'echo', description: 'Echoes.', effect: 'read',
      parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
      run({ text }) { if (calls++ === 0) throw new Error(text); return text + '<b>bold</b>'; } },
    { name: 'long', description: 'Says much.', effect: 'read', run: () => 'x'.repeat(300000) },
  ];`;

const plan = [
  { ...calling(0, 'echo', { text: attack }, 'said'), execution_objective: attack },
  calling(1, 'long', {}, 'much'),
  answering(2, ref('said')),
];

async function withPage(): Promise<Folder> {
  const folder = new Folder({ 'plan.json': plan, 'tools.mjs': tools });
  await folder.planvm(['run', 'plan.json', '--tools', 'tools.mjs']);
  const { code, stdout } = await folder.planvm(['show', 'last', '--html', '-o', 'run.html']);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'run.html\n' });
  return folder;
}

describe('show --html', () => {
  test('writes one file that loads nothing and runs nothing', async () => {
    using folder = await withPage();
    const page = folder.read('run.html');
    expect(page).toMatch(/^<!doctype html>/);
    expect(page.match(/<(link|img|iframe|base)\b/g)).toBeNull();
    expect(page.match(/\b(src|href|style|on\w+)=/g)?.length ?? 0).toBe(
      // Only as text of the attack, escaped.
      page.split('onerror=').length - 1 + page.split('src=x').length - 1,
    );
    expect(page).toContain('default-src &#39;none&#39;');
    expect(page).not.toContain('script-src');
    expect(page.match(/<script\b[^>]*>/g)).toBeNull();
  });

  test('says what the run was, with times, values and the critical path', async () => {
    using folder = await withPage();
    const page = folder.read('run.html');
    expect(page).toContain('<span class="status done">done</span>');
    expect(page).toMatch(/<h2>Answer<\/h2>\s*<div class="card answer"><pre>&lt;\/script&gt;/);
    const [, echo = ''] =
      /<details class="effect tool done critical">([\s\S]*?)<\/details>/.exec(page) ?? [];
    expect(echo).toMatch(/◆ echo\s+<span class="soft">0#1<\/span>/);
    expect(echo).toContain('read · done');
    expect(echo).toMatch(/<h3>asked<\/h3><pre class="value">\{[\s\S]*onerror=/);
    expect(echo).toMatch(/<h3>answered<\/h3><pre class="value">[\s\S]*&lt;b&gt;bold&lt;\/b&gt;/);
    expect(echo).toMatch(/<h3>attempts<\/h3>/);
    expect(page).toMatch(/\.p\d+\{left:[\d.]+%;width:[\d.]+%\}/);
    expect(page).toContain('300 000 characters in all');
    expect(page).toContain('class="try ');
  });

  test('- is stdout', async () => {
    using folder = await withPage();
    const { stdout } = await folder.planvm(['show', 'last', '--html', '-o', '-']);
    expect(stdout).toMatch(/^<!doctype html>[\s\S]*<\/html>\n/);
  });

  test('is markup of its own only, whatever names and values a journal holds', async () => {
    const hostile = '"><script>alert(1)</script>';
    const journal = memoryJournal();
    const program = programOf([{ tool: hostile }]);
    const handlers = byName(quickTool(hostile, () => hostile));
    const run = start({ journal, program, handlers, title: hostile, text: hostile });
    const result = await run.result;
    const summary = journal.find(run.id);
    if (!summary) throw new Error('the run is gone');
    const look = lookAt({ journal, run: run.id, load: loading(program) });
    const page = runPage({
      ...{ look, result, error: hostile },
      summary: {
        ...{ ...summary, dialect: hostile, settings: JSON.stringify({ file: hostile }) },
        base: { run: hostile, seq: 1 },
      },
      exported: JSON.stringify([hostile, '<!--<script>', '\u2028']),
    });
    expect(page).not.toContain('<script>alert');
    expect(page.match(/<script\b[^>]*>/g)).toEqual([
      '<script type="application/x-planvm-run+json" id="run">',
    ]);
    const [, exported = ''] = /id="run">([^<]*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(exported)).toEqual([hostile, '<!--<script>', '\u2028']);
  });

  if (noBrowser) process.stdout.write(`skipped in a browser: ${noBrowser}\n`);

  test.skipIf(noBrowser)('in a browser hostile text is text', async () => {
    using folder = await withPage();
    const dom = await domOf(join(folder.path, 'run.html'));
    expect(dom).toMatch(/<title>plan\.json · r\w+<\/title>/);
    expect(dom).not.toMatch(/<img\b/);
    expect(dom).toContain('&lt;img src=x onerror="alert(1)"&gt;&lt;b&gt;bold&lt;/b&gt;</pre>');
  });
});
