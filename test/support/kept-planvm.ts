/**
 * `planvm` as a process that stays: it does command after command, each in the folder and the
 * environment that `kept.ts` names. Starting Node and loading what a command needs is nearly all
 * that a short one takes.
 *
 * What a command could leave to the next is taken back: variables of the environment, listeners,
 * stdin, a diverted stdout, modules of its person. A process that it is ending, such as a server of
 * tools, has some time to end. Where it has left what cannot be taken back (a timer, a connection,
 * a process), this process ends, as the command would have.
 */
import type { ChildProcess } from 'node:child_process';
import { subscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import module, { createRequire } from 'node:module';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { endMark, type Order } from './kept.ts';
import { root } from './repo.ts';

const own = pathToFileURL(`${root}/`).href;
const { stdout, stderr } = process;
const write = stdout.write;
const required = createRequire(import.meta.url).cache;

/** Whatever providers of OpenTelemetry somebody has registered, they are those of the process. */
const providers = Symbol.for('opentelemetry.js.api.1');

/** Those that still run. */
const children = new Set<ChildProcess>();
subscribe('child_process', (message) => {
  const { process: child } = message as { readonly process: ChildProcess };
  children.add(child);
  child.once('close', () => children.delete(child));
});

let commands = 0;
let place = '';

module.registerHooks({
  resolve(name, context, next) {
    const found = next(name, context);
    const path = found.url.startsWith(own) ? found.url.slice(own.length) : undefined;
    if (path && /^\w+\/cli\/main\.[jt]s$/.test(path)) place = found.url;
    const lasts =
      !found.url.startsWith('file:') ||
      found.url.includes('/node_modules/') ||
      (path !== undefined && /^(bin|dist|src)\//.test(path));
    // A module of a person may have changed since, and may count its calls.
    return lasts ? found : { ...found, url: `${found.url}?command=${commands}` };
  },
});

type Main = (args: readonly string[]) => Promise<number>;

/** What the bin calls, of the sources or of what is built, whichever it takes. */
async function mainOfBin(): Promise<Main> {
  const { argv, exit } = process;
  process.argv = [process.execPath, 'planvm', '--version'];
  process.exit = (() => {}) as typeof exit;
  await import(`${own}bin/planvm.js`);
  Object.assign(process, { argv, exit });
  return (await import(place)).main;
}

type Heard = ReadonlyMap<string | symbol, readonly unknown[]>;

const heardBy = (emitter: NodeJS.EventEmitter): Heard =>
  new Map(emitter.eventNames().map((event) => [event, emitter.rawListeners(event)]));

const main = await mainOfBin();
process.on('disconnect', () => process.exit());
process.on('message', (order: Order) => void perform(order));
const emitters = [process, stdout, stderr].map((emitter) => ({ emitter, was: heardBy(emitter) }));
const requiredAtFirst = new Set(Object.keys(required));
stdout.write(endMark(0));
stderr.write(endMark(0));
const goingOn = process.getActiveResourcesInfo().length;

async function perform({ args, cwd, env, input }: Order): Promise<void> {
  commands += 1;
  process.chdir(cwd);
  for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
  Object.assign(process.env, env);
  const stdin = Readable.from(input === '' ? [] : [Buffer.from(input)]);
  Object.defineProperty(process, 'stdin', { value: stdin, configurable: true });
  const code = await main(args);
  const signal = AbortSignal.timeout(500);
  await Promise.all([...children].map((child) => once(child, 'close', { signal }))).catch(() => {});
  // What is closed counts for two more turns.
  for (let turn = 0; turn < 3; turn++) await new Promise((done) => setImmediate(done));
  const isLasting = providers in globalThis || process.getActiveResourcesInfo().length > goingOn;
  if (isLasting) process.exit(code);
  takeBack();
  stdout.write(endMark(code));
  stderr.write(endMark(code));
}

function takeBack(): void {
  // A thread that still starts asks for the folder, and that of a test is removed.
  process.chdir(root);
  stdout.write = write;
  for (const { emitter, was } of emitters) {
    for (const [event, listeners] of heardBy(emitter)) {
      // That one is set for good, by whoever imports modules first.
      if (event === 'warning') continue;
      for (const listener of listeners) {
        if (!was.get(event)?.includes(listener)) emitter.off(event, listener as () => void);
      }
    }
  }
  for (const name of Object.keys(required)) if (!requiredAtFirst.has(name)) delete required[name];
}
