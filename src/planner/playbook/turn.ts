/**
 * The effect `turn`: a model does open lines of one playbook. Each operation of its reply becomes a
 * part of the stream as soon as it has arrived and was checked. The engine owns retries: an attempt
 * that has reported operations cannot be repeated, so its turn ends as cut off.
 */
import type {
  LinkedAgent,
  LinkedFile,
  LinkedPlaybook,
} from '../../dialects/playbook/link/linked.ts';
import { type Chat, mannerDefaults } from '../../dialects/playbook/manner.ts';
import { meetingOf } from '../../dialects/playbook/source/meeting.ts';
import type { Model, ModelContext } from '../../effects/model/model.ts';
import {
  type AskedModel,
  type AttemptContext,
  attemptWith,
  EffectFailure,
  type Handler,
} from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { toJson } from '../../program/json.ts';
import { zoneNamed } from '../../program/time-zones.ts';
import { type CheckOperation, checkFor } from './check/check.ts';
import { directoryOf } from './check/directory.ts';
import type { AskedPart, EndPart, OperationPart, Part, ProblemPart } from './parts.ts';
import { sizeOf, type TurnMessages, turnMessages } from './prompt/turn-prompt.ts';
import { operationsIn } from './reply/operations.ts';
import { type ReadItem, ReplyReader } from './reply/reader.ts';
import { SayStream } from './reply/say-stream.ts';
import { readTurn, turnSpec } from './turn-arguments.ts';

/** Who follows a playbook, `Agent.Name`; without one, the run's own model, which does all else. */
export type ModelFor = (playbook?: string) => Model;

export function askedBy(model: ModelFor, playbook: string | undefined): AskedModel {
  const { name, price } = model(playbook);
  return { name, price, isOther: name !== model().name };
}

export interface TurnOptions {
  readonly file: LinkedFile;
  /** What playbooks may call of the run. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly model: ModelFor;
  /** Whether playbooks that go on after others keep their conversations. Default: `auto`. */
  readonly chat?: Chat;
  /** Tokens of a conversation beyond which it is shortened. */
  readonly sessionTokensMax?: number;
  /** Hears the beginnings of messages, in order, while the model writes them. */
  readonly saying?: (piece: SayingPiece) => void;
}

/** The beginning of a message, or the next piece of it. */
export interface SayingPiece {
  /** The effect that says it, and its attempt. */
  readonly turn: string;
  /** Which of the messages of the turn, from 1. */
  readonly number: number;
  readonly text: string;
}

export function turnHandler(options: TurnOptions): Handler {
  const { file, tools } = options;
  const { chat = mannerDefaults.chat, sessionTokensMax = mannerDefaults.sessionTokens } = options;
  const directoryFor = (agent: LinkedAgent, made = {}) => directoryOf({ file, agent, tools, made });
  return {
    spec: turnSpec,
    model({ frame, session }) {
      const named = namedIn(file, Object(frame).playbook);
      const asked = askedBy(options.model, named?.playbook.id);
      if (!named) return asked;
      const isOpening = !(Array.isArray(session) && session.some(isTurn));
      const directory = directoryFor(named.agent);
      return { ...asked, sends: sizeOf({ ...named, directory }, isOpening) };
    },
    async perform(args, context) {
      const { frame, kind, session, variables, isJudged } = readTurn(args);
      const named = playbookIn(file, frame.playbook);
      const earlier = context.earlier.map(({ value }) => toJson(value) as Part);
      const [before, ...done] = earlier;
      if (before && done.length > 0) return toldAgain(earlier, context);
      const directory = directoryFor(named.agent, frame.made);
      const prompt = { ...named, directory, frame, kind, session, variables };
      const asked = turnMessages({
        ...prompt,
        ...{ chat, sessionTokensMax, newSession: context.effect },
        today: frame.today ?? dayOf(context.queuedAt, frame.zone),
      });
      context.part(before ?? askedPart(asked));
      const names = variables.map(({ name }) => name);
      const { playbook } = named;
      const check = checkFor({ playbook, directory, variables: names });
      const saying = isJudged || !speaksAlone(file, playbook) ? undefined : options.saying;
      const reply = new Reply({ check, context, playbook, line: frame.line });
      const reader = new ReplyReader(saying && reply.sayStream(saying, hasTriggers(file)));
      const request = { messages: asked.messages, native: asked.native, prompt: frame.call };
      const heard = { model: options.model(playbook.id), request, reader, reply };
      return await hear(heard, context);
    },
  };
}

const isTurn = (entry: unknown): boolean => Object(entry).is === 'turn';

/** `Sunday, 2026-11-29`. */
function dayOf(time: number, zone: string): string {
  const timeZone = zoneNamed(zone) ?? 'UTC';
  const date = new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(time);
  const day = new Intl.DateTimeFormat('en', { timeZone, weekday: 'long' }).format(time);
  return `${day}, ${date}`;
}

/** Whether something that a reply does may set off another playbook. */
const hasTriggers = ({ agents }: LinkedFile): boolean =>
  agents.some(({ playbooks }) =>
    playbooks.some(({ triggers }) => triggers.some(({ code }) => code !== 'BGN')),
  );

/** Where others listen, a message may be for one of them, which stands after its text. */
const speaksAlone = ({ agents }: LinkedFile, playbook: LinkedPlaybook): boolean =>
  agents.length === 1 && meetingOf(playbook) === undefined;

interface ReplyPlace {
  readonly check: CheckOperation;
  readonly context: AttemptContext;
  readonly playbook: LinkedPlaybook;
  readonly line: string;
}

/** What a reply has come to. Owns the parts that it reports, and what may be shown ahead. */
class Reply {
  readonly #place: ReplyPlace;
  /** Operations that were read, right or wrong. */
  #count = 0;
  #words: string[] = [];
  /** Whether nothing that comes now belongs to the turn. */
  isOver = false;
  hasActed = false;
  #line: string;
  #says = 0;
  #hasSet = false;
  /** Whether a result, a line of the machine or a problem may come before what is said now. */
  #isDelayed = false;

  constructor(place: ReplyPlace) {
    this.#place = place;
    this.#line = place.line;
  }

  take(items: readonly ReadItem[]): void {
    for (const item of items) {
      if (this.isOver) return;
      if (item.is === 'words') this.#words.push(item.text);
      else if (item.is === 'broken') {
        const text = `got a line that is not JSON: ${item.problem}:\n${item.text}`;
        this.#report({ op: 'problem', code: 'PV7301', text });
      } else this.#takeObject(item.data, item.repair);
    }
  }

  #takeObject(data: unknown, repair: string | undefined): void {
    if (repair !== undefined) this.#place.context.warn(`an operation was repaired: ${repair}`);
    const operations = operationsIn(data);
    if (typeof operations === 'string') {
      const raw = JSON.stringify(data, (_, value) =>
        typeof value === 'bigint' ? String(value) : value,
      );
      this.#report({ op: 'problem', code: 'PV7310', text: `${operations}: ${raw}`, raw });
      return;
    }
    const { check, playbook } = this.#place;
    for (const operation of operations) {
      // A playbook without lines is done as a whole.
      if (operation.op === 'at' && playbook.lines.size === 0) this.#count++;
      else if (!this.isOver) this.#report(check(operation));
    }
  }

  #report(part: OperationPart | ProblemPart): void {
    this.#count++;
    this.hasActed = true;
    this.#place.context.part(part);
    if (part.op === 'at') {
      this.#isDelayed ||= !this.#isNext(part.line) || part.holds === false;
      this.#line = part.line;
    }
    if (part.op === 'set') this.#hasSet = true;
    if (part.op === 'say') this.#says++;
    if (part.op === 'call' || part.op === 'problem') this.#isDelayed = true;
    this.isOver = part.op === 'yield' || part.op === 'return';
  }

  /** Whether nothing is between the present line and another one: no line, and no answer. */
  #isNext(line: string): boolean {
    const { does, edges = [] } = this.#place.playbook.lines.get(this.#line) ?? {};
    return line === this.#line || (does?.is !== 'ask' && edges.some(({ to }) => to === line));
  }

  /** A reply without operations is a problem; words beside operations are left out. */
  end(): void {
    const words = this.#words.join('\n');
    if (this.#count > 0 && words !== '') {
      this.#place.context.warn(`words beside the operations were left out: ${shortly(words)}`);
    }
    if (this.#count > 0) return;
    const got = words === '' ? 'got nothing' : `got words alone: ${shortly(words)}`;
    const text = `${got}; want operations, such as {"say":"…"}`;
    const part: ProblemPart = { op: 'problem', code: 'PV7301', text };
    this.#report(words === '' ? part : { ...part, words });
  }

  /**
   * Shows messages while they are written, as long as nothing can come between the text that is
   * shown and the message: a trigger, a result, a line of the machine, a problem.
   */
  sayStream(saying: NonNullable<TurnOptions['saying']>, mayFire: boolean): SayStream {
    const { effect, attempt } = this.#place.context;
    let number = 0;
    return new SayStream({
      mayBegin: (line) => {
        const isHere = line === undefined || this.#isNext(line);
        number = this.#says + 1;
        return isHere && !this.isOver && !this.#isDelayed && !(mayFire && this.#hasSet);
      },
      show: (text) => saying({ turn: `${effect}:${attempt}`, number, text }),
    });
  }
}

const wordsMax = 300;

const shortly = (text: string): string =>
  text.length > wordsMax ? `${text.slice(0, wordsMax)} …` : text;

/** Characters that are read after the end of a turn, for the provider to count its tokens. */
const overMax = 400;

interface Hearing {
  readonly model: Model;
  readonly request: Parameters<Model['complete']>[0];
  readonly reader: ReplyReader;
  readonly reply: Reply;
}

async function hear(
  { model, request, reader, reply }: Hearing,
  context: AttemptContext,
): Promise<EndPart> {
  const enough = new AbortController();
  let length = 0;
  let over = 0;
  const take = (piece: string): void => {
    length += piece.length;
    // Whether a message may be shown ahead depends on the operations before it, also in one piece.
    for (const part of piece.split(/(?=\{)|(?<=\{)/)) reply.take(reader.feed(part));
    if (reply.isOver) over += piece.length;
    if (over > overMax) enough.abort();
  };
  const listening: ModelContext = attemptWith(context, {
    signal: AbortSignal.any([context.signal, enough.signal]),
    progress(piece) {
      context.progress(piece);
      take(piece);
    },
  });
  const end = (isWhole: boolean): EndPart => {
    const part: EndPart = { op: 'end', isWhole };
    context.part(part);
    return part;
  };
  try {
    const { text, finishReason } = await model.complete(request, listening);
    // A model that does not stream gives its text at the end.
    if (length < text.length) take(text.slice(length));
    const isCut = finishReason === 'length';
    reply.take(reader.end(isCut));
    if (isCut) context.warn(`PV7308 the reply was cut off: ${model.name} stopped at its limit`);
    else reply.end();
    return end(!isCut || reply.isOver);
  } catch (error) {
    if (enough.signal.aborted && !context.signal.aborted) return end(true);
    // What the loop has done cannot be taken back by another attempt: it goes on after that.
    const failure = error instanceof EffectFailure ? error : undefined;
    if (!reply.hasActed || !failure || context.signal.aborted) throw error;
    context.warn(`PV7308 the reply was cut off: ${failure.code} ${failure.message}`);
    return end(reply.isOver);
  }
}

/** After an attempt that has reported operations: a sampled reply cannot be continued. */
function toldAgain(earlier: readonly Part[], context: AttemptContext): EndPart {
  for (const part of earlier) context.part(part);
  const last = earlier.at(-1);
  if (last?.op === 'end') return last;
  const isWhole = last?.op === 'yield' || last?.op === 'return';
  const end: EndPart = { op: 'end', isWhole };
  context.part(end);
  return end;
}

const askedPart = ({ asked, isFresh, tokens, chat }: TurnMessages): AskedPart => ({
  ...{ op: 'asked', entries: asked, isFresh },
  ...{ tokens, chat },
});

export interface Named {
  readonly agent: LinkedAgent;
  readonly playbook: LinkedPlaybook;
}

function namedIn(file: LinkedFile, id: unknown): Named | undefined {
  for (const agent of file.agents) {
    const playbook = agent.playbooks.find((one) => one.id === id);
    if (playbook) return { agent, playbook };
  }
  return undefined;
}

export function playbookIn(file: LinkedFile, id: string): Named {
  const named = namedIn(file, id);
  if (named) return named;
  throw new EffectFailure('PV7006', `got the playbook ${id}, want one of the program`, {
    hint: 'a playbook is named with its agent: Agent.Name',
    mayHaveActed: false,
  });
}
