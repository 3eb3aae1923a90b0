/** A provider of models for each test of a file, which answers as the test's script says. */
import { afterEach, beforeEach } from 'vitest';
import { type ModelServer, type Script, startModelServer } from './model-server.ts';

export interface ServedModels {
  /** Of the test that runs. */
  readonly server: ModelServer;
  /** What it answers; each test sets its own. */
  script: Script;
}

export function servedModels(): ServedModels {
  const unset: Script = () => 'unset';
  let running: ModelServer | undefined;
  const models: ServedModels = {
    get server() {
      if (running) return running;
      throw new Error('the server of a test is there while the test runs');
    },
    script: unset,
  };
  beforeEach(async () => {
    models.script = unset;
    running = await startModelServer((request) => models.script(request));
  });
  afterEach(async () => await running?.close());
  return models;
}
