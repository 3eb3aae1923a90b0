/**
 * The effect `turn`: a model goes on with one playbook, and what its reply says is a part of the
 * stream as soon as a line of it is there and has been held against the playbook. A reply that
 * breaks off, or has a problem, keeps what has stood: its end says where to go on.
 */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isWithin } from '../../dialects/playbook/compiled/graph.ts';
import type {
  LinkedAgent,
  LinkedFile,
  LinkedPlaybook,
} from '../../dialects/playbook/compiled/linked.ts';
import {
  type Chat,
  mannerDefaults,
  type Strictness,
} from '../../dialects/playbook/source/manner.ts';
import { meetingOf } from '../../dialects/playbook/source/meeting.ts';
import type { Model, ModelContext } from '../../effects/model/model.ts';
import {
  type AttemptContext,
  attemptWith,
  EffectFailure,
  type Handler,
} from '../../engine/handler.ts';
import type { ToolSpec } from '../../program/effect.ts';
import { toJson } from '../../program/json.ts';
import { TurnCheck } from './check/turn/turn-check.ts';
import { type Directory, directoryOf, withMade } from './check/values/directory.ts';
import { placeOf, type Valued } from './check/values/known-values.ts';
import { variableOf } from './check/values/names.ts';
import { askedBy, type ModelFor } from './model-for.ts';
import type { AskedPart, EndPart, MadeAct, Part } from './parts.ts';
import { entryShape, type Used } from './prompt/session.ts';
import { sizeOf, type TurnMessages, turnMessages } from './prompt/turn-prompt.ts';
import { ReplyReader } from './reply/reply-reader.ts';
import { type SaidStep, SayAhead } from './reply/say-ahead.ts';
import type { Expr } from './reply/term.ts';
import { turnSpec } from './specs.ts';

export interface TurnOptions {
  readonly file: LinkedFile;
  /** What playbooks may call of the run. */
  readonly tools: ReadonlyMap<string, ToolSpec>;
  readonly model: ModelFor;
  readonly strictness?: Strictness;
  /** Whether playbooks that go on behind others keep their conversations. Default: `auto`. */
  readonly chat?: Chat;
  /** Tokens of a conversation beyond which it is told in short. */
  readonly sessionTokensMax?: number;
  /** Hears the beginnings of what is about to be said, in order, while the model writes it. */
  readonly saying?: (piece: SayingPiece) => void;
}

/** The beginning of something that is about to be said, or what of it comes next. */
export interface SayingPiece {
  /** The effect that says it, and its attempt. */
  readonly turn: string;
  /** Which of those that the turn says, from 1. */
  readonly number: number;
  readonly text: string;
  /** Tools that the turn has called before: it is heard once all of them have given something. */
  readonly behind: readonly string[];
}

export function turnHandler(options: TurnOptions): Handler {
  const { file, tools, strictness = mannerDefaults.strictness } = options;
  const { chat = mannerDefaults.chat, sessionTokensMax = mannerDefaults.sessionTokens } = options;
  const hasTriggers = file.agents.some(({ playbooks }) =>
    playbooks.some(({ triggers }) => triggers.some(({ code }) => code !== 'BGN')),
  );
  const directories = new Map<LinkedAgent, Directory>();
  const directoryFor = (agent: LinkedAgent): Directory => {
    const known = directories.get(agent) ?? directoryOf(file, agent, tools);
    directories.set(agent, known);
    return known;
  };
  return {
    spec: turnSpec,
    model({ frame, session }) {
      const named = namedIn(file, Object(frame).playbook);
      const asked = askedBy(options.model, named?.playbook.id);
      if (!named) return asked;
      const isOpening = !(
        Array.isArray(session) && session.some((one) => Object(one).is === 'turn')
      );
      const place = { ...named, directory: directoryFor(named.agent), isOpening };
      return { ...asked, sends: sizeOf(place) };
    },
    async perform(args, context) {
      const { frame, done, ...given } = readArguments(args);
      const { agent, playbook } = playbookIn(file, frame.playbook);
      const directory = withMade(directoryFor(agent), frame.made);
      let hasSet = false;
      let mayFail = false;
      let said = 0;
      const { line, acts, isBack, partner, unset } = frame;
      const earlier = context.earlier.map(({ value }) => toJson(value) as Part);
      const end = earlier.at(-1);
      if (end?.op === 'end') return toldAgain(end, earlier, context);
      const [before, ...begun] = earlier;
      const hasBegun = begun.some(({ op }) => op !== 'step');
      const report = behindThose(hasBegun ? [] : begun, context);
      const check = new TurnCheck({
        ...{
          playbook,
          directory,
          line,
          acts,
          ...{ isBack, partner, unset, isUnderWay: frame.items.length > 0 },
          variables: withoutUnset(given.variables, unset),
          known: given.known,
          done,
          strictness,
        },
        emit(part) {
          hasSet ||= part.op === 'set' || (part.op === 'call' && part.into !== null);
          // What is computed of what has not come may not stand, nor what is said behind it.
          mayFail ||= part.op === 'set' && part.value.is !== 'value' && check.asked.length > 0;
          said += part.op === 'say' ? 1 : 0;
          report(part);
        },
        warn: (message) => context.warn(message),
      });
      const about = frame.about ?? playbook.description;
      const { me, call, items, earlier: log } = frame;
      const where = { me, line: check.line, begun: check.begun, call, items, about, earlier: log };
      const place = { agent, playbook, directory, ...where };
      const newSession = context.effect;
      const { answered } = check;
      const manner = { chat, sessionTokensMax, newSession };
      const asked = turnMessages({ ...given, ...place, ...manner, answered });
      if (asked.left !== '') check.keeps(log, asked.left);
      context.part(before ?? askedPart(asked));
      if (hasBegun) return goOn(begun, check, context);
      const request = { messages: asked.messages, prompt: frame.call };
      // A trigger that a variable fires cuts off what comes behind it, also where it is the item of
      // a round; what stands behind a Say that nobody hears ahead would be heard before it.
      const mayFire = (): boolean => hasTriggers && (hasSet || isInLoop(playbook, check.line));
      const maySay = (before: number, named?: SaidStep) =>
        check.maySay(named) && said === before && !mayFail && !mayFire() ? check.asked : undefined;
      const saying = speaksAlone(file, playbook) ? options.saying : undefined;
      const ahead = saying ? aheadOf({ maySay, check }, context, saying) : silent;
      return await hear(options.model(playbook.id), request, { check, asked, ahead }, context);
    },
  };
}

/** Those that count: of what was asked for anew, the value of before does not. */
function withoutUnset(variables: readonly Valued[], unset: readonly string[]): readonly Valued[] {
  const places = new Set(unset.map((one) => placeOf(variableOf(one))));
  return variables.filter((one) => !places.has(placeOf(one)));
}

/** Whether a line is the head of a loop over items, or in it. */
const isInLoop = ({ lines }: LinkedPlaybook, line: string): boolean =>
  [...lines].some(
    ([head, { step }]) =>
      step.code === 'LOP' && step.writes.length > 0 && (line === head || isWithin(line, head)),
  );

/** Characters that are read behind the end of a turn, for the provider to count its tokens. */
const restMax = 400;

interface Hearing {
  readonly check: TurnCheck;
  readonly asked: TurnMessages;
  /** Takes a piece of a line before the reader does. */
  readonly ahead: (piece: string, reader: ReplyReader) => void;
}

async function hear(
  model: Model,
  request: Parameters<Model['complete']>[0],
  { check, asked, ahead }: Hearing,
  context: AttemptContext,
): Promise<EndPart> {
  const reader = new ReplyReader();
  const enough = new AbortController();
  let text = '';
  let read = 0;
  let kept: Pick<Taken, 'kept'> = {};
  const taken = { input: 0, output: 0 };
  const take = (found: ReturnType<ReplyReader['feed']>): void => {
    for (const { said, end, beside } of found) {
      if (!check.isOver) read = end;
      check.take(said, beside);
    }
    if (check.isStopped || (check.isOver && text.length - read > restMax)) enough.abort();
  };
  const listening: ModelContext = attemptWith(context, {
    signal: AbortSignal.any([context.signal, enough.signal]),
    use(usage) {
      taken.input += usage.inputTokens;
      taken.output += usage.outputTokens;
      context.use(usage);
    },
    progress(piece) {
      text += piece;
      context.progress(piece);
      // What a line means depends on what those before it have done.
      for (const one of piece.split(/(?<=[\n\]}])/)) {
        ahead(one, reader);
        take(reader.feed(one));
      }
    },
  });
  const end = (broken: string): EndPart => {
    if (broken !== '') check.breakOff(broken);
    return check.end(text.slice(0, check.isOver ? read + closing(text.slice(read)) : text.length), {
      beside: reader.rest(),
      used: usedFor(asked, { ...taken, ...kept }),
    });
  };
  try {
    const reply = await model.complete(request, listening);
    if (reply.kept) kept = { kept: reply.kept };
    // A model that does not stream gives its text at the end.
    if (reply.text.startsWith(text)) {
      const rest = reply.text.slice(text.length);
      text = reply.text;
      take(reader.feed(rest));
    }
    const isCut = reply.finishReason === 'length';
    take(reader.end(isCut));
    return end(isCut ? `${model.name} stopped at its token limit` : '');
  } catch (error) {
    if (enough.signal.aborted && !context.signal.aborted) return end('');
    // What has stood cannot be taken back by another attempt: the loop goes on behind it.
    const failure = error instanceof EffectFailure ? error : undefined;
    if (!check.hasActed || !failure || context.signal.aborted) throw error;
    context.warn(`the reply broke off: ${failure.code} ${failure.message}`);
    return end(`the reply broke off: ${failure.message}`);
  }
}

/** How much of what follows the end of a turn only closes what that stands in. */
const closing = (rest: string): number =>
  /^[\s\]},]*(?:`{3,}\s*|~{3,}\s*)?$/.exec(rest)?.[0].length ?? 0;

const silent: Hearing['ahead'] = () => {};

/** Where others listen, a Say may be for one of them: that is known only behind its text. */
const speaksAlone = ({ agents }: LinkedFile, playbook: LinkedPlaybook): boolean =>
  agents.length === 1 && meetingOf(playbook) === undefined;

interface Listening {
  /** The tools that were asked before, where what comes may be heard; `before`: how many were. */
  readonly maySay: (before: number, named?: SaidStep) => readonly string[] | undefined;
  readonly check: TurnCheck;
}

/**
 * Tells of what is about to be said, as long as nothing comes between that and its being said but
 * the tools that `maySay` gives.
 */
function aheadOf(
  { maySay, check }: Listening,
  { effect, attempt }: AttemptContext,
  saying: NonNullable<TurnOptions['saying']>,
): Hearing['ahead'] {
  const turn = `${effect}:${attempt}`;
  const ahead = new SayAhead();
  let number = 0;
  let behind: readonly string[] = [];
  return (piece, reader) => {
    const before = number;
    const more = ahead.feed(piece, reader, (named) => {
      const asked = maySay(number, named);
      if (!asked) return false;
      number++;
      behind = [...asked];
      return true;
    });
    const text = more === '' ? '' : check.hears(more);
    // Also one of whose text nothing is known yet has its place before the next one.
    if (text !== '' || number > before) saying({ turn, number, text, behind });
  };
}

/**
 * Reports behind an attempt that has come to some lines and done nothing there: these come first,
 * and a reply that comes to them, too, reports them once.
 */
function behindThose(earlier: readonly Part[], context: AttemptContext): (part: Part) => void {
  const left = [...earlier];
  return (part) => {
    const isSame = isDeepStrictEqual(left[0], part);
    for (const one of left.splice(0, isSame ? 1 : left.length)) context.part(one);
    if (!isSame) context.part(part);
  };
}

/** Behind an attempt that has told all of it, and of whose end nobody has heard. */
function toldAgain(end: EndPart, earlier: readonly Part[], context: AttemptContext): EndPart {
  for (const one of earlier) context.part(one);
  return end;
}

/** Behind what an attempt has done that was cut off: a sampled reply cannot be continued. */
function goOn(earlier: readonly Part[], check: TurnCheck, context: AttemptContext): EndPart {
  for (const one of earlier) context.part(one);
  check.restore(earlier);
  check.interrupt();
  return check.end('');
}

const askedPart = ({ asked, isFresh, left, tokens, chat }: TurnMessages): AskedPart => ({
  ...{ op: 'asked', entries: asked, isFresh },
  ...(left !== '' && { left }),
  ...{ tokens, chat },
});

type Taken = Omit<Used, 'estimated'>;

/** By the provider's count, where it has come to one. */
function usedFor({ tokens }: TurnMessages, taken: Taken): Used | undefined {
  const estimated = Object.values(tokens).reduce((sum, one) => sum + one, 0);
  return taken.input > 0 ? { ...taken, estimated } : undefined;
}

interface Named {
  readonly agent: LinkedAgent;
  readonly playbook: LinkedPlaybook;
}

function namedIn(file: LinkedFile, id: unknown): Named | undefined {
  for (const agent of file.agents) {
    const playbook = agent.playbooks.find((one) => one.id === id || one.name === id);
    if (playbook) return { agent, playbook };
  }
  return undefined;
}

function playbookIn(file: LinkedFile, id: string): Named {
  const named = namedIn(file, id);
  if (named) return named;
  throw new EffectFailure('PV7006', `got the playbook ${id}, want one of the program`, {
    hint: 'frame = {"playbook": "Agent.Name", "line": "01", "call": "Name()"}',
    mayHaveActed: false,
  });
}

const scope = z.enum(['local', 'state']);

const madeAct: z.ZodType<MadeAct> = z.union([
  z.string(),
  z.object({ key: z.string(), with: z.record(z.string(), z.custom<Expr>()) }),
]);

const shape = z.object({
  frame: z.object({
    playbook: z.string(),
    line: z.string(),
    call: z.string().default(''),
    about: z.string().optional(),
    acts: z.record(z.string(), z.array(madeAct)).default({}),
    made: z.record(z.string(), z.string()).default({}),
    earlier: z.string().default(''),
    me: z.string().optional(),
    isBack: z.boolean().default(false),
    partner: z.string().optional(),
    unset: z.array(z.string()).default([]),
    items: z.array(z.string()).default([]),
  }),
  kind: z.enum(['start', 'resume', 'continue']),
  session: z.array(entryShape),
  variables: z.array(
    z.object({
      name: z.string(),
      scope,
      how: z.enum(['full', 'once', 'summary', 'name']).default('full'),
      value: z.unknown().optional(),
      about: z
        .object({
          type: z.string().optional(),
          size: z.number().optional(),
          start: z.string().optional(),
        })
        .optional(),
      from: z.number().optional(),
    }),
  ),
  known: z.array(z.string()).default([]),
  done: z
    .array(z.unknown())
    .default([])
    .transform((parts) => parts as readonly Part[]),
});

function readArguments(args: unknown) {
  const read = shape.safeParse(args);
  if (read.success) return read.data;
  throw new EffectFailure('PV7006', `got a turn of another form: ${z.prettifyError(read.error)}`, {
    hint: 'stream(turn, frame = …, kind = "start", session = [], variables = [])',
    mayHaveActed: false,
  });
}
