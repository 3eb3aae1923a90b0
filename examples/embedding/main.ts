/** Rules of a shop in Starlark, evaluated from TypeScript. */
import { readFileSync } from 'node:fs';
import { starlark } from 'planvm/starlark';

const stock = new Map([['tea', 3]]);

const result = starlark.evaluate(readFileSync('rules.star', 'utf8'), {
  file: 'rules.star',
  predeclared: {
    in_stock: (article: string) => stock.get(article) ?? 0,
    order: { article: 'tea', count: 2 },
  },
  load: (name) => ({ source: readFileSync(name, 'utf8') }),
  print: (text) => console.log(text),
});

console.log(result.ok, result.globals.get('total')?.data());

// A mistake is a result as well.
const wrong = starlark.evaluate('def f(x):\n  return 10 // x\nf(0)', { file: 'wrong.star' });
console.log(wrong.error?.message, wrong.error?.position.line);
console.log(wrong.error?.backtrace);

const { diagnostics } = starlark.evaluate('x = articles\ny = lenn(x)', { mode: 'resolve' });
for (const { line, message } of diagnostics) console.log(`${line}: ${message}`);

// An object of the host: fields, and what happens when one is set.
const basket = starlark.object({
  type: 'basket',
  fields: { size: 0 },
  setField: (name, value) =>
    name === 'size' && value.type === 'int' ? undefined : `a basket has no .${name} like that`,
});
const say = starlark.native('say', (args, named) => {
  const [value] = args;
  console.log(`${named.get('label')}: ${value?.repr()}`);
});
starlark.evaluate('basket.size += 2\nsay([basket.size, 1.0], label="basket")', {
  predeclared: { basket, say },
});
