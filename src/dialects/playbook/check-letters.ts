/** Names of variables that no playbook can have: what is no name would be said as it stands. */

import type { CompiledPlaybook } from './compiled.ts';
import { flatSteps } from './graph.ts';
import { error, type Report } from './report.ts';
import type { Place } from './tree.ts';

/** `$größe`: what looks like a variable, up to its last letter in any script. */
const anyName = /(?<![\w$\\])\$\{?([\p{L}_][\p{L}\p{M}\p{N}_]*)/gu;

export function checkLetters(playbook: CompiledPlaybook, report: Report): void {
  const { steps, triggers, notes, description, name, place } = playbook;
  const texts: readonly { readonly text: string; readonly place: Place }[] = [
    { text: description, place },
    ...flatSteps(steps),
    ...triggers,
    ...notes,
  ];
  for (const one of texts) {
    for (const [, written = ''] of one.text.matchAll(anyName)) {
      if (/^\w+$/.test(written)) continue;
      const message = `got the variable $${written}, want letters from a to z, digits and _`;
      const hint = `write it as $${plain(written)}, wherever it stands`;
      error(report, 'foreignLetters', one.place, message, { step: name, hint });
    }
  }
}

/** As near as those letters come. */
const plain = (written: string): string => {
  const folded = written.replaceAll('ß', 'ss').normalize('NFD').replace(/\p{M}/gu, '');
  return /^[A-Za-z_]\w*$/.test(folded) ? folded : 'name';
};
