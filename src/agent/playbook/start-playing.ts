/** Begins a run of playbooks: what the loop is given, and what the record of the run keeps. */
import { resolve } from 'node:path';
import type { Manner } from '../../dialects/playbook/manner.ts';
import type { Gate } from '../../engine/perform/gate.ts';
import type { Warning } from '../../engine/result.ts';
import type { RunHandle } from '../../engine/run.ts';
import { limits } from '../../program/limits.ts';
import { dict, type Value } from '../../program/value.ts';
import type { Source } from '../program/source.ts';
import type { KeptPlaying } from '../record/kept.ts';
import { begin } from '../run/begin.ts';
import type { Work } from '../run/work.ts';
import { settingsOf } from '../settings/kept-settings.ts';
import type { Playing, wovenProgram } from './playing.ts';

export interface Start extends Work {
  /** Holds back what it asks for. */
  readonly gate?: Gate | undefined;
  readonly source: Source;
  readonly playbook: KeptPlaying;
  readonly playing: Playing;
  readonly woven: ReturnType<typeof wovenProgram>;
  /** Arguments of the playbooks that start. */
  readonly inputs: ReadonlyMap<string, Value>;
  readonly manner: Pick<Manner, 'turns' | 'depth' | 'slips' | 'timezone'>;
  readonly sequential: boolean;
  readonly warnings: readonly Warning[];
  /** What came along for it. */
  readonly startup?: string | undefined;
  /** Whether it hears messages when it has nothing to do. */
  readonly idle?: boolean;
}

export function startPlaying(start: Start): RunHandle {
  const { workspace, toolbox, source, playbook, playing, woven, inputs, manner } = start;
  const { settings } = workspace;
  const most = limits(settings.limits);
  return begin(start, {
    ...{ handlers: playing.handlers, program: woven.program, text: woven.source.text },
    ...{ dialect: 'starlark', title: source.title, gate: start.gate },
    sequential: start.sequential,
    request: { kind: 'playbook', text: playbook.text, dialect: 'playbook', inputs },
    inputs: new Map<string, Value>([
      ['given', dict(inputs)],
      ['startup', start.startup ?? null],
      ['idle', start.idle === true],
      ['turns', manner.turns],
      ['depth', manner.depth],
      ['slips', manner.slips],
      ['agents_most', most.agents],
      ['nested_most', most.triggerDepth],
      ['judged_most', most.judgedChars],
      ['timezone', manner.timezone],
      ['strictness', playbook.strictness],
    ]),
    settings: { ...settingsOf(settings, resolve(source.file)), ...toolbox.kept, playbook },
    warnings: [...start.warnings, ...toolbox.prepare(woven.program)],
  });
}
