/** Results as JUnit XML, which servers of continuous integration read. */
import type { CaseResult } from './run-case.ts';

export function junitOf(results: readonly CaseResult[]): string {
  const failures = results.filter(({ ok }) => !ok).length;
  const seconds = results.reduce((sum, { tookMs }) => sum + tookMs, 0) / 1000;
  const counts = `tests="${results.length}" failures="${failures}" errors="0"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts} time="${seconds}">`,
    `  <testsuite name="planvm" ${counts} time="${seconds}">`,
    ...results.flatMap(caseLines),
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseLines({ name, ok, tookMs, differences }: CaseResult): string[] {
  const open = `    <testcase classname="planvm" name="${escaped(name)}" time="${tookMs / 1000}"`;
  if (ok) return [`${open}/>`];
  const [first] = differences;
  const lines = differences.map(
    ({ about, expected, got }) =>
      `${about}\n  expected ${expected ?? 'nothing'}\n  got      ${got ?? 'nothing'}`,
  );
  return [
    `${open}>`,
    `      <failure message="${escaped(first?.about ?? '')}">`,
    `${escaped(lines.join('\n'))}</failure>`,
    '    </testcase>',
  ];
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
};

/** XML has no place for control characters, not even escaped. */
const escaped = (text: string): string =>
  text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are taken out
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '�')
    .replace(/[&<>"]/g, (found) => entities[found] ?? found);
