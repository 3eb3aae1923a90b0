/**
 * Blocks of names and how a name finds its variable. A block belongs to the file, a function or a
 * comprehension; the variables of a comprehension are slots of the frame it stands in.
 *
 * Invariants:
 * - B1 The block of a function or of the file opens a frame; any other has its parent's.
 * - B2 Every capture of a variable is made on the way of `lookup` outwards, once per frame, so
 *   each function between a use and its variable passes the variable on.
 */
import type { Binding, Frame, Name, Position, Variable } from '../parse/syntax.ts';

export interface Block {
  readonly parent: Block | undefined;
  readonly bindings: Map<string, Binding>;
  readonly frame: FrameDraft;
}

/** A frame while its variables are still being found. */
export interface FrameDraft {
  readonly locals: Variable[];
  /** Parallel to `locals`. */
  readonly bindings: Binding[];
  readonly captures: Frame['captures'][number][];
}

export const frameDraft = (): FrameDraft => ({ locals: [], bindings: [], captures: [] });

export const block = (parent: Block | undefined, frame: FrameDraft): Block => ({
  parent,
  bindings: new Map(),
  frame,
});

/** A new slot for a name of the block. */
export function declare(inner: Block, name: string, at: Position): Binding {
  const { locals, bindings } = inner.frame;
  const binding: Binding = { scope: 'local', index: locals.length };
  locals.push({ name, at });
  bindings.push(binding);
  inner.bindings.set(name, binding);
  return binding;
}

/**
 * What a name in a block refers to; `outside` answers for names that neither the block nor any
 * around it declares.
 */
export function lookup(
  inner: Block,
  name: Name,
  outside: (name: Name, file: Block) => Binding,
): Binding {
  const own = inner.bindings.get(name.name);
  if (own) return own;
  if (!inner.parent) return outside(name, inner);
  const outer = lookup(inner.parent, name, outside);
  const isSameFrame = inner.frame === inner.parent.frame;
  const found = isSameFrame ? outer : capture(inner.frame, name.name, outer);
  inner.bindings.set(name.name, found);
  return found;
}

/** What a variable of an enclosing frame is in this one. */
function capture(frame: FrameDraft, name: string, outer: Binding): Binding {
  if (outer.scope !== 'local' && outer.scope !== 'cell' && outer.scope !== 'captured') return outer;
  if (outer.scope === 'local') outer.scope = 'cell';
  const from = outer.scope === 'captured' ? 'captured' : 'local';
  frame.captures.push({ name, from, index: outer.index });
  return { scope: 'captured', index: frame.captures.length - 1 };
}

/** Names of the block and those around it, for advice on misspelt ones. */
export function* namesAround(inner: Block): Iterable<string> {
  for (let at: Block | undefined = inner; at; at = at.parent) {
    for (const [name, { scope }] of at.bindings) if (scope !== 'undefined') yield name;
  }
}

/** The frame, when every use of its variables has been looked up. */
export const finished = (
  draft: FrameDraft,
  parameters: Pick<Frame, 'positional' | 'named' | 'hasStar' | 'hasStarStar'>,
): Frame => ({
  locals: draft.locals,
  cells: draft.bindings.flatMap(({ scope, index }) => (scope === 'cell' ? [index] : [])),
  captures: draft.captures,
  ...parameters,
});
