/** Variables of an agent that its functions read or set as fields: `state.count`. */
import { methodRows, nameOf } from '../../starlark/describe/library.ts';
import type { Expression, File } from '../../starlark/parse/syntax.ts';
import { walk } from '../../starlark/parse/tree-walk.ts';

type Attribute = Extract<Expression, { readonly kind: 'attribute' }>;

/** Those that `state`, a dict, has not; none where a file has something else of that name. */
export function stateFields(file: File): readonly Attribute[] {
  const fields: Attribute[] = [];
  const called = new Set<unknown>();
  let isAnother = false;
  walk(file, (node) => {
    if (node.kind === 'call') called.add(node.callee);
    if (node.kind === 'attribute' && isState(node.object)) fields.push(node);
    // Parameters, functions, assignments and loops give names a meaning.
    const names = [
      ...('name' in node ? [node.name] : []),
      ...('target' in node ? targets(node.target) : []),
    ];
    if (node.kind !== 'name' && names.some(isState)) isAnother = true;
  });
  const methods = new Set(methodRows.dict?.map(nameOf));
  return isAnother ? [] : fields.filter((one) => !called.has(one) && !methods.has(one.name));
}

const isState = (one: unknown): boolean => {
  const { kind, name } = Object(one) as { readonly kind?: unknown; readonly name?: unknown };
  return kind === 'name' && name === 'state';
};

const targets = (target: Expression): readonly Expression[] =>
  target.kind === 'tuple' || target.kind === 'list' ? target.items.flatMap(targets) : [target];
