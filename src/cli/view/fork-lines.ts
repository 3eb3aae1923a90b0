/** The preview of a fork in lines: what comes from the journal, and what is performed. */
import type { ForkPreview } from '../../engine/fork/fork-preview.ts';
import type { EffectView } from '../../engine/views/show.ts';
import { stringify } from '../../program/json.ts';
import { clip, count, oneLine } from '../../text/words.ts';
import type { Style } from './output.ts';

/** Of a list, so many are shown. */
const shownMost = 8;
const requestColumns = 80;

export function forkLines(preview: ForkPreview, style: Style): string[] {
  const { run, at, kept, reused, performed, doubtful, vanished, ends } = preview;
  const place = at === null ? 'from the start' : `from step ${at} on`;
  const lines = [style.strong(`fork of ${run}, ${place}`)];
  if (kept.length > 0) {
    const were = kept.length === 1 ? 'it was' : 'they were';
    lines.push(`  ${count(kept.length, 'effect')} before it, as ${were}`);
  }
  if (reused.length > 0) {
    lines.push(`  ${count(reused.length, 'effect')} asked for again, answered from the journal`);
  }
  if (doubtful.length > 0) {
    lines.push(style.warning(`  ${count(doubtful.length, 'effect')} in doubt, to be decided:`));
    lines.push(...listed(doubtful, () => ''));
  }
  if (performed.length > 0) {
    const more = 'to be performed; what comes then depends on how that goes:';
    lines.push(`  ${count(performed.length, 'effect')} ${more}`);
    lines.push(...listed(performed, ({ again }) => (again ? style.warning(' again') : '')));
  } else if (doubtful.length === 0) {
    lines.push(ends ? '  nothing to be performed' : '  nothing to be performed at first');
  }
  if (vanished.length > 0) {
    const sure = ends ? 'that it does without, and that stay done:' : 'not asked for so far:';
    lines.push(style.warning(`  ${count(vanished.length, 'write')} of ${run} ${sure}`));
    lines.push(...listed(vanished, () => ''));
  }
  return lines;
}

function listed<T extends EffectView>(
  effects: readonly T[],
  note: (effect: T) => string,
): string[] {
  const lines = effects.slice(0, shownMost).map((effect) => {
    const { step, id, name, request } = effect;
    const text = clip(oneLine(stringify(request)), requestColumns);
    return `    ${step} ${oneLine(name)} ${id} ${text}${note(effect)}`;
  });
  const more = effects.length - lines.length;
  return more > 0 ? [...lines, `    and ${more} more`] : lines;
}
