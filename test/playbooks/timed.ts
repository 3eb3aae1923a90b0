/** Playbooks in a world whose time passes only where it is told to. */
import { expect } from 'vitest';
import { EffectFailure, type Handler } from '../../src/engine/handler.ts';
import { quickTool } from '../engine/support.ts';
import { type PlayOptions, played } from '../planner/playbook/played.ts';

/** A world whose time only passes while somebody waits for it. */
export function timed(answers: readonly (readonly [after: number, text: string])[] = []) {
  const begun = Date.UTC(2026, 0, 1, 8) / 1000;
  let now = begun;
  const log: string[] = [];
  const left = [...answers];
  const parameters = (...names: readonly string[]) => ({
    ordered: true as const,
    parameters: {
      type: 'object',
      properties: Object.fromEntries(names.map((name) => [name, {}])),
    },
  });
  const tools: Handler[] = [
    quickTool('now', () => now, parameters('format')),
    quickTool(
      'sleep',
      ({ seconds }) => {
        log.push(`sleep ${seconds}`);
        now += Number(seconds);
        return null;
      },
      parameters('seconds'),
    ),
    quickTool(
      'ask',
      ({ timeout }) => {
        const [after, text] = left[0] ?? [Number.POSITIVE_INFINITY, ''];
        const due = begun + after;
        if (typeof timeout === 'number' && now + timeout < due) {
          log.push(`nobody for ${timeout}`);
          now += timeout;
          throw new EffectFailure('PV4021', 'nobody answered', { answered: true });
        }
        left.shift();
        now = Math.max(now, due);
        log.push(`answered: ${text}`);
        return text;
      },
      parameters('question', 'timeout', 'to'),
    ),
  ];
  const pass = (seconds: number): void => {
    now += seconds;
  };
  return { log, tools, pass };
}

export const program = (steps: string, rest = ''): string =>
  `# Desk\n\n## Main\n### Triggers\n- At the beginning\n### Steps\n${steps}\n\n${rest}`;

export const playing = (trigger: string, steps: string): string =>
  `## Due\nretrigger: edge\n### Triggers\n- ${trigger}\n### Steps\n${steps}\n`;

export async function playedIn(
  { tools }: ReturnType<typeof timed>,
  text: string,
  replies: PlayOptions['replies'],
  options: Partial<PlayOptions> = {},
) {
  const ended = await played(text, { tools, replies, matches: () => [], ...options });
  expect(ended.result.error).toBeUndefined();
  return ended;
}
