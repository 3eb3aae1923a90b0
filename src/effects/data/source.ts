/** What tools for documents and tables may read, and how much of it. */
import { type AttemptContext, refusal } from '../../engine/handler.ts';
import { type Content, contentAt, isAddress, type Places } from '../web/source.ts';

export interface SourceOptions extends Omit<Places, 'fileBytes'> {
  readonly limits: SourceLimits;
  /** A program that reads scanned pages. */
  readonly ocr?: string;
}

/** What one call reads at most, and returns. */
export interface SourceLimits {
  readonly fileBytes: number;
  readonly rows: number;
  readonly pages: number;
  /** Of one query. */
  readonly tables: number;
  readonly memoryBytes: number;
}

/** As `contentAt`, and PV4933 for another scheme. */
export async function sourceAt(
  source: string,
  { folders, fetch, limits: { fileBytes } }: SourceOptions,
  context: AttemptContext,
): Promise<Content> {
  const isOther = /^[a-z][a-z\d+.-]+:\/\//i.test(source) && !source.startsWith('file:');
  if (!isOther || isAddress(source)) {
    return await contentAt(source, { folders, fetch, fileBytes }, context);
  }
  throw refusal('PV4933', `got ${source}, want a path or an address of http or https`);
}
