/**
 * A page of the web as text: its content in Markdown, with what is said of it. Pages come from
 * strangers and may take any time to read: that is done apart, where it can be ended.
 */
import { apart, threadBeside } from '../../apart/apart.ts';

export interface PageInput {
  readonly html: string;
  /** Where it is from, after all redirects. */
  readonly url: string;
  /** Whether all of it is wanted, with what stands around the content. */
  readonly whole: boolean;
}

export interface PageText {
  readonly text: string;
  /** Empty where it has none. */
  readonly title: string;
  readonly author?: string;
  /** As the page writes it. */
  readonly published?: string;
  readonly language?: string;
  /** Pages that it shows within itself; their text is not in `text`. */
  readonly frames: readonly string[];
  /** In order, each address once. */
  readonly links: readonly PageLink[];
  /** Elements with text that nobody sees, which were left out. */
  readonly hidden: number;
  /** Whether the text is that of the whole page. */
  readonly whole: boolean;
  /** Where the page leads on by itself, and after how many seconds. */
  readonly refresh?: { readonly url: string; readonly seconds: number };
  /** Whether it makes its content by scripts, for all that can be seen. */
  readonly scripted: boolean;
  /** What was not read for a bound, in a sentence. */
  readonly left?: string;
}

export interface PageLink {
  readonly text: string;
  readonly url: string;
}

/** Links of a page that are listed. */
export const linksMax = 1000;

const memoryBytes: number = 1024 * 2 ** 20;

/** Throws `EffectFailure` PV4901 or PV4902, or the signal's reason. */
export const pageText = async (input: PageInput, signal: AbortSignal): Promise<PageText> =>
  await apart<PageInput, PageText>(threadBeside(import.meta.url), input, {
    ...{ signal, what: 'the page', memoryBytes },
  });
