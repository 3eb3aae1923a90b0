/**
 * What a handler returned, as the outcome that is journaled. A tool that gives no data is not tried
 * again: it will not give any the next time.
 */
import type { EffectError, Outcome, ToolSpec } from '../../program/effect.ts';
import { encode, fromJson, NotData } from '../../program/json.ts';
import { thrownText } from '../../program/thrown.ts';

/** `valueBytes` bounds the canonical text of the value, and so may the tool, in bytes. */
export function outcomeOf(
  { name: tool, limits }: Pick<ToolSpec, 'name' | 'limits'>,
  value: unknown,
  valueBytes: number,
): Outcome {
  const own = limits?.resultBytes ?? Infinity;
  const bytesMax = Math.min(own, valueBytes);
  if (value === undefined) {
    return failed(
      'PV4002',
      `${tool} returned undefined, want JSON data`,
      'return null for nothing',
    );
  }
  let text: string;
  try {
    text = encode(fromJson(value));
  } catch (error) {
    // A getter or a toJSON of the value may throw anything.
    const found = error instanceof NotData ? error.message : thrownText(error);
    const hint = 'return null, booleans, numbers, strings, arrays and plain objects only';
    return failed('PV4003', `${tool} returned no JSON data: ${found}`, hint);
  }
  const bytes = text.length * 3 > bytesMax ? Buffer.byteLength(text) : text.length;
  if (bytes <= bytesMax) return { ok: true, value: text };
  const message = `${tool} returned ${bytes} bytes, want at most ${bytesMax}`;
  const limit = own < valueBytes ? `${tool}.resultBytes` : 'valueBytes';
  return failed('PV4004', message, `ask for less, or raise the limit ${limit}`);
}

function failed(code: EffectError['code'], message: string, hint: string): Outcome {
  return { ok: false, error: { code, message, hint } };
}
