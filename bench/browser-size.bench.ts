/** What a page loads of `planvm/browser`; `test/browser/size.test.ts` holds the bars. */
import { browserSizes } from '../scripts/browser-size.ts';
import { report } from './report.ts';

const { entry, onDemand } = await browserSizes();
const kib = (bytes: number): number => bytes / 1024;

report([
  { name: 'machine and stackvm, gzip', value: kib(entry), unit: 'KiB', bar: 112 },
  ...[...onDemand].map(([name, bytes]) => ({
    name: `more with ${name}, gzip`,
    value: kib(bytes),
    unit: 'KiB',
    ...(name === 'starlark' && { bar: 35 }),
  })),
]);
