/** Every table of diagnostic codes of the sources. A test finds the one that is missing here. */
import { codes as cli } from '../../src/cli/codes.ts';
import { codes as dialects } from '../../src/dialects/codes.ts';
import { codes as stackvm } from '../../src/dialects/stackvm/codes.ts';
import { codes as calculate } from '../../src/effects/calculate/codes.ts';
import { codes as model } from '../../src/effects/model/codes.ts';
import { codes as retrieve } from '../../src/effects/retrieve/codes.ts';
import { codes as tool } from '../../src/effects/tool/codes.ts';
import { codes as engine } from '../../src/engine/codes.ts';
import { codes as journal } from '../../src/engine/journal-codes.ts';
import { codes as builtins } from '../../src/machine/builtins/codes.ts';
import { codes as machine } from '../../src/machine/codes.ts';
import { codes as planner } from '../../src/planner/codes.ts';
import { codes as program } from '../../src/program/codes.ts';
import { codes as jsonText } from '../../src/program/json-text/codes.ts';

type Meanings = Readonly<Record<string, string>>;

/** Meanings by code, and the file they are from. */
export const codeTables: ReadonlyMap<string, Meanings> = new Map<string, Meanings>([
  ['src/program/json-text/codes.ts', jsonText],
  ['src/program/codes.ts', program],
  ['src/dialects/codes.ts', dialects],
  ['src/dialects/stackvm/codes.ts', stackvm],
  ['src/machine/codes.ts', machine],
  ['src/machine/builtins/codes.ts', builtins],
  ['src/engine/codes.ts', engine],
  ['src/engine/journal-codes.ts', journal],
  ['src/effects/model/codes.ts', model],
  ['src/effects/tool/codes.ts', tool],
  ['src/effects/calculate/codes.ts', calculate],
  ['src/effects/retrieve/codes.ts', retrieve],
  ['src/planner/codes.ts', planner],
  ['src/cli/codes.ts', cli],
]);
