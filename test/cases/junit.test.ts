/** Reports of cases for servers of continuous integration. */
import { expect, test } from 'vitest';
import { junitOf } from '../../src/cases/junit.ts';

test('a report is well-formed whatever a name or a value holds', () => {
  const difference = { about: 'answer 1', expected: '"a" & <b>', got: '\u0007\u001b[31m' };
  const one = { ok: false, updated: false, tookMs: 5, effects: 0, differences: [difference] };
  const xml = junitOf([{ ...one, name: '<"&>' }]);
  expect(xml).toContain('name="&lt;&quot;&amp;&gt;"');
  expect(xml).toContain('&quot;a&quot; &amp; &lt;b&gt;');
  expect([...xml].every((char) => char >= ' ' || char === '\n')).toBe(true);
});
