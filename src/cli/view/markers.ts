/** The sign of a state of a step or an effect. */
import type { EffectView, StepView } from '../../engine/views/show.ts';
import type { Style } from './output.ts';

type State = StepView['status'] | EffectView['status'];

const markers: Readonly<Record<State, string>> = {
  queued: '○',
  running: '◐',
  interrupted: '◌',
  waiting: '◌',
  done: '✔',
  failed: '✖',
  unknown: '?',
  cancelled: '–',
  skipped: '↷',
};

export function markerOf(status: State, style: Style): string {
  const marker = markers[status];
  if (status === 'done') return style.good(marker);
  if (status === 'failed') return style.error(marker);
  return status === 'unknown' ? style.warning(marker) : style.dim(marker);
}
