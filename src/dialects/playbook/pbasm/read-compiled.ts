/**
 * `.pbasm` back to compiled playbooks: what this version prints, and every form that there has been
 * (`01:YLD ForUserInput("…")`, `CND Otherwise`, `INT`, several statements behind semicolons,
 * steps that are no list). What is spelled differently is taken and said.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import type { CompiledFile, CompiledPlaybook, StepCode } from '../compiled/compiled.ts';
import { error, found, report as newReport, type Report, warn } from '../report.ts';
import { readPlaybooks } from '../source/read.ts';
import {
  type Agent,
  type CodeBlock,
  flatLines,
  type Metadata,
  type Place,
  type Playbook,
  type PlaybookFile,
  type SourceLine,
} from '../source/tree.ts';
import { noteOf } from '../steps/compile.ts';
import { type Draft, jump, localsOf, numbered, padded } from '../steps/draft.ts';
import { unreadOfWait, waitIn, waitText } from '../steps/step-text.ts';
import { triggerForm, triggerFrom } from '../steps/triggers/trigger.ts';
import { elseWord, loopWord } from '../text/words.ts';

export interface ReadCompiled {
  readonly compiled: CompiledFile;
  readonly diagnostics: readonly Diagnostic[];
}

/** Whether what stands in the steps of a text are compiled ones. */
export function isCompiled({ agents }: PlaybookFile): boolean {
  const all = agents.flatMap(({ playbooks }) => playbooks);
  const lines = all.flatMap(({ steps, triggers }) => [...steps, ...triggers]);
  const numberedLines = lines.filter(({ text }) => stepForm.test(text) || triggerId.test(text));
  return lines.length > 0 && numberedLines.length * 2 > lines.length;
}

const stepForm = /^(\d+(?:\.\d+)*)\s*:\s*([A-Za-z]{3})\b(\??):?([\s\S]*)$/;
const triggerId = /^T?\d+\s*:\s*(?:BGN|CND|EVT)\b/i;

export function readCompiled(text: string, lines: 'own' | 'source' = 'source'): ReadCompiled {
  const { file, diagnostics } = readPlaybooks(text);
  const places = lines === 'own' ? new Map<string, Place>() : placesIn(text);
  const report = newReport();
  const compiled = compiledFrom(file, places, report);
  return { compiled, diagnostics: [...diagnostics, ...found(report)] };
}

type Places = ReadonlyMap<string, Place>;

/** What the block at the end says of the source; without it, lines are those of the text itself. */
function placesIn(text: string): Places {
  const block = /^```places\n([\s\S]*?)^```/m.exec(text.replace(/\r\n?/g, '\n'))?.[1] ?? '';
  return new Map(
    block.split('\n').flatMap((row): [string, Place][] => {
      const [, what, line, column, file] = /^(\S+) (\d+):(-?\d+)(?: (.+))?$/.exec(row.trim()) ?? [];
      if (what === undefined) return [];
      const at = { line: Number(line), column: Number(column) };
      return [[what, file === undefined ? at : { ...at, file }]];
    }),
  );
}

function compiledFrom(file: PlaybookFile, places: Places, report: Report): CompiledFile {
  return {
    ...file,
    agents: file.agents.map((agent) => {
      const { written, metadata } = writtenIn(agent);
      return {
        ...{ ...agent, written, metadata, place: places.get(agent.name) ?? agent.place },
        code: agent.code.map((block, at) => ({
          ...block,
          ...placesOf(`${agent.name}/${at + 1}`, places),
        })),
        playbooks: agent.playbooks.map((one) => playbookFrom(one, agent, places, report)),
      };
    }),
  };
}

/** Where a block of code begins, and where its lines do not follow each other. */
function placesOf(block: string, places: Places): Partial<CodeBlock> {
  const breaks = [...places].flatMap(([what, place]) => {
    const [name, at] = what.split('+');
    return name === block && at !== undefined ? [{ at: Number(at), place }] : [];
  });
  const place = places.get(block);
  return { ...(place && { place }), ...(breaks.length > 0 && { breaks }) };
}

/** The heading as it was in the source, which the compiled form keeps with the metadata. */
function writtenIn({ metadata, written }: Agent | Playbook): {
  readonly written: string;
  readonly metadata: Metadata;
} {
  const { written: kept, ...rest } = metadata;
  return typeof kept === 'string' ? { written: kept, metadata: rest } : { written, metadata };
}

function playbookFrom(
  playbook: Playbook,
  agent: Agent,
  places: Places,
  report: Report,
): CompiledPlaybook {
  const id = `${agent.name}.${playbook.name}`;
  const { written, metadata } = writtenIn(playbook);
  const drafts = new Reading(report, places, id).drafts(playbook.steps);
  const steps = numbered(drafts, localsOf(drafts, playbook.parameters));
  const at = (what: string, place: Place): Place => places.get(`${id}:${what}`) ?? place;
  return {
    ...{ ...playbook, written, metadata, steps, place: places.get(id) ?? playbook.place },
    ...(playbook.filledLines && {
      filledLines: playbook.filledLines.map((place, at) => places.get(`${id}/${at + 1}`) ?? place),
    }),
    triggers: playbook.triggers.map(({ text, place }, order) => {
      const [, name, code, rest = text] = triggerForm.exec(text) ?? [];
      if (code === undefined) {
        warn(report, 'badStep', place, `got the trigger ${shown(text)}, want T1:CND When …`);
      }
      const known =
        code?.toUpperCase() === 'BGN' ? 'BGN' : code?.toUpperCase() === 'EVT' ? 'EVT' : 'CND';
      const trigger = name?.startsWith('T') ? name : `T${order + 1}`;
      return triggerFrom(trigger, known, rest.trim(), at(trigger, place));
    }),
    notes: playbook.notes.map((line, order) => {
      const note = noteOf(line, order);
      return { ...note, place: at(note.id, note.place) };
    }),
  };
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

const codes: ReadonlyMap<string, StepCode> = new Map<string, StepCode>([
  ...(['EXE', 'QUE', 'CND', 'ELS', 'LOP', 'CHK', 'RET', 'JMP', 'YLD', 'TNK'] as const).map(
    (code) => [code, code] as const,
  ),
  // As they were called before calls of playbooks and of tools became one.
  ...[['INT', 'QUE'] as const, ['EXT', 'QUE'] as const],
]);

interface Row {
  readonly draft: Draft;
  readonly number: string;
  readonly children: Row[];
}

class Reading {
  readonly #report: Report;
  readonly #places: Places;
  readonly #id: string;
  readonly #seen = new Set<string>();

  constructor(report: Report, places: Places, id: string) {
    this.#report = report;
    this.#places = places;
    this.#id = id;
  }

  /** By numbers, which say where a step belongs also where the list does not. */
  drafts(lines: readonly SourceLine[]): Draft[] {
    const top: Row[] = [];
    const open: Row[] = [];
    for (const line of flatLines(lines)) {
      const row = this.#row(line);
      if (!row) continue;
      while (open.length > 0 && !row.number.startsWith(`${open.at(-1)?.number}.`)) open.pop();
      const siblings = open.at(-1)?.children ?? top;
      this.#order(row, siblings, open.at(-1)?.number ?? '');
      siblings.push(row);
      open.push(row);
    }
    return top.flatMap(draftsFrom);
  }

  #order({ number, draft }: Row, siblings: readonly Row[], parent: string): void {
    if (this.#seen.has(number)) {
      const message = `got the number ${number} twice, want each step to have its own`;
      warn(this.#report, 'stepNumber', draft.place, message, { hint: 'steps were numbered anew' });
    }
    this.#seen.add(number);
    const prefix = parent === '' ? '' : `${parent}.`;
    const want = `${prefix}${String(siblings.length + 1).padStart(2, '0')}`;
    if (number === want || siblings.some((one) => one.number === number)) return;
    const message = `got the step ${number}, want ${want} here`;
    warn(this.#report, 'stepNumber', draft.place, message, { hint: 'steps were numbered anew' });
  }

  #row({ text, block, place }: SourceLine): Row | undefined {
    const [, number, word = '', mark, rest = ''] = stepForm.exec(text) ?? [];
    const code = codes.get(word.toUpperCase());
    if (number === undefined || code === undefined) {
      const message = `got ${shown(text)}, want a number and a code, as in 01:QUE Say(user, "Hi")`;
      const hint = `the codes are ${[...codes.keys()].slice(0, 10).join(', ')}`;
      error(this.#report, 'badStep', place, message, { hint });
      return undefined;
    }
    const full = padded(number);
    const at = this.#places.get(`${this.#id}:${full}`) ?? place;
    const draft = spelled(code, rest.trim(), at, full);
    const isOld = code !== word || draft.code !== code || draft.text !== rest.trim();
    if (isOld && code !== 'JMP') {
      const was = shown(rest.trim());
      const message = `got ${word} ${was}, which is ${draft.code} ${shown(draft.text)} now`;
      const lost = draft.code === 'YLD' ? unreadOfWait(rest) : '';
      const hint = lost === '' ? undefined : `${shown(lost)} says nothing there: it was left out`;
      warn(this.#report, 'otherSpelling', place, message, { hint });
    }
    const own = block === undefined ? draft : { ...draft, block };
    return {
      draft: mark === '?' ? { ...own, isAmbiguous: true } : own,
      ...{ number: full, children: [] },
    };
  }
}

/** A step in the one spelling of today. */
function spelled(code: StepCode, text: string, place: Place, was: string): Draft {
  const draft = { code, text, children: [], place, was };
  if (code === 'YLD') {
    // What a line says of a wait that has no place in the form: whom it is for, and until when.
    const [remark = ''] = /(?<=^for user);[\s\S]+$/.exec(text) ?? [];
    return { ...draft, text: `${waitText(waitIn(text))}${remark}` };
  }
  if (code === 'JMP') {
    const number = /(\d+(?:\.\d+)*)/.exec(text)?.[1];
    return number === undefined
      ? draft
      : { ...draft, target: { to: 'number', number: padded(number) } };
  }
  if (code === 'CND' && elseWord.test(text)) return { ...draft, code: 'ELS' };
  if (code === 'CND' && loopWord.test(text)) return { ...draft, code: 'LOP' };
  return draft;
}

/** `QUE Say(…); YLD for user; done when …` in one line is what it says, step by step. */
function draftsFrom({ draft, children }: Row): Draft[] {
  const inner = children.flatMap(draftsFrom);
  const parts =
    draft.code === 'QUE' ? draft.text.split(/;\s*(?=YLD\b|done\b|no yield needed\b)/i) : [];
  if (parts.length < 2) return [{ ...draft, children: inner }];
  const [first = '', ...rest] = parts.map((part) => part.trim());
  const wait = rest.find((part) => /^YLD\b/i.test(part));
  const done = rest
    .find((part) => /^done\b/i.test(part))
    ?.replace(/^done\s*(?:when|after|once)?\s*/i, '');
  const { place } = draft;
  const steps: Draft[] = [{ ...draft, text: first, children: inner }];
  if (wait !== undefined) {
    const text = waitText(waitIn(wait.replace(/^YLD\b/i, '')));
    steps.push({ code: 'YLD', text, children: [], place });
  }
  if (done === undefined || wait === undefined) return steps;
  const back = jump({ to: 'head' }, place);
  const { was, ...bare } = steps[0] ?? draft;
  const body = [bare, ...steps.slice(1), back];
  const loop: Draft = { code: 'LOP', text: `Until ${done}`, children: body, place };
  return [was === undefined ? loop : { ...loop, was }];
}
