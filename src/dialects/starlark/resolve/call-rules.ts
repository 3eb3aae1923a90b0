/** In what order parameters and arguments may stand. The grammar takes any. */
import type { Argument, Parameter, Position } from '../parse/syntax.ts';

export type Report = (code: string, at: Position, message: string, hint?: string) => void;

/** As many arguments of a kind as the operand of a call has room for. */
const argumentsMax = 255;

/** Reports what is wrong with the order of parameters. */
export function checkParameters(parameters: readonly Parameter[], report: Report): void {
  const complain = (at: Position, message: string): void => report('PV2327', at, message);
  let seenOptional = false;
  let star: Parameter | undefined;
  let starstar: Parameter | undefined;
  let afterStar = 0;
  for (const one of parameters) {
    const tail = starstar?.name ? `may not follow **${starstar.name.name}` : '';
    switch (one.kind) {
      case 'parameter':
        if (starstar) complain(one.at, `required parameter ${tail}`);
        else if (star) afterStar++;
        else if (seenOptional) complain(one.at, 'required parameter may not follow optional');
        break;
      case 'optional':
        if (starstar) complain(one.at, `optional parameter ${tail}`);
        else if (star) afterStar++;
        seenOptional = true;
        break;
      case 'star':
        if (starstar) complain(one.at, `* parameter ${tail}`);
        else if (star) complain(one.at, 'multiple * parameters not allowed');
        star ??= one;
        break;
      case 'starstar':
        if (starstar) complain(one.at, 'multiple ** parameters not allowed');
        starstar ??= one;
        break;
    }
  }
  if (star && !star.name && afterStar === 0) {
    complain(star.at, 'bare * must be followed by keyword-only parameters');
  }
}

/** Reports what is wrong with the order and the number of arguments. */
export function checkArguments(at: Position, args: readonly Argument[], report: Report): void {
  const complain = (place: Position, message: string): void => report('PV2329', place, message);
  const names = new Set<string>();
  let positional = 0;
  let named = 0;
  let star = false;
  let starstar = false;
  for (const one of args) {
    switch (one.kind) {
      case 'positional':
        positional++;
        if (star) complain(one.at, 'positional argument may not follow *args');
        else if (starstar) complain(one.at, 'positional argument may not follow **kwargs');
        else if (named > 0) complain(one.at, 'positional argument may not follow named');
        break;
      case 'named':
        named++;
        if (starstar) complain(one.at, 'keyword argument may not follow **kwargs');
        else if (star) complain(one.at, 'keyword argument may not follow *args');
        if (names.has(one.name))
          complain(one.at, `keyword argument ${JSON.stringify(one.name)} is repeated`);
        names.add(one.name);
        break;
      case 'star':
        if (starstar) complain(one.at, '*args may not follow **kwargs');
        else if (star) complain(one.at, 'multiple *args not allowed');
        star = true;
        break;
      case 'starstar':
        if (starstar) complain(one.at, 'multiple **kwargs not allowed');
        starstar = true;
        break;
    }
  }
  const hint = 'put them in a list or a dict, and pass that';
  for (const [count, kind] of [
    [positional, 'positional'],
    [named, 'keyword'],
  ] as const) {
    if (count <= argumentsMax) continue;
    report('PV2330', at, `${count} ${kind} arguments in call, limit is ${argumentsMax}`, hint);
  }
}
