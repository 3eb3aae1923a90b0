/** Several logs side by side, over the questions that all of them have. */

import { AgentError } from '../agent/port/errors.ts';
import { shortPath } from '../agent/port/workspace.ts';
import { type BenchLine, type Logged, readLog } from './log.ts';
import { byMethod, inCommon, type Summary, summaryOf } from './summary.ts';

export interface Comparison {
  readonly dataset: Logged['head']['dataset'];
  readonly rows: readonly Summary[];
  /** Questions that some logs have and others do not. */
  readonly leftOut: number;
  /** Questions that some answer rightly and others do not. */
  readonly differences: readonly Difference[];
}

export interface Difference {
  readonly id: string;
  readonly question: string;
  readonly label: string;
  /** In the order of the rows. */
  readonly answers: readonly (Pick<BenchLine, 'answer' | 'run'> & {
    readonly name: string;
    readonly right: boolean;
  })[];
}

/** Throws `AgentError` PV6803 for a file that is not a log, PV6805 for logs of several datasets. */
export function compareLogs(paths: readonly string[]): Comparison {
  const logs = paths.map((path) => ({ file: shortPath(path), ...logAt(path) }));
  const [first] = logs;
  if (!first) throw new AgentError('PV6805', 'there is no log to compare', { hint: 'name one' });
  const other = logs.find(({ head }) => head.dataset.sha256 !== first.head.dataset.sha256);
  if (other) {
    const named = [first, other].map(({ file, head }) => `${file} (${head.dataset.file})`);
    throw new AgentError('PV6805', `the logs are of different questions: ${named.join(' and ')}`, {
      hint: 'compare logs of one dataset',
    });
  }
  const models = new Set(logs.map(({ head }) => head.model));
  const columns = logs.flatMap(({ file, head, lines }) =>
    byMethod(lines, head.methods).map((methodLines, i) => ({
      name: nameOf(head.methods[i] ?? '', models.size > 1 ? head.model : undefined),
      file,
      lines: methodLines,
    })),
  );
  return { dataset: first.head.dataset, ...rowsOf(distinct(columns)) };
}

function logAt(path: string): Logged {
  const logged = readLog(path);
  if (logged) return logged;
  throw new AgentError('PV6803', `${shortPath(path)} is empty`);
}

const nameOf = (method: string, model: string | undefined): string =>
  model === undefined ? method : `${method} ${model}`;

interface Column {
  readonly name: string;
  readonly file: string;
  readonly lines: readonly BenchLine[];
}

/** The same method and model in several logs are told apart by the files. */
function distinct(columns: readonly Column[]): readonly Column[] {
  const counts = Map.groupBy(columns, ({ name }) => name);
  return columns.map((column) =>
    (counts.get(column.name)?.length ?? 0) > 1
      ? { ...column, name: `${column.name} (${column.file})` }
      : column,
  );
}

/** The rows of a table, over the questions that all columns have. */
export function rowsOf(
  columns: readonly Pick<Column, 'name' | 'lines'>[],
): Omit<Comparison, 'dataset'> {
  const common = inCommon(columns.map(({ lines }) => lines));
  const asked = new Set(columns.flatMap(({ lines }) => lines.map(({ id }) => id)));
  return {
    rows: columns.map(({ name }, i) => summaryOf(name, common[i] ?? [])),
    leftOut: asked.size - (common[0]?.length ?? 0),
    differences: differencesOf(columns, common[0] ?? []),
  };
}

function differencesOf(
  columns: readonly Pick<Column, 'name' | 'lines'>[],
  common: readonly BenchLine[],
): Difference[] {
  const byId = columns.map(({ lines }) => new Map(lines.map((line) => [line.id, line])));
  return common.flatMap(({ id, question, label }) => {
    const answers = columns.flatMap(({ name }, i) => {
      const line = byId[i]?.get(id);
      return line
        ? [{ name, answer: line.answer, right: line.right.corrected, run: line.run }]
        : [];
    });
    const agree = answers.every(({ right }) => right === answers[0]?.right);
    return agree ? [] : [{ id, question, label, answers }];
  });
}
