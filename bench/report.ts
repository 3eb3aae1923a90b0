/** Prints figures of a benchmark: a line each, or NDJSON where `--json` was asked for. */

export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  /** What it should not exceed. */
  readonly bar?: number;
}

export function report(figures: readonly Figure[]): void {
  for (const figure of figures) {
    if (process.argv.includes('--json')) {
      process.stdout.write(`${JSON.stringify(figure)}\n`);
      continue;
    }
    const { name, value, unit, bar } = figure;
    const shown = `${value.toFixed(value < 10 ? 3 : 1)} ${unit}`;
    const verdict =
      bar === undefined ? '' : `bar ${bar} ${unit}  ${value <= bar ? 'met' : 'MISSED'}`;
    process.stdout.write(`${name.padEnd(56)} ${shown.padStart(12)}   ${verdict}\n`);
  }
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
