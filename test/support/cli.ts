/**
 * The command line, in a folder of its own, with an environment of its own. What is started is a
 * child process of the real bin, as a person starts it; what only has to come to its end shares a
 * process with others (`kept.ts`).
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Ended, performKept } from './kept.ts';
import { root } from './repo.ts';

export type { Ended } from './kept.ts';

export interface CallOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands on stdin; nothing where it is absent. */
  readonly input?: string;
}

/** A command that runs. */
export interface Call {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Settles when stderr holds the text; rejects when the command ends without it. */
  said(text: string): Promise<void>;
}

/** Runs `planvm` with these arguments to its end. */
export function planvm(args: readonly string[], options: CallOptions = {}): Promise<Ended> {
  const { cwd = root, env = {}, input = '' } = options;
  // What Node itself reads, as it starts.
  if (Object.keys(env).some((name) => /^(node_|npm_)/i.test(name))) {
    return startPlanvm(args, options).ended;
  }
  return performKept({ args, cwd, env: { ...environment(cwd), ...env }, input });
}

function startPlanvm(args: readonly string[], options: CallOptions = {}): Call {
  return startNode([join(root, 'bin/planvm.js'), ...args], options);
}

/** Runs a program that imports `planvm` to its end. */
export function runScript(file: string, options: CallOptions = {}): Promise<Ended> {
  return startNode(['--import', join(root, 'test/support/self-import.ts'), file], options).ended;
}

function startNode(args: readonly string[], options: CallOptions): Call {
  const { cwd, env = {}, input = '' } = options;
  const child = spawn(process.execPath, args, {
    cwd: cwd ?? root,
    env: { ...environment(cwd ?? root), ...env },
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
    child.emit('said');
  });
  // A command that reads no stdin may have ended before it is written.
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  const ended = once(child, 'close').then(([code, signal]) => ({ code, signal, stdout, stderr }));
  return {
    process: child,
    ended,
    async said(text) {
      while (!stderr.includes(text)) {
        const end = await Promise.race([once(child, 'said').then(() => undefined), ended]);
        if (end && !end.stderr.includes(text))
          throw new Error(`ended without "${text}": ${stderr}`);
      }
    },
  };
}

/** Nothing of this machine's settings, keys or colours. */
function environment(home: string): Record<string, string> {
  const { PATH = '', PLANVM_ALWAYS_REPLAY = '', PLANVM_TEST_BUILT = '' } = process.env;
  const { NODE_COMPILE_CACHE = '' } = process.env;
  return {
    ...{ PATH, HOME: home, XDG_CONFIG_HOME: join(home, '.config') },
    ...{ PLANVM_ALWAYS_REPLAY, PLANVM_TEST_BUILT },
    NODE_COMPILE_CACHE,
  };
}

/** A new folder with files in it; objects are written as JSON. Gone when the test is over. */
export class Folder implements Disposable {
  readonly path: string = mkdtempSync(join(tmpdir(), 'planvm-cli-'));

  constructor(files: Readonly<Record<string, unknown>> = {}) {
    for (const [name, content] of Object.entries(files)) this.write(name, content);
  }

  write(name: string, content: unknown): void {
    const path = join(this.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** Makes the packages of the project known to modules in here. */
  linkModules(): void {
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'));
  }

  read(name: string): string {
    return readFileSync(join(this.path, name), 'utf8');
  }

  /** Runs `planvm` in here. */
  planvm(args: readonly string[], options: Omit<CallOptions, 'cwd'> = {}): Promise<Ended> {
    return planvm(args, { ...options, cwd: this.path });
  }

  start(args: readonly string[], options: Omit<CallOptions, 'cwd'> = {}): Call {
    return startPlanvm(args, { ...options, cwd: this.path });
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

/** A step of a stackvm-2 plan that calls a tool. */
export function calling(
  seq_no: number,
  tool_name: string,
  tool_params: Readonly<Record<string, unknown>>,
  output: string,
): Record<string, unknown> {
  return {
    seq_no,
    type: 'calling',
    execution_objective: `Call ${tool_name}.`,
    parameters: { tool_name, tool_params, output_vars: output },
  };
}

/** The step that answers. */
export function answering(seq_no: number, final_answer: unknown): Record<string, unknown> {
  return {
    seq_no,
    type: 'assign',
    execution_objective: 'Answer.',
    parameters: { final_answer },
  };
}

/** A reference to a variable, as plans of stackvm-2 write it. */
export const ref = (name: string): string => `\${${name}}`;
