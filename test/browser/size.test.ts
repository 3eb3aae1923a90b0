/** What a page has to load before it can check and run a plan, and what Starlark adds to that. */
import { expect, test } from 'vitest';
import { browserSizes } from '../../scripts/browser-size.ts';

const kib = 1024;

test('planvm/browser needs no host, and stays within what a page may load', async () => {
  const { entry, onDemand, external } = await browserSizes();
  expect(external).toEqual([]);
  expect([...onDemand.keys()].sort()).toEqual(['others', 'playbooks', 'starlark']);
  // Far less would mean that something is missing from the count.
  expect(entry).toBeGreaterThan(50 * kib);
  expect(entry).toBeLessThanOrEqual(112 * kib);
  expect(onDemand.get('starlark')).toBeGreaterThan(10 * kib);
  expect(onDemand.get('starlark')).toBeLessThanOrEqual(35 * kib);
});
