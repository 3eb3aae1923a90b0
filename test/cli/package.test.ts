/**
 * The command as it is installed: a package that holds bin/ and dist/ but no sources, and a Node
 * that may be too old for it.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { SourceMap, type SourceOrigin } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { root, textOf } from '../support/repo.ts';

const folder = mkdtempSync(join(tmpdir(), 'planvm-package-'));
const bin = join(folder, 'bin/planvm.js');

beforeAll(() => {
  cpSync(join(root, 'bin'), join(folder, 'bin'), { recursive: true });
  cpSync(join(root, 'package.json'), join(folder, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  const script = join(root, 'scripts/build.ts');
  const args = [script, '--if-older', join(folder, 'dist')];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

afterAll(() => rmSync(folder, { recursive: true }));

test('the built package runs without its sources', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, '--version'], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/);
});

test('bundlers follow nothing that is not there', () => {
  const { peerDependencies } = JSON.parse(textOf('package.json'));
  const optional = Object.keys(peerDependencies);
  expect(optional).toContain('unpdf');
  const files = globSync('dist/**/*.js', { cwd: folder });
  expect(files).toContain('dist/index.js');
  for (const file of files) {
    const code = readFileSync(join(folder, file), 'utf8');
    const named = [...code.matchAll(/(?:from|import\(|import) ?["']([^."'][^"']*)["']/g)];
    const followed = named.flatMap(([, name = '']) =>
      optional.filter((one) => name === one || name.startsWith(`${one}/`)),
    );
    expect([file, followed]).toEqual([file, []]);
    expect(/new URL\("[^"]+", ?import\.meta\.url\)/.exec(code)?.[0], file).toBeUndefined();
  }
});

test('the built package has its control loops', () => {
  const transcript = join(folder, 'calls.ndjson');
  const reply = '[{"seq_no": 0, "type": "assign", "parameters": {"final_answer": "yes"}}]';
  writeFileSync(transcript, JSON.stringify({ prompt: 'Say yes.', reply }));
  const args = [
    bin,
    'plan',
    'Say yes.',
    '--replay',
    transcript,
    '--no-journal',
    '-q',
    '--dialect',
    'stackvm-2',
  ];
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder });
  expect({ status, stdout }).toEqual({ status: 0, stdout: `${reply}\n` });
});

/** The package as it would be published, installed in the folder that this gives. */
function installed(): string {
  const args = ['pack', '--ignore-scripts', '--pack-destination', folder];
  const { stdout, stderr } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
  expect(stderr).toContain('planvm-');
  const home = mkdtempSync(join(folder, 'installed-'));
  const target = join(home, 'node_modules/planvm');
  mkdirSync(target, { recursive: true });
  const archive = join(folder, stdout.trim());
  spawnSync('tar', ['-xzf', archive, '--strip-components=1', '-C', target]);
  for (const name of Object.keys(JSON.parse(textOf('package.json')).dependencies)) {
    const link = join(home, 'node_modules', name);
    mkdirSync(join(link, '..'), { recursive: true });
    symlinkSync(join(root, 'node_modules', name), link);
  }
  return home;
}

let home: string | undefined;

test.each(['commonjs', 'module', undefined])(
  'an installed package runs what init writes where package.json says "type": %s',
  (type) => {
    home ??= installed();
    const project = mkdtempSync(join(home, 'project-'));
    writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', type }));
    const planvm = (...args: string[]) => {
      const command = [join(home ?? '', 'node_modules/planvm/bin/planvm.js'), ...args];
      const env = { ...process.env, XDG_CONFIG_HOME: join(project, '.config') };
      return spawnSync(process.execPath, command, { cwd: project, encoding: 'utf8', env });
    };
    expect(planvm('init').status).toBe(0);
    const { status, stdout, stderr } = planvm('run', 'plan.json');
    const answer = 'Lisbon is 11.1 degrees warmer than Oslo.\n';
    expect({ status, stdout }).toEqual({ status: 0, stdout: answer });
    expect(stderr).not.toContain('Warning');
  },
);

test('what is started by its path stands where its source does', () => {
  const started = globSync(['**/*-thread.ts', '**/supervisor.ts'], { cwd: join(root, 'src') });
  expect(started.length).toBeGreaterThan(5);
  const built = started.map((name) => join(folder, 'dist', name.replace(/\.ts$/, '.js')));
  expect(built.filter((name) => !existsSync(name))).toEqual([]);
});

test('what is built imports nothing but what comes with it', () => {
  const files = globSync('**/*.js', { cwd: join(folder, 'dist') });
  const names = files.flatMap((file) => {
    const text = readFileSync(join(folder, 'dist', file), 'utf8');
    const imports = text.matchAll(/^(?:import|export)\b[^'"]*["']([^'"]+)["'];$/gm);
    return [...imports].map(([, name = '']) => name);
  });
  const packages = names.filter((name) => !/^(\.|node:)/.test(name));
  const { dependencies, peerDependencies } = JSON.parse(textOf('package.json'));
  const known = Object.keys({ ...dependencies, ...peerDependencies });
  const isKnown = (name: string): boolean =>
    known.some((each) => name === each || name.startsWith(`${each}/`));
  expect(packages).toContain('ipaddr.js');
  expect(packages.filter((name) => !isKnown(name))).toEqual([]);
});

test('its source maps lead back to the line in the sources', () => {
  const name = 'dist/cli/commands/demo.js';
  const place = (text: string): { line: number; column: number } => {
    const before = text.slice(0, text.indexOf('examples/geography/')).split('\n');
    return { line: before.length, column: (before.at(-1) ?? '').length };
  };
  const built = place(readFileSync(join(folder, name), 'utf8'));
  const map = new SourceMap(JSON.parse(readFileSync(join(folder, `${name}.map`), 'utf8')));
  const { fileName, lineNumber } = map.findOrigin(built.line, built.column) as SourceOrigin;
  const source = 'src/cli/commands/demo.ts';
  expect(fileName.endsWith(source)).toBe(true);
  expect(lineNumber).toBe(place(readFileSync(join(root, source), 'utf8')).line);
});

test('its types need nothing but itself, in a project that checks libraries strictly', () => {
  const program = `
    import { type AgentEvent, defineTool, InvalidProgram, openAgent, run, type RunResult } from 'planvm';
    import { type Evaluation, starlark } from 'planvm/starlark';
    const parameters = { type: 'object', properties: { n: { type: 'integer' } } } as const;
    const twice = defineTool({
      name: 'twice', description: 'Doubles.', effect: 'pure', parameters,
      run: ({ n }) => Number(n) * 2,
    });
    const first: RunResult = await run('[]', { tools: [twice], limits: { effects: 1 } });
    const id: string = first.run;
    // @ts-expect-error: an answer may be anything
    const text: string = first.answer;
    await using agent = await openAgent({ tools: [twice], journal: 'runs.db', approve: 'writes' });
    const session = agent.resume(id);
    const heard: AgentEvent[] = [];
    for await (const event of session) heard.push(event);
    const next = (await session.end).next.filter((step) => step.do === 'reply');
    await agent.reply(id, { approved: true, effect: next[0]!.wait.effect, by: 'kim' });
    const evaluation: Evaluation = starlark.evaluate('n = 1');
    export { evaluation, heard, InvalidProgram, text };`;
  writeFileSync(join(folder, 'consumer.ts'), program);
  const lib = ['es2024', 'esnext.disposable', 'dom'];
  const strict = { strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true };
  const compilerOptions = { ...strict, module: 'nodenext', target: 'es2024', lib, types: [] };
  const config = { compilerOptions: { ...compilerOptions, noEmit: true }, files: ['consumer.ts'] };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const { status, stdout } = spawnSync(process.execPath, [compiler, '-p', folder], {
    encoding: 'utf8',
  });
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
});

test.each([
  ['20.19.0', 2],
  ['24.14.9', 2],
  ['24.15.0', 0],
  ['26.0.0', 0],
])('under Node %s it exits with %i', (version, code) => {
  const pretend = `Object.defineProperty(process, 'versions', { value: { node: '${version}' } });`;
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(pretend)}`, bin, '--version'],
    { encoding: 'utf8' },
  );
  expect(status).toBe(code);
  if (code === 2) expect(stderr).toMatch(/^planvm needs Node 24\.15 .* `npx planvm`.*\n$/);
  else expect(stderr).toBe('');
});

test('a clone runs what is built until one of its sources is newer', () => {
  const clone = mkdtempSync(join(folder, 'clone-'));
  cpSync(join(root, 'bin'), join(clone, 'bin'), { recursive: true });
  writeFileSync(join(clone, 'package.json'), '{ "type": "module" }');
  const source = join(clone, 'src/cli/main.ts');
  for (const [path, text] of [
    [source, 'source'],
    [join(clone, 'dist/cli/main.js'), 'built'],
  ] as const) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, `export const main = () => { console.log('${text}'); return 0; };`);
  }
  const ran = (): string =>
    spawnSync(process.execPath, [join(clone, 'bin/planvm.js')], { encoding: 'utf8' }).stdout;
  const dated = (path: string, at: number): void => utimesSync(path, at, at);
  for (const path of [join(clone, 'src'), join(clone, 'src/cli'), source]) dated(path, 1000);
  expect(ran()).toBe('source\n');
  const stamp = join(clone, 'dist/built');
  writeFileSync(stamp, '');
  dated(stamp, 2000);
  expect(ran()).toBe('built\n');
  dated(source, 3000);
  expect(ran()).toBe('source\n');
  dated(source, 1000);
  dated(join(clone, 'src/cli'), 3000);
  expect(ran()).toBe('source\n');
});
