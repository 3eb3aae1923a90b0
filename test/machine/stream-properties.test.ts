/** Programs that read streams, against themselves one call at a time (W3 and W5 of the window). */
import { expect, test } from 'vitest';
import { ofSample } from '../support/depth.ts';
import { sourceOf, streamingBodies } from '../support/random-starlark.ts';
import {
  holdsInAnyOrder,
  holdsInSmallWindows,
  holdsWhenRestored,
  type Programs,
} from './side-by-side.ts';

const programs: Programs<Parameters<typeof sourceOf>[0]> = {
  drawn: streamingBodies,
  sourceOf,
  counted: false,
  answer(hash, id) {
    if (hash % 7 === 0) return new Error(`${id} broke`);
    return `r${hash % 100}`;
  },
  parts: (hash) => Array.from({ length: (hash >> 3) % 4 }, (_, part) => `p${(hash >> part) % 100}`),
};

test('side by side = one at a time: what is said on the way to a failure, too', () => {
  let said = 0;
  const { most, done, failed } = holdsInAnyOrder(programs, ({ status, emits }) => {
    if (status === 'failed' && emits.length > 0) said++;
  });
  expect(most).toBeGreaterThan(6);
  for (const count of [said, done, failed]) expect(count).toBeGreaterThan(ofSample(50));
});

test('restore(snapshot) = continue, at every instruction', () => {
  holdsWhenRestored(programs);
});

test('a small window changes nothing but the overlap', () => {
  holdsInSmallWindows(programs);
});
