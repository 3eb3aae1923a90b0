/**
 * `delegate`: a task for a sub-agent. What it owns: which tools it has, what it may spend, and how
 * deep sub-agents go within each other. Its outcome is made by the control loop `delegate`, whose
 * two effects are runs in their turn: one writes a program, the other is that program. So budgets,
 * questions, approvals and kills are those of any run within an effect.
 */
import { renderAll } from '../dialects/diagnostic.ts';
import { checkProgram } from '../dialects/index.ts';
import type { Model } from '../effects/model/model.ts';
import {
  type AttemptContext,
  EffectFailure,
  type Handler,
  type RunLoop,
} from '../engine/handler.ts';
import type { ToolSpec } from '../program/effect.ts';
import type { Limits } from '../program/limits.ts';
import type { Program } from '../program/program.ts';
import { findTool, toolHint } from '../program/tool-names.ts';
import {
  classAmong,
  delegateName,
  delegatePlanSpec,
  delegateRunSpec,
  delegateSpec,
} from './delegate-specs.ts';

export interface DelegateWorld {
  readonly runLoop: RunLoop;
  /** Writes the programs. */
  readonly model: () => Model;
  /** All that the run around it may call; asked for when something is delegated. */
  readonly tools: () => ReadonlyMap<string, Handler>;
}

/** How often a model may write a program: as often as for a goal. */
const rounds = 3;

const dialect = 'starlark';

/**
 * Its outcome fails with PV7011 for a helper that there is not, PV7012 where sub-agents go too
 * deep, else as the run within it has failed.
 */
export function delegateHandler({ runLoop, model, tools }: DelegateWorld): Handler {
  const handedOn: HandedOn = new Map();
  return {
    spec: delegateSpec,
    async perform({ task, helpers, budget }, context) {
      refuseDeeper(context);
      const handed = chosen(
        handedTo(context.run, handedOn) ?? tools(),
        Array.isArray(helpers) ? helpers.map(String) : undefined,
      );
      const { effects, ...whole } = limitsOf(budget);
      return await runLoop(context, {
        ...{ loop: 'delegate', title: `delegated: ${String(task)}`, limits: whole },
        inputs: { task, rounds },
        handlers: [
          planHandler(runLoop, model, handed),
          runHandler(handed, handedOn, String(task), effects === undefined ? {} : { effects }),
        ],
      });
    },
  };
}

type Tools = ReadonlyMap<string, Handler>;

/** What sub-agents have that this process runs, by the ids of the runs of their control loops. */
type HandedOn = Map<string, Tools>;

/** What the innermost sub-agent has that a run is within; undefined outside of any. */
function handedTo(run: string, handedOn: HandedOn): Tools | undefined {
  for (let end = run.length; end > 0; end = run.lastIndexOf('.', end - 1)) {
    const tools = handedOn.get(run.slice(0, end));
    if (tools) return tools;
  }
  return undefined;
}

/** What is within a sub-agent has an id that says so. */
function refuseDeeper({ run, limits }: Pick<AttemptContext, 'run' | 'limits'>): void {
  const most = limits.delegateDepth;
  const depth = run.split('.').filter((part) => part === 'delegate').length;
  if (depth < most) return;
  throw new EffectFailure(
    'PV7012',
    `got a sub-agent within ${depth} others, want ${most} within each other at most`,
    {
      ...answered,
      hint: 'do the task with the tools themselves, or raise the limit delegateDepth',
    },
  );
}

function chosen(tools: Tools, helpers: readonly string[] | undefined): Tools {
  if (!helpers) return tools;
  const specs = specsOf(tools);
  const found = new Map<string, Handler>();
  for (const name of helpers) {
    const spec = findTool(specs, name);
    const handler = spec && tools.get(spec.name);
    if (!handler) {
      throw new EffectFailure('PV7011', `helpers: got ${name}, want a tool of this run`, {
        ...{ ...answered, hint: toolHint(specs, name) ?? 'name tools that the run may call' },
      });
    }
    found.set(handler.spec.name, handler);
  }
  const agent = found.get(delegateName);
  if (agent && classAmong(specsOf(found).values()) === 'read') {
    found.set(delegateName, { ...agent, spec: { ...agent.spec, effect: 'read' } });
  }
  return found;
}

const answered = { answered: true, mayHaveActed: false } as const;

const specsOf = (tools: Tools): ReadonlyMap<string, ToolSpec> =>
  new Map([...tools].map(([name, { spec }]) => [name, spec]));

type Share = Partial<Pick<Limits, 'tokens' | 'cost' | 'effects' | 'wallMs'>>;

function limitsOf(budget: unknown): Share {
  const { tokens, cost, effects, seconds } = Object(budget ?? {});
  return {
    ...(tokens !== undefined && { tokens: Number(tokens) }),
    ...(cost !== undefined && { cost: Number(cost) }),
    ...(effects !== undefined && { effects: Number(effects) }),
    ...(seconds !== undefined && { wallMs: 1000 * Number(seconds) }),
  };
}

const planHandler = (runLoop: RunLoop, model: () => Model, tools: Tools): Handler => ({
  spec: delegatePlanSpec,
  async perform({ task, rounds }, context) {
    // Most runs delegate nothing: it is loaded with the first that does.
    const { planningHandlers } = await import('./planner.ts');
    const environment = { tools: specsOf(tools), inputs: [] };
    const handlers = [...planningHandlers({ dialect, environment, model }).values()];
    const goal = { text: String(task) };
    const title = `plan: ${goal.text}`;
    return await runLoop(context, { loop: 'plan', title, inputs: { goal, rounds }, handlers });
  },
});

const runHandler = (
  handlers: Tools,
  handedOn: HandedOn,
  title: string,
  limits: Share,
): Handler => ({
  spec: delegateRunSpec(specsOf(handlers).values()),
  async perform({ program }, context) {
    const text = String(program);
    const name = 'program';
    handedOn.set(context.run, handlers);
    try {
      return await context.inner({
        ...{ name, title, text, dialect, handlers, limits, inputs: new Map() },
        isForeign: true,
        compile: (given, _dialect, tools) => ({ program: compile(given, tools) }),
      });
    } finally {
      handedOn.delete(context.run);
    }
  },
});

function compile(text: string, tools: ReadonlyMap<string, ToolSpec>): Program {
  const { program, diagnostics } = checkProgram(text, { tools, inputs: [] }, { dialect });
  if (program) return program;
  throw invalid(renderAll(diagnostics, text, { file: 'program', color: false }));
}

const invalid = (why: string): EffectFailure =>
  new EffectFailure('PV7013', `the program of a sub-agent is not valid: ${why}`, answered);
