/**
 * From a goal to a program that passes `check`: the model writes, the checker answers, the model
 * corrects, for a bounded number of rounds. Nothing is run in here.
 */
import { renderAll } from '../dialects/diagnostic.ts';
import type { Checked, Environment } from '../dialects/dialect.ts';
import { checkProgram } from '../dialects/index.ts';
import type { Message, Model, ModelContext } from '../effects/model/model.ts';
import type { Diagnostic } from '../program/diagnostic.ts';
import { readModelJson } from '../program/json-text.ts';
import { correction, type Goal, opening } from './prompt.ts';

export interface PlanOptions {
  readonly goal: Goal;
  readonly dialect: string;
  readonly environment: Environment;
  readonly model: Model;
  readonly context: ModelContext;
  /** How often the model may correct a program that does not pass; 2 where absent. */
  readonly corrections?: number;
  /** Told of each program as it comes, with what the checker says of it. */
  readonly onRound?: (round: Round) => void;
}

export interface Round {
  /** From 1. */
  readonly number: number;
  /** The program alone, without what the model wrote around it. */
  readonly text: string;
  readonly diagnostics: readonly Diagnostic[];
  readonly ok: boolean;
}

export interface Plan {
  readonly text: string;
  readonly checked: Checked;
  readonly rounds: readonly Round[];
}

/** No program came of it. `last` is the nearest the model got. */
export class PlanFailure extends Error {
  override readonly name = 'PlanFailure';
  readonly code: string;
  readonly last: Round | undefined;

  constructor(code: string, message: string, last?: Round) {
    super(message);
    this.code = code;
    this.last = last;
  }
}

/** Asks for a program until one passes. Throws `PlanFailure`, or what the model throws. */
export async function plan(options: PlanOptions): Promise<Plan> {
  const { goal, dialect, environment, model, context } = options;
  const messages: Message[] = [...opening(goal, dialect, environment)];
  const rounds: Round[] = [];
  const roundsMax = 1 + (options.corrections ?? 2);
  for (let number = 1; ; number++) {
    const { text: reply } = await model.complete({ messages, prompt: goal.text }, context);
    const text = programIn(reply);
    const checked = checkProgram(text, environment, { dialect });
    const { ok, diagnostics } = checked;
    const round: Round = { number, text, diagnostics, ok };
    rounds.push(round);
    options.onRound?.(round);
    if (ok) return { text, checked, rounds };
    if (!holdsProgram(reply)) throw new PlanFailure('PV7001', refusal(reply), round);
    if (number === roundsMax) throw new PlanFailure('PV7002', exhausted(round), round);
    messages.push({ role: 'assistant', content: reply });
    messages.push({ role: 'user', content: correction(text, diagnostics) });
  }
}

/** The program without prose, tags and fences; the whole reply where none is found. */
function programIn(reply: string): string {
  const { node } = readModelJson(reply, 'array');
  return node ? reply.slice(node.start, node.end) : reply;
}

const holdsProgram = (reply: string): boolean => /[[{]/.test(reply);

const refusal = (reply: string): string =>
  `the model answered without a program: ${reply.trim().slice(0, 2000)}`;

function exhausted(round: Round): string {
  const found = renderAll(round.diagnostics, round.text, { file: 'plan', color: false });
  return `the plan has errors after ${round.number} attempts:\n${found}`;
}
