/** Types that a file declares of which nobody knows what values they have. */
import { nearest } from '../../../program/diagnostic.ts';
import type { CompiledAgent, CompiledPlaybook } from '../compiled/compiled.ts';
import { typesIn } from '../compiled/declared-types.ts';
import { flatSteps } from '../compiled/graph.ts';
import { type Report, warn } from '../report.ts';
import type { Place } from '../source/tree.ts';
import { kindWords, valueType } from '../text/value-types.ts';

interface Declared {
  readonly of: string;
  readonly type: string | undefined;
  readonly place: Place;
}

export function checkTypes({ code, playbooks }: CompiledAgent, report: Report): void {
  const given = code.flatMap(({ gives = {}, place }) =>
    Object.entries(gives).map(([name, type]) => ({ of: `what ${name} gives`, type, place })),
  );
  for (const { of, type, place } of [...playbooks.flatMap(declaredIn), ...given]) {
    const { unknown } = valueType(type ?? 'any');
    if (unknown === undefined) continue;
    const close = nearest(unknown, kindWords);
    const hint = close === undefined ? known : `did you mean ${close}?`;
    const message = `got the type ${unknown} of ${of}, to which no value is held`;
    warn(report, 'unknownType', place, message, { hint, about: unknown });
  }
}

const known =
  'such as int, float, str, bool, list, dict, any, list[str], int | None, Literal["a", "b"]';

function declaredIn({ name, parameters, place, returns, steps }: CompiledPlaybook): Declared[] {
  return [
    ...parameters.map((one) => ({ of: `${one.name} of ${name}`, type: one.type, place })),
    { of: `what ${name} gives`, type: returns, place },
    ...flatSteps(steps).flatMap((step) =>
      typesIn(step).map(([of, type]) => ({ of, type, place: step.place })),
    ),
  ];
}
