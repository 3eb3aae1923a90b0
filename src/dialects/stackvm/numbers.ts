/** Sequence numbers: those of instructions and those that jumps name. */
import { siteOf } from '../../program/effect.ts';
import type { JsonNode } from '../../text/json-node.ts';
import type { Target } from './plan.ts';
import { gotOf, type Reader } from './reader.ts';
import { error, warn } from './report.ts';

/** A number from 0; text and fractions that mean one are taken with a warning. */
export function numberOf(reader: Reader, node: JsonNode, key: string): number | undefined {
  const number = plainNumber(node);
  if (number === undefined) {
    error(reader, 'badNumber', node, `${key}: got ${gotOf(node)}, want an integer from 0`, {
      hint: hintFor(node),
    });
    return undefined;
  }
  if (node.kind !== 'int') {
    warn(reader, 'looseNumber', node, `${key}: got ${gotOf(node)}, want the integer ${number}`);
  }
  return number;
}

export function targetOf(reader: Reader, node: JsonNode, key: string): Target | undefined {
  const number = numberOf(reader, node, key);
  return number === undefined ? undefined : { number, ...siteOf(node) };
}

function plainNumber(node: JsonNode): number | undefined {
  if (node.kind !== 'int' && node.kind !== 'float' && node.kind !== 'string') return undefined;
  if (node.kind === 'string' && !/^\s*\d{1,15}(\.0+)?\s*$/.test(String(node.value)))
    return undefined;
  const number = Number(node.value);
  return Number.isSafeInteger(number) && number >= 0 ? number + 0 : undefined;
}

function hintFor(node: JsonNode): string | undefined {
  const text = node.kind === 'string' ? String(node.value) : '';
  return /[{$]/.test(text) ? 'a number in a plan cannot come from a variable' : undefined;
}
