/** `load("module", "a", b = "c")` */
import { advance, consume, failHere, is, type Parser, written } from './cursor.ts';
import type { Load, LoadItem, Name } from './syntax.ts';
import { fail } from './syntax-error.ts';
import { shown } from './token.ts';

export function load(p: Parser): Load {
  const at = advance(p);
  const opening = consume(p, '(');
  if (p.kind !== 'string literal') {
    refuse(p, 'first operand of load statement must be a string literal');
  }
  const { text: module, at: moduleAt } = string(p);
  const items: LoadItem[] = [];
  while (!is(p, ')') && !is(p, 'end of file')) {
    consume(p, ',');
    if (is(p, ')')) break;
    items.push(item(p));
  }
  consume(p, ')');
  if (items.length === 0) {
    fail('PV2308', opening, 'load statement must import at least 1 symbol', {
      hint: 'load("module", "name", other="name")',
    });
  }
  return { kind: 'load', at, module, moduleAt, items };
}

function item(p: Parser): LoadItem {
  if (p.kind === 'string literal') {
    const { text, at } = string(p);
    return { at, from: text, to: { kind: 'name', at: at + 1, name: text, binding: undefined } };
  }
  if (p.kind !== 'identifier') {
    refuse(p, `load operand must be "name" or localname="name" (got ${shown(p.kind)})`);
  }
  const own = written(p);
  const to: Name = { kind: 'name', at: advance(p), name: own, binding: undefined };
  if (!is(p, '=')) {
    refuse(p, `load operand must be "${own}" or ${own}="originalname" (want '=' after ${own})`);
  }
  advance(p);
  if (!is(p, 'string literal')) {
    refuse(p, `original name of loaded symbol must be quoted: ${own}="originalname"`);
  }
  const { text, at } = string(p);
  return { at, from: text, to };
}

/** The string that is the current token. */
function string(p: Parser): { text: string; at: number } {
  const text = p.value as string;
  return { text, at: advance(p) };
}

const refuse = (p: Parser, message: string): never =>
  failHere(p, 'PV2308', message, { hint: 'load("module", "name", other="name")' });
