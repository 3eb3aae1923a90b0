/** Names in the letters of any language, in every form that replies have. */
import { expect, test } from 'vitest';
import { ReplyReader } from '../../../src/planner/playbook/reply/reply-reader.ts';
import { day, partsOf, playbookOf } from './sample.ts';

const path: readonly never[] = [];
const size = { name: 'größe', sign: true };

test.each([
  ['JSON', '{"call":"注文.確認","args":{"数":"$größe"},"into":"$結果"}'],
  ['a statement of Python', '結果 = await self.注文.確認(数=$größe)'],
  ['a log', '`$結果:int = 注文.確認(数=$größe)`'],
])('a call in %s', (_, reply) => {
  const reader = new ReplyReader();
  const said = [...reader.feed(`${reply}\n`), ...reader.end(false)].map(({ said: one }) => one);
  expect(said).toHaveLength(1);
  expect(said[0]).toMatchObject({
    ...{ is: 'call', callee: '注文.確認', args: [], into: { name: '結果' } },
    named: { 数: { is: 'ref', to: size, path, written: '$größe', sure: true } },
  });
});

test.each([
  ['JSON', '{"call":"Library.list-all","args":{"x":1}}'],
  ['a statement of Python', 'await Library.list-all(x=1)'],
  ['a log', '`Library.list-all(x=1)`'],
])('a tool with a dash in %s', (_, reply) => {
  const reader = new ReplyReader();
  const said = [...reader.feed(`${reply}\n`), ...reader.end(false)].map(({ said: one }) => one);
  expect(said).toMatchObject([{ is: 'call', callee: 'Library.list-all' }]);
});

const order = playbookOf('注文', [
  ['01', 'EXE', '$größe = 3', 'next 02', { writes: ['$größe'], value: '3' }],
  ['02', 'RET', '$größe', 'return', { value: '$größe', reads: ['$größe'] }],
]);

test.each([
  ['JSON', '{"step":"01"}\n{"set":{"größe":3}}\n{"step":"02"}\n{"return":"$größe"}'],
  [
    'a log',
    '`Step["注文:01:EXE"]` `Var[$größe:int, 3]`\n`Step["注文:02:RET"]` `Return[$größe]`\nyld for return',
  ],
  [
    'Python',
    'await self.Step("注文:01:EXE")\nself.state.größe = 3\nawait self.Step("注文:02:RET")\n' +
      'await self.Return(self.state.größe)\n',
  ],
])('a variable and a value that is returned in %s, its marks apart or not', (_, reply) => {
  for (const form of ['NFC', 'NFD']) {
    const { parts } = partsOf(reply.normalize(form), { playbook: order, variables: [day] });
    expect(parts).toContainEqual(
      expect.objectContaining({ op: 'set', name: 'größe', value: { is: 'value', value: 3 } }),
    );
    expect(parts).toContainEqual(
      expect.objectContaining({
        op: 'return',
        value: { is: 'ref', name: 'größe', scope: 'state', path },
      }),
    );
  }
});
