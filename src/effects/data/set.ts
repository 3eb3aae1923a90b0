/** `planvm:data`: the set of the tools that read documents and tables, and ask them. */
import { join, resolve } from 'node:path';
import { folderOptions, foldersOf } from '../files/set.ts';
import { sparqlLimits, sparqlSpec } from '../retrieve/sparql-spec.ts';
import { megabytesLimit, memoryLimit, pagesLimit, rowsLimit } from '../set-limits.ts';
import type { SetReader, ToolSet } from '../tool-set.ts';
import { fetchOptionsOf, fetchSetOptions } from '../web/fetch-options.ts';
import type { SourceOptions } from './source.ts';
import { formatTableSpec, parsePdfSpec, parseTableSpec, readTableSpec, sqlSpec } from './specs.ts';

export const dataSet: ToolSet = {
  name: 'data',
  about: 'Tables of CSV, XLSX and JSON files, SQL and SPARQL, and the text of PDF files.',
  options: {
    ...folderOptions,
    ...fetchSetOptions,
    ...{ megabytes: { ...megabytesLimit, default: '64' }, rows: rowsLimit, pages: pagesLimit },
    memoryMegabytes: memoryLimit,
    tables: {
      about: 'Tables that one query asks.',
      default: '20',
      limit: { unit: 'tables', most: 500 },
    },
    facts: {
      about: 'Facts of the knowledge base that sparql loads.',
      default: `${sparqlLimits.facts}`,
      limit: { unit: 'facts', most: 20_000_000 },
    },
    ocr: {
      about: 'A program that reads scanned pages: PDF in, PDF or text with form feeds out.',
      variable: 'PLANVM_OCR',
    },
    knowledge: {
      about: 'File of the knowledge base that sparql asks. Default: that of planvm ingest.',
    },
  },
  specs: [readTableSpec, parseTableSpec, formatTableSpec, sqlSpec, sparqlSpec, parsePdfSpec],
  async open(read) {
    const { parseTableHandler, readTableHandler } = await import('./read-table.ts');
    const { formatTableHandler } = await import('./format-table.ts');
    const { sqlHandler } = await import('./sql.ts');
    const { sparqlHandler } = await import('../retrieve/sparql.ts');
    const { parsePdfHandler } = await import('./parse-pdf.ts');
    const given = read.text('knowledge');
    const knowledge = resolve(
      given === '' ? join(read.env.PLANVM_HOME ?? '.planvm', 'knowledge.db') : given,
    );
    const reading = await sourcesOf(read);
    return [
      readTableHandler(reading),
      parseTableHandler(reading),
      formatTableHandler,
      sqlHandler(reading),
      sparqlHandler(knowledge, {
        ...{ facts: read.limit('facts'), rows: reading.limits.rows },
        // A graph takes more than a file that is read.
        memoryBytes: Math.max(sparqlLimits.memoryBytes, reading.limits.memoryBytes),
      }),
      parsePdfHandler(reading),
    ];
  },
};

/** Which files and addresses the set may read, and how much of them. Throws `BadToolSet`. */
export async function sourcesOf(read: SetReader): Promise<SourceOptions> {
  const { openFetch } = await import('../web/fetch-page.ts');
  const { limit } = read;
  const fetching = await fetchOptionsOf(read);
  const ocr = read.text('ocr').trim();
  return {
    folders: foldersOf(read),
    fetch: openFetch({ ...fetching, accept: '*/*' }),
    limits: {
      ...{ fileBytes: fetching.bytesMax, rows: limit('rows'), pages: limit('pages') },
      tables: limit('tables'),
      memoryBytes: limit('memoryMegabytes') * 2 ** 20,
    },
    ...(ocr !== '' && { ocr }),
  };
}
