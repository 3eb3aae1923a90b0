/** A program of a shop, and what replies to it say: orders, of which none may be made twice. */

export const desk = (...lines: readonly string[]): string =>
  `# Shop\n## Main\n### Triggers\n- At the beginning\n### Steps\n${lines.join('\n')}\n`;

export const at = (step: string) => ({ step });

export const order = (n: unknown, into?: string) => ({
  ...{ call: 'order', args: { n } },
  ...(into !== undefined && { into }),
});

export const wait = { yield: 'call' };
