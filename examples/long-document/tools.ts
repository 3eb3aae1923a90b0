/** A year of a harbour, a line a day. */
const ships = ['Halcyon', 'Sorella', 'Tern', 'Brava', 'Nordlys'];

function day(number: number): string {
  const date = `Day ${number}.`;
  if (number % 61 === 0) return `${date} A storm from the west; no ship left, two boats were lost.`;
  if (number === 200) return `${date} The Amaro came in at noon, piloted by Ines Falk.`;
  return `${date} Light wind. The ${ships[number % ships.length]} came in with salt and left with wool.`;
}

export default [
  {
    name: 'harbour_log',
    description: 'The log of the harbour for a year.',
    parameters: { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] },
    effect: 'read',
    run: (): string => Array.from({ length: 365 }, (_, i) => day(i + 1)).join('\n'),
  },
];
