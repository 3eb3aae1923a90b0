/** What a golden file says of the world: tools, inputs, limits and the outcome of each effect. */
import type { MachineOptions } from '../../src/machine/machine.ts';
import {
  type EffectClass,
  type Outcome,
  type Request,
  toolSpec,
} from '../../src/program/effect.ts';
import { decode, encode } from '../../src/program/json.ts';

export interface Script extends MachineOptions {
  /** Throws where the file has no outcome for the request. */
  outcome(request: Request): Outcome;
}

export function scriptOf(sections: ReadonlyMap<string, string>): Script {
  const lines = (name: string): string[] =>
    (sections.get(name) ?? '').split('\n').filter((line) => line.trim() !== '');
  const outcomes = new Map(lines('outcomes').map(outcomeLine));
  return {
    tools: new Map(lines('tools').map(toolLine)),
    inputs: new Map(
      lines('inputs').map((line) => {
        const [, name = '', value = ''] = matched(/^(\w+) = (.+)$/, line);
        return [name, decode(value)];
      }),
    ),
    limits: Object.fromEntries(
      lines('limits').map((line) => {
        const [, name = '', value] = matched(/^(\w+) (\d+)$/, line);
        return [name, Number(value)];
      }),
    ),
    outcome({ id, tool, args }) {
      const found =
        outcomes.get(id) ?? outcomes.get(`${tool} ${args}`) ?? outcomes.get(`${tool} *`);
      if (!found) throw new Error(`the section outcomes has no line for ${id}: ${tool} ${args}`);
      return found;
    },
  };
}

function toolLine(line: string): [string, ReturnType<typeof toolSpec>] {
  const [, effect, name = '', list = ''] = matched(/^(pure|read|write) ([\w.]+)\((.*)\)$/, line);
  const names = list === '' ? [] : list.split(', ');
  const parameters = {
    type: 'object',
    properties: Object.fromEntries(names.map((parameter) => [parameter, {}])),
  };
  return [name, toolSpec({ name, description: name, effect: effect as EffectClass, parameters })];
}

function outcomeLine(line: string): [string, Outcome] {
  const [, key = '', sign, text = ''] = matched(/^(.+?) ([=!]) (.+)$/, line);
  if (sign === '=') return [key, { ok: true, value: encode(decode(text)) }];
  const [, code = '', message = ''] = matched(/^(\S+) (.+)$/, text);
  return [key, { ok: false, error: { code, message } }];
}

function matched(pattern: RegExp, line: string): RegExpExecArray {
  const match = pattern.exec(line);
  if (!match) throw new Error(`a golden file has the line ${line}, want ${pattern}`);
  return match;
}
