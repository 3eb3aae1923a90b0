/**
 * Calls of Python that change a variable in place, or compute what is not computed here. Where a
 * playbook or function is called so, it is that: `as`.
 */
import { isComputing, isLibrary } from '../../../../dialects/playbook/text/computing.ts';
import { namePattern } from '../../../../program/name.ts';
import type { Said, SaidCall } from '../said.ts';
import { listTerm, nameIn, reference, type Term } from '../term.ts';

const growing = new RegExp(String.raw`^(\$?${namePattern})\.(append|extend)$`, 'u');
const changing =
  /\.(?:add|append|clear|discard|extend|insert|pop|popitem|remove|reverse|setdefault|sort|update)$/;

export function inPlace(call: SaidCall): Said | undefined {
  const { callee, args, into } = call;
  const [, written = '', how] = growing.exec(callee) ?? [];
  const to = nameIn(written);
  const [item, more] = args;
  if (to && item && !more && !into) {
    const added = how === 'append' ? listTerm([item]) : item;
    const of: readonly Term[] = [reference(written, to, undefined, true), added];
    return { is: 'set', to, value: { is: 'operation', op: '+', of }, as: call };
  }
  const want = changing.test(callee)
    ? 'changes a variable in place, want all that it has then set'
    : isLibrary(callee) && !isComputing(callee) && 'is not computed here, want what it comes to';
  return want ? { is: 'wrong', text: `got ${callee}(…), which ${want}`, as: call } : undefined;
}
