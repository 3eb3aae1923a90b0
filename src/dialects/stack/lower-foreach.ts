/**
 * Code for foreach: a loop over its elements, which executes its statement for each. No turn waits
 * for what another one has asked for; the elements of a text a model finds.
 */
import type { Site } from '../../program/effect.ts';
import {
  at,
  type Entry,
  type Lowering,
  type Many,
  newLocal,
  pushEntrySource,
  pushEntryValue,
  pushFunction,
  pushLists,
} from './lowering.ts';
import type { Foreach } from './nodes.ts';
import { elementTool } from './tools.ts';

/** The results for all elements, one after the other. */
export function lowerForeach(to: Lowering, { over, body, bodySource, ...site }: Foreach): Many {
  const { chunk } = to;
  const elements = lowerElements(to, to.make.entries(to, over), bodySource, site);
  const [values, sources] = [newLocal(to, 'values'), newLocal(to, 'sources')];
  const [element, source] = [newLocal(to, 'element'), newLocal(to, 'source')];
  const [next, end] = [chunk.label(), chunk.label()];
  at(to, site).emit('LIST', 0).emit('SETLOCAL', values).emit('LIST', 0).emit('SETLOCAL', sources);
  chunk.emit('LOCAL', elements).emit('ITER').place(next).jump('NEXT', end).emit('UNPACK', 2);
  chunk.emit('SETLOCAL', element).emit('SETLOCAL', source);
  const own: Entry = { kind: 'one', value: { local: element }, source: { local: source } };
  const inner = { value: element, source, values, sources };
  to.make.act({ ...to, stack: [own], element: inner }, body);
  at(to, site).jump('JMP', next).place(end).emit('ENDITER');
  return { kind: 'many', values: { local: values }, sources: { local: sources } };
}

/** The list of the elements, each a tuple with where it came from. */
function lowerElements(
  to: Lowering,
  entries: readonly Entry[],
  statement: string,
  site: Site,
): number {
  const { chunk } = to;
  const elements = newLocal(to, 'elements');
  const [values, sources] = [newLocal(to, 'values'), newLocal(to, 'sources')];
  at(to, site);
  pushLists(to, entries, pushEntryValue);
  chunk.emit('SETLOCAL', values);
  pushLists(to, entries, pushEntrySource);
  chunk.emit('SETLOCAL', sources);
  pushFunction(to, 'stack_elements').emit('LOCAL', values).emit('LOCAL', sources).call(2);
  chunk.emit('SETLOCAL', elements);
  // Several values are the elements as they are.
  if (entries.length > 1 && entries.every(({ kind }) => kind === 'one')) return elements;
  const isList = chunk.label();
  chunk.emit('LOCAL', elements).constant(null).emit('EQ').jump('JF', isList);
  pushFunction(to, 'stack_elements').tool(elementTool).constant('expr');
  chunk.emit('LOCAL', values).constant(0).emit('INDEX');
  chunk.constant('instruction').constant(elementsAsked(statement)).call(0, 2);
  chunk.emit('LIST', 1).emit('LOCAL', sources).call(2).emit('SETLOCAL', elements).place(isList);
  return elements;
}

/** What the elements are that a model is to find. */
const elementsAsked = (statement: string): string =>
  `the elements for each of which this is to be done: ${statement}. Each is a text of its own ` +
  'that says all that the data says of it; none is left out, and none is added';
