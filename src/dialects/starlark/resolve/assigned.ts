/** Whether the statements outside of functions set a variable: on some way, or on every way. */
import type { Expression, Statement } from '../parse/syntax.ts';

export function mayAssign(body: readonly Statement[], name: string): boolean {
  return body.some((node) => {
    switch (node.kind) {
      case 'assign':
      case 'augmented':
        return binds(node.target, name);
      case 'if':
        return mayAssign(node.body, name) || mayAssign(node.orElse, name);
      case 'for':
      case 'while':
        return mayAssign(node.body, name);
      default:
        return false;
    }
  });
}

/** A loop may not be entered, so what it sets is not sure. */
export function surelyAssigns(body: readonly Statement[], name: string): boolean {
  return body.some((node) => {
    if (node.kind === 'assign' || node.kind === 'augmented') return binds(node.target, name);
    if (node.kind !== 'if') return false;
    return surelyAssigns(node.body, name) && surelyAssigns(node.orElse, name);
  });
}

function binds(target: Expression, name: string): boolean {
  if (target.kind === 'name') return target.name === name;
  const parts = target.kind === 'tuple' || target.kind === 'list' ? target.items : [];
  return parts.some((part) => binds(part, name));
}
