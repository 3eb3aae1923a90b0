/** `planvm:node-red`: flows of a Node-RED server as tools. */
import type { ToolSet } from '../tool-set.ts';
import { nodeRedSpecs } from './specs.ts';

export const nodeRedSet: ToolSet = {
  name: 'node-red',
  about: 'NodeStatus, Temperature, TemperatureRange, Joke: flows of a Node-RED server.',
  options: {
    url: {
      about: 'Where its flows answer.',
      variable: 'PLANVM_NODE_RED_URL',
      default: 'http://127.0.0.1:1880',
    },
  },
  specs: nodeRedSpecs,
  async open({ address, env }) {
    const { nodeRedHandlers } = await import('./handlers.ts');
    const token = env.PLANVM_NODE_RED_TOKEN;
    return nodeRedHandlers({ url: address('url'), token });
  },
};
