/**
 * A document that says a whole turn: a list of operations or of steps, or an object around one.
 * What it says is said part for part, as the parts come, whatever the notation is.
 */
import type { JsonMember, JsonNode } from '../../../../program/json-node.ts';
import type { Said } from '../said.ts';
import { isWrapperKey, meaningOf, operationsIn } from './json-operations.ts';
import { isStep, traceItem } from './trace.ts';

export class DocumentSaid {
  /** Members that are said before the next list, or at the end. */
  #held: JsonMember[] = [];
  #isTrace = false;
  #hasSet = false;

  /** Takes a member that is whole, and no list of what is done. */
  member(member: JsonMember): void {
    this.#held.push(member);
  }

  /** Whether anything that was taken and is not said yet means something. */
  get isMeant(): boolean {
    return this.#held.some(({ key }) => meaningOf(key) !== undefined);
  }

  /** Whether a list under this key is one of what is done. */
  isListKey(key: string): boolean {
    if (isTraceKey(key)) return true;
    // What stands beside a call may be an argument of it.
    return isWrapperKey(key) && !this.#held.some((one) => meaningOf(one.key) === 'call');
  }

  /** The next item of a list; what stands before the list comes first. */
  item(key: string | undefined, item: JsonNode): readonly Said[] {
    this.#isTrace ||= key !== undefined && isTraceKey(key);
    const isFirst = (one: JsonMember) => !isLate.test(meaningOf(one.key) ?? '');
    const before = this.#isTrace ? [] : this.#held.filter(isFirst);
    if (before.length > 0) this.#held = this.#held.filter((one) => !isFirst(one));
    const isTraced = this.#isTrace || isStep(item);
    const said = [...together(before), ...(isTraced ? traceItem(item) : operationsIn(item))];
    this.#hasSet ||= said.some(({ is }) => is === 'set');
    return said;
  }

  /** What is left to say behind all lists. */
  end(): readonly Said[] {
    // The oldest form of traces has all variables at the end, and none with the steps.
    const isSaid = ({ key }: JsonMember) => {
      const meaning = meaningOf(key);
      if (!this.#isTrace) return true;
      return meaning === 'set' ? !this.#hasSet : meaning !== 'think' && meaning !== 'note';
    };
    const left = this.#held.filter(isSaid);
    this.#held = [];
    return together(left);
  }
}

const isTraceKey = (key: string): boolean => key.toLowerCase() === 'trace';

/** What ends a turn is said behind its operations, wherever it stands. */
const isLate = /^(?:yield|return|exit)$/;

/** Members as one object; those that mean nothing are there for somebody else. */
function together(members: readonly JsonMember[]): readonly Said[] {
  const meant = members.filter(({ key }) => meaningOf(key) !== undefined);
  const [first] = meant;
  if (!first) return [];
  return operationsIn({ ...first.value, kind: 'object', members });
}
