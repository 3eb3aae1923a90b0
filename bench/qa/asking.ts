/**
 * Questions asked the way `planvm ask` takes, with the journal on disk: of a model that writes at a
 * pace over HTTP, with tools that take the time that a scenario gives their calls.
 */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as after } from 'node:timers/promises';
import { answerGoal } from '../../src/agent/goal/ask.ts';
import type { Toolbox } from '../../src/agent/tools/toolbox.ts';
import { openWorkspace } from '../../src/cli/settings/workspace.ts';
import { builtInTools } from '../../src/effects/built-in.ts';
import { digester } from '../../src/effects/digest/digester.ts';
import { openModel } from '../../src/effects/model/open.ts';
import type { Handler } from '../../src/engine/handler.ts';
import { sqliteJournal } from '../../src/engine/journal/sqlite/journal.ts';
import { loopRunner } from '../../src/planner/run-loop.ts';
import { toolSpec } from '../../src/program/effect.ts';
import { pacedServer } from './paced-server.ts';
import { answer, repliesOf } from './replies.ts';
import type { Call, Scenario } from './scenario.ts';

/** Told what happens while a question is answered; times are those of `performance.now()`. */
export interface Watcher {
  /** The model has written this much more. */
  wrote?(piece: string, at: number): void;
  called?(call: Call, at: number): void;
  returned?(call: Call, at: number): void;
}

export interface Asking {
  /** Milliseconds from the question to its answer. Throws where that is another. */
  ask(method: string, scenario: Scenario, streamed: boolean): Promise<number>;
  close(): void;
}

/** The process goes to a folder of its own, where nothing is configured. */
export async function openAsking(watcher: Watcher = {}): Promise<Asking> {
  const folder = mkdtempSync(join(tmpdir(), 'planvm-bench-'));
  process.chdir(folder);
  const server = await pacedServer((piece) => watcher.wrote?.(piece, performance.now()));
  const journal = sqliteJournal(join(folder, 'runs.db'));
  return {
    async ask(method, scenario, streamed) {
      server.say(repliesOf[method]?.(scenario) ?? [], streamed);
      const toolbox = toolboxOf(scenario, server.env, watcher);
      const workspace = await openWorkspace({ flags: { dialect: method } });
      const start = performance.now();
      const { result } = await answerGoal({
        ...{ workspace, toolbox, goal: { text: scenario.question }, inputs: new Map() },
        ...{ journal, isDurable: true, host: {}, saved: false, options: {} },
      });
      const took = performance.now() - start;
      const { status, error } = result;
      if (status === 'done' && result.answer === answer) return took;
      throw new Error(`${method} ended as ${status}: ${error?.message ?? result.answer}`);
    },
    close() {
      journal.close();
      server.close();
      rmSync(folder, { recursive: true });
    },
  };
}

/** A tool that takes the time that the scenario gives the call. */
function slow(tool: Call['tool'], { calls }: Scenario, watcher: Watcher): Handler {
  const spec = toolSpec({
    ...{ name: tool, description: `Does ${tool}.`, effect: 'read' },
    parameters: {
      type: 'object',
      properties: { query: { type: 'string' }, context: { type: 'array' } },
      required: ['query'],
    },
  });
  return {
    spec,
    async perform({ query }, { signal }) {
      const call = calls.find((one) => one.tool === tool && one.query === query);
      if (!call) throw new Error(`nobody has said how long ${tool}(${query}) takes`);
      watcher.called?.(call, performance.now());
      await after(call.ms, undefined, { signal });
      watcher.returned?.(call, performance.now());
      return `what ${tool} knows of ${query}`;
    },
  };
}

function toolboxOf(
  scenario: Scenario,
  env: Readonly<Record<string, string>>,
  watcher: Watcher,
): Toolbox {
  const builtIn = builtInTools({
    openModel: () => openModel('openai/paced', { env }),
    runLoop: loopRunner({ ready: (handlers) => handlers }),
    openKnowledge: () => {
      throw new Error('there is no knowledge base');
    },
  });
  const own = (['search', 'math'] as const).map((tool) => slow(tool, scenario, watcher));
  const all = [...builtIn.handlers, ...own];
  const handlers = new Map(all.map((handler) => [handler.spec.name, handler]));
  return {
    handlers,
    specs: new Map(all.map(({ spec }) => [spec.name, spec])),
    origins: new Map(),
    warnings: [],
    unlisted: 0,
    pinned: new Map(),
    model: builtIn.model,
    models: { planner: builtIn.model, worker: builtIn.model, judge: builtIn.model },
    modelNamed: builtIn.model,
    digesterFor: async (model) => digester(model, {}, {}),
    prepare: () => [],
    callsFunctions: () => false,
    kept: {},
    close: builtIn.close,
  };
}
