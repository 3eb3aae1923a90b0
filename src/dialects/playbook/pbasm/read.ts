/**
 * `.pbasm` back to playbooks: what `print.ts` prints, and every spelling that there has been.
 * Numbers say where a step stands, codes what it is; the words of a step are read by the same forms
 * as those of a line of Markdown.
 */
import type { Diagnostic } from '../../../program/diagnostic.ts';
import { error, found, report as newReport, type Report, warn } from '../report.ts';
import {
  type Agent,
  type CodeBlock,
  flatLines,
  type Place,
  type Playbook,
  type PlaybookFile,
  type SourceLine,
} from '../source/tree.ts';

const stepForm = /^(\d+(?:\.\d+)*)\s*:\s*([A-Za-z]{3})\b\??:?([\s\S]*)$/;
const triggerForm = /^T?\d+\s*:\s*(?:BGN|CND|EVT)\b\s*([\s\S]*)$/i;
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
  const places: Places = lines === 'own' ? new Map() : placesIn(text);
  const report = newReport();
  const agents = file.agents.map((agent) => ({
    ...withHeading(agent, agent.name, places),
    code: agent.code.map((block, order) => {
      const [first, ...breaks] = places.get(`${agent.name}/${order + 1}`) ?? [];
      return { ...block, place: first?.place ?? block.place, ...(breaks.length > 0 && { breaks }) };
    }),
    playbooks: agent.playbooks.map((playbook) =>
      playbookFrom(playbook, `${agent.name}.${playbook.name}`, places, report),
    ),
  }));
  return { file: { ...file, agents }, diagnostics: found(report) };
}

type CodeBreak = NonNullable<CodeBlock['breaks']>[number];

/** By names such as `Desk.Main:03`; of a block of code also where its lines do not follow. */
type Places = ReadonlyMap<string, readonly CodeBreak[]>;

/** What the block at the end says of the source. */
function placesIn(text: string): Places {
  const block = /^```places\n([\s\S]*?)^```/m.exec(text.replace(/\r\n?/g, '\n'))?.[1] ?? '';
  const rows = block.split('\n').flatMap((row) => {
    const found = /^([^\s+]+)(?:\+(\d+))? (\d+):(-?\d+)(?: (.+))?$/.exec(row.trim());
    if (!found) return [];
    const [, name = '', at = 0, line, column, file] = found;
    const place = { line: Number(line), column: Number(column), ...(file && { file }) };
    return [{ name, at: Number(at), place }];
  });
  const groups = Map.groupBy(rows, ({ name }) => name);
  return new Map(
    [...groups].map(([name, group]) => [name, group.map(({ at, place }) => ({ at, place }))]),
  );
}

const placeOf = (name: string, places: Places, other: Place): Place =>
  places.get(name)?.[0]?.place ?? other;

/** With the heading as it was in the source, which the compiled form keeps with the metadata. */
function withHeading<Headed extends Agent | Playbook>(
  headed: Headed,
  name: string,
  places: Places,
): Headed {
  const { written: heading, ...metadata } = headed.metadata;
  const place = placeOf(name, places, headed.place);
  return typeof heading === 'string'
    ? { ...headed, place, written: heading, metadata }
    : { ...headed, place };
}

function playbookFrom(playbook: Playbook, id: string, places: Places, report: Report): Playbook {
  const at = (name: string, { place }: SourceLine): Place =>
    placeOf(`${id}:${name}`, places, place);
  return {
    ...withHeading(playbook, id, places),
    steps: stepsFrom(playbook.steps, at, report),
    triggers: playbook.triggers.map((line, order) => {
      const [, text] = triggerForm.exec(line.text) ?? [];
      if (text === undefined) {
        const message = `got the trigger ${shown(line.text)}, want T1:CND When …`;
        warn(report, 'badStep', line.place, message);
      }
      return { ...line, text: text ?? line.text, place: at(`T${order + 1}`, line) };
    }),
    notes: playbook.notes.map((line, order) => {
      return { ...line, text: line.text.replace(noteForm, ''), place: at(`N${order + 1}`, line) };
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
  placeAt: (number: string, line: SourceLine) => Place,
  report: Report,
): Step[] {
  const top: Step[] = [];
  const around: Step[] = [];
  for (const { block, place, text } of flatLines(lines)) {
    const [, digits = '', word = '', words = ''] = stepForm.exec(text) ?? [];
    const code = word.toUpperCase();
    if (!codes.includes(code)) {
      const message = `got ${shown(text)}, want a number and a code, as in 01:QUE Say("Hi")`;
      error(report, 'badStep', place, message, { hint: `the codes are ${codes.join(', ')}` });
      continue;
    }
    const number = lineNumber(digits);
    while (around.length > 0 && !number.startsWith(`${around.at(-1)?.number}.`)) around.pop();
    const head = around.at(-1);
    const siblings = head?.children ?? top;
    const want = `${head ? `${head.number}.` : ''}${padded(siblings.length + 1)}`;
    if (number !== want) {
      const hint = 'the steps were numbered again';
      warn(report, 'stepNumber', place, `got the step ${number}, want ${want} here`, { hint });
    }
    const own = { place: placeAt(number, { text, place, children: [] }), children: [] };
    const step: Step = { number, text: spelledToday(code, words), ...own, ...(block && { block }) };
    siblings.push(step);
    around.push(step);
  }
  return top;
}

/** `03.01` of `3.1`. */
export const lineNumber = (digits: string): string => digits.split('.').map(padded).join('.');

const padded = (part: string | number): string => String(Number(part)).padStart(2, '0');

/** The last two are of earlier versions: calls of playbooks and of tools had codes of their own. */
const codes = ['EXE', 'QUE', 'CND', 'ELS', 'LOP', 'CHK', 'TNK', 'RET', 'JMP', 'YLD', 'INT', 'EXT'];

/** `; YLD for user` after a call: the machine knows itself when to wait. */
const waitAfterCall = /;\s*(?:YLD\b|no yield needed\b)[^;"]*$/i;

/** Words of a step, by its code, and the line that says the same today. The first row counts. */
const spellings: readonly (readonly [code: RegExp, form: RegExp, today: string])[] = [
  [/QUE|INT|EXT/, waitAfterCall, ''],
  [/YLD/, /^(?:(?:Wait)?For\s?)?User(?:\s?Input)?\s*(?:\(.*\))?$/i, 'Wait for user'],
  [/YLD/, /^(?:For\s?)?calls?\s*(?:\(.*\))?$/i, 'YLD for call'],
  [/YLD/, /^(?:For\s?)?(?:exit|program\s?end)\s*(?:\(.*\))?$/i, 'End program'],
  [/YLD/, /^(?:For\s?)?return\s*(?:\(.*\))?$/i, 'Return'],
  [/YLD/, /^For\s?(?:agent|person|event|meeting)?\s*\(["']?([^"')]*)["']?\)$/i, 'Wait for $1'],
  [/YLD/, /^for (?:agent )?(.*)$/i, 'Wait for $1'],
  [/JMP/, /^(?:to |step |line )*(\d+(?:\.\d+)*)\.?$/i, 'Go to step $1'],
  [/RET/, /^(?!return\b|retourner\b)(.+)$/is, 'Return $1'],
  [/RET/, /^$/, 'Return'],
  [/CHK/, /^(N\d+)$/, 'CHK $1'],
  [/TNK/, /^(?!think\b|réfléchir\b)(.+)$/is, 'Think $1'],
  [
    /CND/,
    /^(?!if\b|else\b|elif\b|otherwise\b|si\b|sinon\b|while\b|until\b|for\b|repeat\b)(.+)$/is,
    'If $1',
  ],
];

export function spelledToday(code: string, words: string): string {
  // A line may stand in code font as a whole.
  const plain = words.trim().replace(/^`([^`]*)`$/, '$1');
  const row = spellings.find(([of, form]) => of.test(code) && form.test(plain));
  return row ? plain.replace(row[1], row[2]).trim() : words.trim();
}
