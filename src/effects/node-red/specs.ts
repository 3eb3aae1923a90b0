/** The declarations of the Node-RED tools, apart from what performs them: `check` loads no more. */
import { type JsonSchema, type ToolSpec, toolSpec } from '../../program/effect.ts';
import { integer, record, text } from '../tool/fields.ts';

const day = (description: string): JsonSchema =>
  text(`${description}, as YYYY-MM-DD.`, { format: 'date' });

const limits = { timeoutMs: 15_000, concurrency: 4 };
/** Nothing is measured where the server is down: that is to be found out first. */
const after = ['NodeStatus'];

export const statusSpec: ToolSpec = toolSpec({
  name: 'NodeStatus',
  description:
    'Checks that the Node-RED server is there, and returns of which days it has temperatures.',
  effect: 'read',
  returns: record({
    status: text(),
    url: text(),
    measurements: integer(),
    from: { type: ['string', 'null'], format: 'date' },
    to: { type: ['string', 'null'], format: 'date' },
  }),
  limits,
});

export const temperatureSpec: ToolSpec = toolSpec({
  name: 'Temperature',
  description:
    'Returns the temperature of one day in degrees Celsius, a number. It fails for a day without ' +
    'a measurement, and says of which days there are some.',
  effect: 'read',
  parameters: record({ date: day('The day') }),
  returns: { type: 'number' },
  after,
  requires: ['date'],
  limits,
});

export const rangeSpec: ToolSpec = toolSpec({
  name: 'TemperatureRange',
  description:
    'Returns the temperatures of several days in degrees Celsius, an object such as ' +
    '{"2025-01-06": 12.5}; both ends belong to it. Days without a measurement are left out, and ' +
    'it fails where there is none at all.',
  effect: 'read',
  parameters: record({ start_date: day('The first day'), end_date: day('The last day') }),
  returns: { type: 'object', additionalProperties: { type: 'number' } },
  after,
  requires: ['start_date', 'end_date'],
  limits,
});

export const jokeSpec: ToolSpec = toolSpec({
  name: 'Joke',
  description: 'Returns a joke, a text.',
  effect: 'read',
  returns: text(),
  limits,
});

export const nodeRedSpecs: readonly ToolSpec[] = [statusSpec, temperatureSpec, rangeSpec, jokeSpec];
