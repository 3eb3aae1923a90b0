/** Compiled playbooks for tests, without a front end: a line is its number, what it does, its words. */
import type {
  CompiledAgent,
  CompiledPlaybook,
  Does,
  Expression,
  Line,
  Variable,
} from '../../../../src/dialects/playbook/compiled.ts';

export const place = { line: 1, column: 1 };

export const state = (name: string): Variable => ({ name, scope: 'state' });
export const local = (name: string): Variable => ({ name, scope: 'local' });

/** `code` has `x_` for each `$x` that it reads. */
export function expression(code: string, calls: readonly string[] = []): Expression {
  const names = [...new Set([...code.matchAll(/\b([a-z]+)_\b/g)].map(([, name = '']) => name))];
  return {
    source: code.replace(/\b([a-z]+)_\b/g, '$$$1'),
    code,
    reads: names.map((name) => ({ ...state(name), as: `${name}_` })),
    calls,
  };
}

export const line = (
  number: string,
  does: Does,
  { children = [], ...more }: Partial<Line> = {},
): Line => ({ number, code: 'EXE', text: '', does, children, place, names: [], ...more });

export const open = (
  number: string,
  children: readonly Line[] = [],
  names: readonly string[] = [],
) => line(number, { is: 'open' }, { children, names: names.map(state) });

export const set = (number: string, name: string, code?: string): Line =>
  line(number, {
    is: 'set',
    to: state(name),
    ...(code !== undefined && { value: expression(code) }),
  });

export const test = (
  number: string,
  kind: Extract<Does, { is: 'test' }>['kind'],
  children: readonly Line[] = [],
  code?: string,
): Line =>
  line(
    number,
    { is: 'test', kind, ...(code !== undefined && { test: expression(code) }) },
    { children },
  );

export const playbook = (
  name: string,
  lines: readonly Line[],
  more: Partial<CompiledPlaybook> = {},
): CompiledPlaybook => ({
  ...{ name, written: name, parameters: [], description: '', metadata: {}, mode: 'steps' },
  ...{ isPublic: false, isHidden: false, place, triggers: [], lines, notes: [] },
  ...more,
});

export const agent = (
  playbooks: readonly CompiledPlaybook[],
  more: Partial<CompiledAgent> = {},
): CompiledAgent => ({
  ...{ name: 'Desk', written: 'Desk', kind: 'ai', description: '', metadata: {}, code: [] },
  ...{ playbooks, place },
  ...more,
});
