/**
 * Code for foreach: a loop over its elements, which executes its statement for each. No turn waits
 * for what another one has asked for; the elements of a text a model finds.
 */
import { ChunkBuilder } from '../../program/builder.ts';
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
import { type Action, everyAction, everyOperand, type Foreach, type OnError } from './nodes.ts';
import { elementTool, helperIn } from './tools.ts';

/** The results for all elements, one after the other. */
export function lowerForeach(to: Lowering, foreach: Foreach): Many {
  const { over, body, bodySource, onError, ...site } = foreach;
  const { chunk } = to;
  const elements = lowerElements(to, to.make.entries(to, over), bodySource, site);
  if (onError) return lowerHandled(to, { ...foreach, onError }, elements);
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

/**
 * Each element is tried by itself, all at the same time unless that changes the world. What has
 * failed at last is dealt with in the order of the elements.
 */
function lowerHandled(
  to: Lowering,
  { body, onError, ...site }: Foreach & { readonly onError: OnError },
  elements: number,
): Many {
  const { chunk } = to;
  const { retries, last } = onError;
  const [values, sources] = [newLocal(to, 'values'), newLocal(to, 'sources')];
  const own = lowerBody(to, body, site);
  // The last time that it may fail is no attempt: its failure is that of the run.
  const times = last === 'fail' ? retries : retries + 1;
  const tried = lowerTried(to, own, times, site);
  at(to, site);
  if (writes(to, body)) pushFunction(to, 'stack_try_all');
  else chunk.builtin('parallel');
  pushClosure(to, tried).emit('LOCAL', elements).call(2).emit('SETLOCAL', values);
  pushFunction(to, 'stack_settled').emit('LOCAL', elements).emit('LOCAL', values);
  if (last === 'skip') chunk.constant(null);
  else pushClosure(to, last === 'fail' ? own : lowerBody(to, last, site));
  chunk.call(3).emit('UNPACK', 2).emit('SETLOCAL', values).emit('SETLOCAL', sources);
  return { kind: 'many', values: { local: values }, sources: { local: sources } };
}

const pushClosure = ({ chunk }: Lowering, index: number): ChunkBuilder =>
  chunk.emit('TUPLE', 0).emit('FUNC', index);

/** A function of an element with its source, which gives the results and theirs. */
function lowerBody(to: Lowering, body: Action, site: Site): number {
  const chunk = new ChunkBuilder('foreach');
  const inner: Lowering = { ...to, chunk, locals: ['pair'] };
  const [element, source] = [newLocal(inner, 'element'), newLocal(inner, 'source')];
  const [values, sources] = [newLocal(inner, 'values'), newLocal(inner, 'sources')];
  at(inner, site).emit('LIST', 0).emit('SETLOCAL', values).emit('LIST', 0);
  chunk.emit('SETLOCAL', sources).emit('LOCAL', 0).emit('UNPACK', 2);
  chunk.emit('SETLOCAL', element).emit('SETLOCAL', source);
  const own: Entry = { kind: 'one', value: { local: element }, source: { local: source } };
  const results = { value: element, source, values, sources };
  to.make.act({ ...inner, stack: [own], element: results }, body);
  at(inner, site).emit('LOCAL', values).emit('LOCAL', sources).emit('TUPLE', 2).emit('RETURN');
  return addFunction(inner);
}

/** A function of an element that tells how it went. */
function lowerTried(to: Lowering, own: number, times: number, site: Site): number {
  const chunk = new ChunkBuilder('foreach');
  const inner: Lowering = { ...to, chunk, locals: ['pair'] };
  at(inner, site);
  pushFunction(inner, 'stack_try');
  pushClosure(inner, own).emit('LOCAL', 0).constant(times).call(3).emit('RETURN');
  return addFunction(inner);
}

const addFunction = ({ program, chunk, locals }: Lowering): number =>
  program.add(chunk.seal({ role: 'function', locals, parameters: ofOne }));

const ofOne = { positional: 1, named: 0, defaults: 0 };

/** Whether a statement calls a helper that changes the world. */
const writes = ({ environment }: Lowering, body: Action): boolean =>
  everyAction(body).some((action) => {
    const operand = action.kind === 'give up' ? action.reason : action.value;
    return (
      operand !== undefined &&
      everyOperand(operand).some(
        (one) => one.kind === 'helper' && helperIn(environment, one.name)?.effect === 'write',
      )
    );
  });

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
