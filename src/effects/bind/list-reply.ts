/** A list as models write one where an object of `items` is asked for: bare, assigned, numbered. */
import { toJson } from '../../program/json.ts';
import { readModelJson, truncated, valueOfNode } from '../../text/json-text.ts';
import { answerOf } from '../../text/model-text.ts';

const marker = /^([ \t]*)(?:\d+[.)]|[-*•])[ \t]+(\S.*)$/;

/** Undefined where it is none: a list in an expression is not, nor are lines with lists in them. */
export function listIn(text: string): readonly unknown[] | undefined {
  const { node, repairs, before, after } = readModelJson(text, 'array');
  const isAlone =
    /(?:^|[\n:=>`])[ \t]*$/.test(before) && /^[ \t]*(?:[.;][ \t]*)?(?:$|[\r\n#<`])/.test(after);
  if (node?.kind === 'array' && isAlone && !repairs.some(({ code }) => code === truncated)) {
    return toJson(valueOfNode(node)) as readonly unknown[];
  }
  const lines = answerOf(text)
    .split(/\r?\n/)
    .flatMap((line) => {
      const [, indent, item] = marker.exec(line) ?? [];
      return indent === undefined || item === undefined ? [] : [{ indent, item }];
    });
  const isFlat = lines.every(({ indent }) => indent === lines[0]?.indent);
  if (lines.length === 0 || !isFlat) return undefined;
  return lines.map(({ item }) => item.trim().replace(/^(\*\*|__|`)(.+)\1$/, '$2'));
}
