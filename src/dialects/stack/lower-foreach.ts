/**
 * Code for foreach: a loop over its elements, which executes its statement for each. Where that
 * calls a helper and leaves arguments open, all elements are asked about before the first call is
 * made, so that the questions run side by side.
 */
import type { Site } from '../../program/effect.ts';
import { bindArguments } from './arguments.ts';
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
import type { Action, Foreach } from './nodes.ts';
import { type Asked, argumentsAsked, elementsAsked } from './questions.ts';
import { findingTool, helperIn } from './tools.ts';

/** The results for all elements, one after the other. */
export function lowerForeach(to: Lowering, { over, body, bodySource, ...site }: Foreach): Many {
  const { chunk } = to;
  const elements = lowerElements(to, to.make.entries(to, over), bodySource, site);
  const [values, sources] = [newLocal(to, 'values'), newLocal(to, 'sources')];
  const [element, source] = [newLocal(to, 'element'), newLocal(to, 'source')];
  const asked = askedFor(to, body);
  const found = asked && newLocal(to, 'found');
  const pairs = asked ? lowerFinding(to, elements, asked) : elements;
  const [next, end] = [chunk.label(), chunk.label()];
  at(to, site).emit('LIST', 0).emit('SETLOCAL', values).emit('LIST', 0).emit('SETLOCAL', sources);
  chunk.emit('LOCAL', pairs).emit('ITER').place(next).jump('NEXT', end).emit('UNPACK', 2);
  if (found !== undefined) chunk.emit('EXCH').emit('SETLOCAL', found).emit('UNPACK', 2);
  chunk.emit('SETLOCAL', element).emit('SETLOCAL', source);
  const own: Entry = { kind: 'one', value: { local: element }, source: { local: source } };
  const inner = { value: element, source, values, sources, ...(found !== undefined && { found }) };
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
  const { prompt, format } = elementsAsked(statement);
  pushFunction(to, 'stack_elements').tool(findingTool).constant('prompt').constant(prompt);
  chunk.constant('context').emit('LOCAL', values).constant(0).emit('INDEX');
  chunk.constant('response_format').constant(format).call(0, 3).constant('elements').emit('INDEX');
  chunk.emit('LIST', 1).emit('LOCAL', sources).call(2).emit('SETLOCAL', elements).place(isList);
  return elements;
}

/** What is asked about each element: what the helper that foreach calls leaves open. */
function askedFor(to: Lowering, body: Action): Asked | undefined {
  if (body.kind !== 'push' || body.value.kind !== 'helper') return undefined;
  const spec = helperIn(to.environment, body.value.name);
  const open = spec ? bindArguments(body.value, spec, true).open : [];
  return spec && open.length > 0 ? argumentsAsked(body.value.source, spec, open) : undefined;
}

/** The list of the elements, each a tuple with what is found in it. */
function lowerFinding(to: Lowering, elements: number, { prompt, format }: Asked): number {
  const { chunk } = to;
  const [all, found] = [newLocal(to, 'all'), newLocal(to, 'pairs')];
  const [next, end] = [chunk.label(), chunk.label()];
  chunk.emit('LIST', 0).emit('SETLOCAL', all).emit('LOCAL', elements).emit('ITER');
  chunk.place(next).jump('NEXT', end).constant(0).emit('INDEX').emit('LOCAL', all).emit('EXCH');
  const context = newLocal(to, 'context');
  chunk.emit('SETLOCAL', context).tool(findingTool).constant('prompt').constant(prompt);
  chunk.constant('context').emit('LOCAL', context).constant('response_format').constant(format);
  chunk.call(0, 3).emit('APPEND', 1).emit('POP').jump('JMP', next).place(end).emit('ENDITER');
  chunk.builtin('zip').emit('LOCAL', elements).emit('LOCAL', all).call(2).emit('SETLOCAL', found);
  return found;
}
