/**
 * `.pbasm` back to playbooks: what `print.ts` prints, and every spelling that there has been.
 * Numbers say where a step stands, codes what it is; the words of a step are read by the same forms
 * as those of a line of Markdown.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { split } from '../grammar/text.ts';
import { error, found, report as newReport, type Report, warn } from '../report.ts';
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

const stepForm = /^(\d+(?:\.\d+)*)\s*:\s*([A-Za-z]{3})\b(\??):?([\s\S]*)$/;
const triggerForm = /^(T?\d+)\s*:\s*(BGN|CND|EVT)\b\s*([\s\S]*)$/i;
const noteForm = /^N\d+\s*:?\s*/;

/** Whether what stands in the steps of a text is compiled. */
export function isCompiled({ agents }: PlaybookFile): boolean {
  const all = agents.flatMap(({ playbooks }) => playbooks);
  const lines = all.flatMap(({ steps, triggers }) => [...steps, ...triggers]);
  const numbered = lines.filter(({ text }) => stepForm.test(text) || triggerForm.test(text));
  return lines.length > 0 && numbered.length * 2 > lines.length;
}

/** As if a person had written the steps. `own` places are those in the compiled text itself. */
export function readCompiled(
  file: PlaybookFile,
  text: string,
  lines: 'own' | 'source',
): { readonly file: PlaybookFile; readonly diagnostics: readonly Diagnostic[] } {
  const places = lines === 'own' ? new Map<string, Place>() : placesIn(text);
  const report = newReport();
  const agents = file.agents.map((agent) => ({
    ...agent,
    ...writtenIn(agent),
    place: places.get(agent.name) ?? agent.place,
    code: agent.code.map((block, at) => placedCode(block, `${agent.name}/${at + 1}`, places)),
    playbooks: agent.playbooks.map((playbook) => {
      const id = `${agent.name}.${playbook.name}`;
      return playbookFrom(playbook, id, places, report);
    }),
  }));
  return { file: { ...file, agents }, diagnostics: found(report) };
}

type Places = ReadonlyMap<string, Place>;

/** What the block at the end says of the source; without it, places are those in the text. */
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

/** Where a block of code begins, and where its lines do not follow each other. */
function placedCode(block: CodeBlock, name: string, places: Places): CodeBlock {
  const breaks = [...places].flatMap(([what, place]) => {
    const [whose, at] = what.split('+');
    return whose === name && at !== undefined ? [{ at: Number(at), place }] : [];
  });
  const place = places.get(name) ?? block.place;
  return { ...block, place, ...(breaks.length > 0 && { breaks }) };
}

/** The heading as it was in the source, which the compiled form keeps with the metadata. */
function writtenIn({ metadata, written }: Agent | Playbook): {
  readonly written: string;
  readonly metadata: Metadata;
} {
  const { written: heading, ...others } = metadata;
  return typeof heading === 'string'
    ? { written: heading, metadata: others }
    : { written, metadata };
}

function playbookFrom(playbook: Playbook, id: string, places: Places, report: Report): Playbook {
  const at = (what: string, place: Place): Place => places.get(`${id}:${what}`) ?? place;
  return {
    ...playbook,
    ...writtenIn(playbook),
    place: places.get(id) ?? playbook.place,
    steps: stepsFrom(playbook.steps, at, report),
    triggers: playbook.triggers.map((line, order) => {
      const [, , code, text = line.text] = triggerForm.exec(line.text) ?? [];
      if (code === undefined) {
        const message = `got the trigger ${shown(line.text)}, want T1:CND When …`;
        warn(report, 'badStep', line.place, message);
      }
      return { ...line, text, place: at(`T${order + 1}`, line.place) };
    }),
    notes: playbook.notes.map((line, order) => {
      const place = at(`N${order + 1}`, line.place);
      return { ...line, text: line.text.replace(noteForm, ''), place };
    }),
  };
}

const shown = (text: string): string => (text.length > 60 ? `${text.slice(0, 60)}…` : text);

interface Step extends SourceLine {
  readonly number: string;
  readonly children: Step[];
}

/** By numbers, which say where a step belongs also where the list does not. */
function stepsFrom(
  lines: readonly SourceLine[],
  placeOf: (number: string, place: Place) => Place,
  report: Report,
): Step[] {
  const top: Step[] = [];
  const around: Step[] = [];
  const seen = new Set<string>();
  for (const line of flatLines(lines)) {
    const step = stepFrom(line, placeOf, report);
    if (!step) continue;
    while (around.length > 0 && !step.number.startsWith(`${around.at(-1)?.number}.`)) around.pop();
    const head = around.at(-1);
    const siblings = head?.children ?? top;
    const prefix = head ? `${head.number}.` : '';
    const want = `${prefix}${String(siblings.length + 1).padStart(2, '0')}`;
    if (step.number !== want) {
      const message = seen.has(step.number)
        ? `got the number ${step.number} twice, want each step to have its own`
        : `got the step ${step.number}, want ${want} here`;
      warn(report, 'stepNumber', line.place, message, { hint: 'the steps were numbered again' });
    }
    seen.add(step.number);
    siblings.push(step);
    around.push(step);
  }
  return top;
}

function stepFrom(
  { block, place, text }: SourceLine,
  placeOf: (number: string, place: Place) => Place,
  report: Report,
): Step | undefined {
  const [, number = '', word = '', , written = ''] = stepForm.exec(text) ?? [];
  const code = word.toUpperCase();
  if (!codes.has(code)) {
    const message = `got ${shown(text)}, want a number and a code, as in 01:QUE Say("Hi")`;
    error(report, 'badStep', place, message, { hint: `the codes are ${[...codes].join(', ')}` });
    return undefined;
  }
  const full = number
    .split('.')
    .map((part) => String(Number(part)).padStart(2, '0'))
    .join('.');
  const own = written.trim();
  const spelled = spelledToday(code, own);
  if (spelled !== withoutWait(code, own) || word !== code || !current.has(code)) {
    const message = `got ${word} ${shown(own)}, which is ${shown(spelled)} now`;
    warn(report, 'otherSpelling', place, message);
  }
  const step = { number: full, text: spelled, children: [], place: placeOf(full, place) };
  return block === undefined ? step : { ...step, block };
}

const current: ReadonlySet<string> = new Set('EXE QUE CND ELS LOP CHK TNK RET JMP YLD'.split(' '));

/** `INT` and `EXT`: calls of playbooks and of tools had codes of their own. */
const calls: ReadonlySet<string> = new Set(['QUE', 'INT', 'EXT']);
const codes: ReadonlySet<string> = new Set([...current, ...calls]);

/** `QUE Say(…); YLD for user`: the machine knows itself when to wait. */
function withoutWait(code: string, written: string): string {
  const text = written.trim();
  const parts = calls.has(code) ? split(text, ';') : [];
  const at = parts.findIndex((part) => /^\s*(?:YLD\b|no yield needed\b)/i.test(part));
  if (at < 1) return text;
  const done = parts.slice(at).find((part) => /^\s*done\b/i.test(part));
  const until = done?.replace(/^\s*done\s*(?:when|after|once)?\s*/i, '').trim();
  const call = parts.slice(0, at).join(';').trim();
  return until === undefined ? call : `${call}, until ${until}`;
}

/** Words of a step, by its code, and the line that says the same today. The first row counts. */
const spellings: readonly (readonly [code: string, form: RegExp, today: string])[] = [
  ['YLD', /^(?:(?:Wait)?For\s?)?User(?:\s?Input)?\s*(?:\(.*\))?$/i, 'Wait for user'],
  ['YLD', /^(?:For\s?)?calls?\s*(?:\(.*\))?$/i, 'YLD for call'],
  ['YLD', /^(?:For\s?)?(?:exit|program\s?end)\s*(?:\(.*\))?$/i, 'End program'],
  ['YLD', /^(?:For\s?)?return\s*(?:\(.*\))?$/i, 'Return'],
  [
    'YLD',
    /^For\s?(?:agent|person|event|meeting)?\s*\(\s*["']?([^"')]*)["']?\s*\)$/i,
    'Wait for $1',
  ],
  ['YLD', /^for agent (.*)$/i, 'Wait for $1'],
  ['YLD', /^for (.*)$/i, 'Wait for $1'],
  ['JMP', /^(?:to |step |line )*(\d+(?:\.\d+)*)\.?$/i, 'Go to step $1'],
  ['RET', /^(?!return\b|retourner\b)(.+)$/is, 'Return $1'],
  ['RET', /^$/, 'Return'],
  ['CHK', /^(N\d+)$/, 'CHK $1'],
  ['TNK', /^(?!think\b|réfléchir\b)(.+)$/is, 'Think $1'],
  [
    'CND',
    /^(?!if\b|else\b|elif\b|otherwise\b|si\b|sinon\b|while\b|until\b|for\b|repeat\b)(.+)$/is,
    'If $1',
  ],
];

export function spelledToday(code: string, written: string): string {
  const text = withoutWait(code, written);
  // A line may stand in code font as a whole.
  const plain = text.replace(/^`([^`]*)`$/, '$1');
  const row = spellings.find(([of, form]) => of === code && form.test(plain));
  return row ? plain.replace(row[1], row[2]) : text;
}
