/** `planvm:memory`: what one run leaves for the next ones. */
import { join, resolve } from 'node:path';
import type { ToolSet } from '../tool-set.ts';
import { memorySpecs } from './specs.ts';

export const memorySet: ToolSet = {
  name: 'memory',
  about: 'remember, recall, memories, forget: values by key, from run to run; a list of todos.',
  options: {
    memory: { about: 'File that has it. Default: memory.db beside the runs.' },
  },
  specs: memorySpecs,
  async open({ text, env }) {
    const { memoryHandlers } = await import('./handlers.ts');
    return memoryHandlers(
      resolve(text('memory') || join(env.PLANVM_HOME ?? '.planvm', 'memory.db')),
    );
  },
};
