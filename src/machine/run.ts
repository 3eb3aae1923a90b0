/**
 * The dispatch loop. One switch on the opcode, kept whole; slow paths are functions elsewhere.
 * Case labels are numeric literals, which the engine of the host turns into a jump table; a test
 * holds them against the opcode table.
 *
 * - R1 `pc`, `sp` and the current code live in local variables and are written back on leaving.
 * - R2 A slow path that fails or waits throws; nothing has moved, `frame.pc` names the instruction.
 * - R3 After an instruction whose work grows with the size of values, fuel is taken for that work.
 */
import {
  type Cell,
  dict,
  dictSet,
  float,
  type Iter,
  list,
  settled,
  tuple,
  type Value,
} from '../program/value.ts';
import { setField } from './attribute.ts';
import { type Code, codesOf, fusedMost } from './code.ts';
import { interrupted, siteHere } from './failure.ts';
import {
  capturedName,
  deferred,
  enterMain,
  enterStep,
  makeFunction,
  nextMain,
  operate,
  unheld,
  unset,
  valuesAt,
} from './instructions.ts';
import { calleeAt, invoke, invokeMethod, invokeSpread, refuseRecursion } from './invoke.ts';
import { take } from './meter.ts';
import {
  addInPlace,
  element,
  nextQuick,
  orInPlace,
  putNew,
  sameText,
  setElement,
} from './quick.ts';
import type { Frame, State } from './state.ts';
import { compare, contains, equals, hashable, hashedMax, truth } from './values/compare.ts';
import { Fault, faults, MachineError, Wait } from './values/fault.ts';
import { need, needAll } from './values/pendings.ts';
import { isFloat } from './values/quick-arithmetic.ts';
import { endIteration, freezeDeep, iterate, mutable, setIndex, unpack } from './values/sequence.ts';
import { note } from './window/give-up.ts';
import { issueEmit } from './window/issue.ts';
import { leaveLoop } from './window/settle.ts';

/**
 * Executes up to `fuel` instructions; gives the fuel left, which is below zero where the last one
 * was charged for more work than there was fuel. Where there is enough, it does some instructions
 * in one go (FU1), and stops as soon as there may be too little for that.
 */
export function dispatch(state: State, fuel: number): number {
  const { stack, frames, globals, hub, limits, around, meter } = state;
  const enough = fuel < fusedMost ? 0 : fusedMost - 1;
  const codes = enough > 0 ? codesOf(state.program).fused : codesOf(state.program).plain;
  let frame = frames[frames.length - 1] as Frame;
  let here = codes[frame.chunk] as Code;
  let { words, constants } = here;
  let base = frame.base;
  let pc = frame.pc;
  let sp = stack.length;
  let left = fuel;
  let thrown: unknown;
  try {
    run: for (; left > enough; left--) {
      const word = words[pc] as number;
      const arg = word >> 8;
      switch (word & 255) {
        case 0: // NOP
          break;
        case 1: // POP
          sp--;
          break;
        case 2: // DUP
          stack[sp] = stack[sp - 1];
          sp++;
          break;
        case 3: // DUP2
          stack[sp] = stack[sp - 2];
          stack[sp + 1] = stack[sp - 1];
          sp += 2;
          break;
        case 4: {
          // EXCH
          const top = stack[sp - 1];
          stack[sp - 1] = stack[sp - 2];
          stack[sp - 2] = top;
          break;
        }
        case 5: // CONST
          stack[sp++] = constants[arg];
          break;
        case 6: {
          // LOCAL
          const value = stack[base + arg];
          if (value === undefined) throw unset('local', here.chunk.locals[arg]);
          stack[sp++] = value;
          break;
        }
        case 7: // SETLOCAL
          stack[base + arg] = stack[--sp];
          break;
        case 8: {
          // CELL
          const value = (stack[base + arg] as Cell).value;
          if (value === undefined) throw unset('local', here.chunk.locals[arg]);
          stack[sp++] = value;
          break;
        }
        case 9: // SETCELL
          (stack[base + arg] as Cell).value = stack[--sp];
          break;
        case 10: {
          // CAPTURED
          const value = frame.captured[arg]?.value;
          if (value === undefined)
            throw unset('local', capturedName(state.program, frame.chunk, arg));
          stack[sp++] = value;
          break;
        }
        case 11: {
          // GLOBAL
          const value = globals[arg];
          if (value === undefined) throw unset('global', state.program.globals[arg]);
          stack[sp++] = value;
          break;
        }
        case 12: // SETGLOBAL
          if (state.entries.size > 0) note(state, arg);
          globals[arg] = stack[--sp];
          break;
        case 13: {
          // ADD
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            const sum = x + y;
            if (Number.isSafeInteger(sum)) {
              stack[--sp - 1] = sum;
              break;
            }
          }
          if (isFloat(x) && isFloat(y)) {
            stack[--sp - 1] = float(x.value + y.value);
            break;
          }
          frame.pc = pc;
          stack[sp - 2] = operate(state, 13, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 14: {
          // SUB
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            const difference = x - y;
            if (Number.isSafeInteger(difference)) {
              stack[--sp - 1] = difference;
              break;
            }
          }
          if (isFloat(x) && isFloat(y)) {
            stack[--sp - 1] = float(x.value - y.value);
            break;
          }
          frame.pc = pc;
          stack[sp - 2] = operate(state, 14, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 15: {
          // MUL
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            const product = x * y;
            if (Number.isSafeInteger(product)) {
              stack[--sp - 1] = product + 0; // -0 is no int
              break;
            }
          }
          if (isFloat(x) && isFloat(y)) {
            stack[--sp - 1] = float(x.value * y.value);
            break;
          }
          frame.pc = pc;
          stack[sp - 2] = operate(state, 15, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 18: {
          // MOD
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number' && y !== 0) {
            const remainder = x % y;
            stack[--sp - 1] =
              (remainder !== 0 && remainder < 0 !== y < 0 ? remainder + y : remainder) + 0;
            break;
          }
          frame.pc = pc;
          stack[sp - 2] = operate(state, 18, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 16: // DIV
        case 17: // FLOORDIV
        case 21: // AND
        case 22: // OR
        case 23: // XOR
        case 25: // SHL
        case 26: // SHR
          frame.pc = pc;
          stack[sp - 2] = operate(
            state,
            word & 255,
            stack[sp - 2] as Value,
            stack[sp - 1] as Value,
          );
          sp--;
          left -= take(meter);
          break;
        case 19: {
          // NEG
          const x = stack[sp - 1] as Value;
          frame.pc = pc;
          stack[sp - 1] = typeof x === 'number' ? 0 - x : deferred(state, 19, null, [x]);
          break;
        }
        case 20: // POS
        case 24: // INVERT
          frame.pc = pc;
          stack[sp - 1] = deferred(state, word & 255, null, [stack[sp - 1] as Value]);
          break;
        case 27: {
          // EQ
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          stack[sp - 2] =
            typeof x === 'number' && typeof y === 'number'
              ? x === y
              : (sameText(x, y) ?? equals(x, y, around));
          sp--;
          left -= take(meter);
          break;
        }
        case 28: {
          // NE
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          stack[sp - 2] = !(typeof x === 'number' && typeof y === 'number'
            ? x === y
            : (sameText(x, y) ?? equals(x, y, around)));
          sp--;
          left -= take(meter);
          break;
        }
        case 29: {
          // LT
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          stack[sp - 2] =
            typeof x === 'number' && typeof y === 'number' ? x < y : compare('<', x, y, around) < 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 30: {
          // LE
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          stack[sp - 2] =
            typeof x === 'number' && typeof y === 'number'
              ? x <= y
              : compare('<=', x, y, around) <= 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 31: {
          // GT
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          stack[sp - 2] =
            typeof x === 'number' && typeof y === 'number' ? x > y : compare('>', x, y, around) > 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 32: {
          // GE
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          stack[sp - 2] =
            typeof x === 'number' && typeof y === 'number'
              ? x >= y
              : compare('>=', x, y, around) >= 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 33: // IN
          stack[sp - 2] = contains(stack[sp - 2] as Value, stack[sp - 1] as Value, around);
          sp--;
          left -= take(meter);
          break;
        case 34: // NOT
          stack[sp - 1] = !truth(stack[sp - 1] as Value);
          break;
        case 35: // JMP
          pc = arg - 1;
          break;
        case 36: {
          // JF
          const x = stack[sp - 1] as Value;
          if (x === true || (x !== false && truth(x))) sp--;
          else {
            sp--;
            pc = arg - 1;
          }
          break;
        }
        case 37: {
          // JT
          const x = stack[sp - 1] as Value;
          if (x === true || (x !== false && truth(x))) pc = arg - 1;
          sp--;
          break;
        }
        case 38: // JFK
          if (truth(stack[sp - 1] as Value)) sp--;
          else pc = arg - 1;
          break;
        case 39: // JTK
          if (truth(stack[sp - 1] as Value)) pc = arg - 1;
          else sp--;
          break;
        case 40: {
          // RETURN
          if (frames.length === 1) {
            left--;
            state.ending = {};
            break run;
          }
          const value = stack[sp - 1];
          frames.pop();
          sp = base;
          stack[sp - 1] = value; // where the callee stood
          frame = frames[frames.length - 1] as Frame;
          here = codes[frame.chunk] as Code;
          words = here.words;
          constants = here.constants;
          base = frame.base;
          pc = frame.pc;
          break;
        }
        case 41: // ITER
          stack[sp - 1] = iterate(stack[sp - 1] as Value);
          break;
        case 42: {
          // NEXT
          const item = nextQuick(stack[sp - 1] as Iter);
          if (item === undefined) pc = arg - 1;
          else stack[sp++] = item;
          break;
        }
        case 43: {
          // ENDITER
          const ended = stack[--sp] as Iter;
          endIteration(ended);
          if (ended.over.kind === 'object') leaveLoop(state, ended.over);
          break;
        }
        case 44: // LIST
          sp -= arg;
          stack[sp] = list(valuesAt(stack, sp, arg));
          sp++;
          break;
        case 45: // TUPLE
          sp -= arg;
          stack[sp] = tuple(valuesAt(stack, sp, arg));
          sp++;
          break;
        case 46: {
          // DICT
          const made = dict();
          for (let at = sp - 2 * arg; at < sp; at += 2) {
            const key = stack[at] as Value;
            if (typeof key !== 'string' || key.length > hashedMax) hashable(key, around);
            dictSet(made, settled(key), stack[at + 1] as Value);
          }
          sp -= 2 * arg;
          stack[sp++] = made;
          break;
        }
        case 47: {
          // APPEND
          const target = need(stack[sp - 1 - arg] as Value);
          if (target === null || typeof target !== 'object' || target.kind !== 'list') {
            throw new Fault(faults.operandTypes, 'APPEND wants a list');
          }
          unheld(state);
          mutable(target, 'append to', false);
          target.items.push(stack[--sp] as Value);
          break;
        }
        case 48: {
          // PUT
          unheld(state);
          const target = stack[sp - 2 - arg] as Value;
          const key = stack[sp - 2] as Value;
          const value = stack[sp - 1] as Value;
          if (!setElement(target, key, value)) setIndex(target, key, value, around);
          sp -= 2;
          break;
        }
        case 49: {
          // INDEX
          const x = stack[sp - 2] as Value;
          const i = stack[sp - 1] as Value;
          const found = element(x, i);
          frame.pc = pc;
          stack[sp - 2] = found === undefined ? operate(state, 49, x, i) : found;
          sp--;
          break;
        }
        case 50: {
          // SETINDEX
          const x = stack[sp - 3] as Value;
          const i = stack[sp - 2] as Value;
          const value = stack[sp - 1] as Value;
          if (state.held > 0 || state.fiber) unheld(state, x, [value]);
          if (!setElement(x, i, value)) setIndex(x, i, value, around);
          sp -= 3;
          break;
        }
        case 51: // FIELD
          frame.pc = pc;
          stack[sp - 1] = deferred(state, 51, constants[arg] as Value, [stack[sp - 1] as Value]);
          break;
        case 52: {
          // UNPACK
          const items = unpack(stack[sp - 1] as Value, arg);
          sp--;
          for (let i = arg - 1; i >= 0; i--) stack[sp++] = items[i] as Value;
          break;
        }
        case 53: {
          // TEMPLATE
          frame.pc = pc;
          const made = deferred(state, 53, null, stack.slice(sp - arg, sp) as Value[]);
          sp -= arg;
          stack[sp++] = made;
          left -= take(meter);
          break;
        }
        case 54: // FUNC
          stack[sp - 1] = makeFunction(state, frame, arg, stack[sp - 1] as Value);
          break;
        case 55: // CALL
        case 62: // SPREAD
        case 70: {
          // METHOD
          frame.pc = pc;
          const op = word & 255;
          const callee = op === 55 && arg < 256 ? stack[sp - 1 - arg] : undefined;
          if (typeof callee === 'object' && callee?.kind === 'function') {
            const code = codes[callee.chunk] as Code;
            if (arg === code.exact && frames.length < limits.callDepth) {
              // Its arguments lie just as its locals should.
              base = sp - arg;
              for (let slot = arg; slot < code.locals; slot++) stack[sp++] = undefined;
              frame = { chunk: callee.chunk, pc: 0, base, captured: callee.cells };
              frames.push(frame);
              here = code;
              words = code.words;
              constants = code.constants;
              pc = -1;
              break;
            }
          }
          const at = calleeAt(op === 62 ? sp - 2 : sp, arg) - (op === 70 ? 1 : 0);
          const result =
            op === 55
              ? invoke(state, sp, arg)
              : op === 62
                ? invokeSpread(state, sp, arg)
                : invokeMethod(state, sp, arg);
          if (result === undefined) {
            frame = frames[frames.length - 1] as Frame;
            here = codes[frame.chunk] as Code;
            words = here.words;
            constants = here.constants;
            base = frame.base;
            sp = base + here.locals;
            pc = -1;
          } else {
            stack[at] = result;
            sp = at + 1;
            if (hub.isPaused) {
              pc++;
              left--;
              break run;
            }
          }
          left -= take(meter);
          break;
        }
        case 56: // STEP
          if (enterStep(state, arg)) {
            pc++;
            left--;
            break run;
          }
          break;
        case 57: // EMIT
          frame.pc = pc;
          issueEmit(state, String(constants[arg]), stack[sp - 1] as Value, siteHere(state));
          sp--;
          left -= take(meter);
          break;
        case 58: // ANSWER
          frame.pc = pc;
          issueEmit(state, 'answer', stack[sp - 1] as Value, siteHere(state));
          sp--;
          left -= take(meter);
          break;
        case 59: // BARRIER
          if (state.entries.size > 0) throw new Wait({ on: 'barrier' });
          break;
        case 60: // FAIL
          throw new Fault(String(constants[arg]), String(needAll(stack[sp - 1] as Value)));
        case 61: {
          // MORE
          const next = nextMain(state);
          if (next !== undefined) {
            frame = enterMain(state, next);
            sp = stack.length;
            here = codes[next] as Code;
            words = here.words;
            constants = here.constants;
            pc = -1;
            break;
          }
          if (state.program.open) throw new Wait({ on: 'text' });
          left--;
          state.ending = {};
          break run;
        }
        case 63: // SLICE
          frame.pc = pc;
          stack[sp - 4] = deferred(state, 63, null, stack.slice(sp - 4, sp) as Value[]);
          sp -= 3;
          left -= take(meter);
          break;
        case 64: {
          // IADD
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            const sum = x + y;
            if (Number.isSafeInteger(sum)) {
              stack[--sp - 1] = sum;
              break;
            }
          }
          frame.pc = pc;
          stack[sp - 2] = addInPlace(state, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 65: // IOR
          frame.pc = pc;
          stack[sp - 2] = orInPlace(state, stack[sp - 2] as Value, stack[sp - 1] as Value);
          sp--;
          left -= take(meter);
          break;
        case 66: // PUTNEW
          unheld(state);
          putNew(
            stack[sp - 2 - arg] as Value,
            stack[sp - 2] as Value,
            stack[sp - 1] as Value,
            around,
          );
          sp -= 2;
          break;
        case 67: // FREEZE
          freezeDeep(stack[sp - 1] as Value);
          sp--;
          break;
        case 68: // ONCE
          refuseRecursion(state);
          break;
        case 69: // ATTR
          frame.pc = pc;
          stack[sp - 1] = deferred(state, 69, constants[arg] as Value, [stack[sp - 1] as Value]);
          break;
        case 71: // SETFIELD
          unheld(state, stack[sp - 2], [stack[sp - 1] as Value]);
          setField(stack[sp - 2] as Value, String(constants[arg]), stack[sp - 1] as Value);
          sp -= 2;
          break;
        case 72: {
          // SEAL
          const held = globals[arg];
          if (held !== undefined) freezeDeep(held);
          break;
        }
        case 200: {
          // LOCAL LOCAL
          const value = stack[base + arg];
          if (value === undefined) throw unset('local', here.chunk.locals[arg]);
          stack[sp++] = value;
          const other = stack[base + ((words[pc + 1] as number) >> 8)];
          if (other === undefined) break;
          stack[sp++] = other;
          left--;
          pc++;
          break;
        }
        case 201: {
          // LOCAL CONST
          const value = stack[base + arg];
          if (value === undefined) throw unset('local', here.chunk.locals[arg]);
          stack[sp] = value;
          stack[sp + 1] = constants[(words[++pc] as number) >> 8];
          sp += 2;
          left--;
          break;
        }
        case 202: {
          // NEXT SETLOCAL
          const item = nextQuick(stack[sp - 1] as Iter);
          if (item === undefined) pc = arg - 1;
          else {
            stack[base + ((words[++pc] as number) >> 8)] = item;
            left--;
          }
          break;
        }
        case 203: {
          // EQ JF
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            pc = x === y ? pc + 1 : ((words[pc + 1] as number) >> 8) - 1;
            sp -= 2;
            left--;
            break;
          }
          stack[sp - 2] = sameText(x, y) ?? equals(x, y, around);
          sp--;
          left -= take(meter);
          break;
        }
        case 204: {
          // NE JF
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            pc = x !== y ? pc + 1 : ((words[pc + 1] as number) >> 8) - 1;
            sp -= 2;
            left--;
            break;
          }
          stack[sp - 2] = !(sameText(x, y) ?? equals(x, y, around));
          sp--;
          left -= take(meter);
          break;
        }
        case 205: {
          // LT JF
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            pc = x < y ? pc + 1 : ((words[pc + 1] as number) >> 8) - 1;
            sp -= 2;
            left--;
            break;
          }
          stack[sp - 2] = compare('<', x, y, around) < 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 206: {
          // LE JF
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            pc = x <= y ? pc + 1 : ((words[pc + 1] as number) >> 8) - 1;
            sp -= 2;
            left--;
            break;
          }
          stack[sp - 2] = compare('<=', x, y, around) <= 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 207: {
          // GT JF
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            pc = x > y ? pc + 1 : ((words[pc + 1] as number) >> 8) - 1;
            sp -= 2;
            left--;
            break;
          }
          stack[sp - 2] = compare('>', x, y, around) > 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 208: {
          // GE JF
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            pc = x >= y ? pc + 1 : ((words[pc + 1] as number) >> 8) - 1;
            sp -= 2;
            left--;
            break;
          }
          stack[sp - 2] = compare('>=', x, y, around) >= 0;
          sp--;
          left -= take(meter);
          break;
        }
        case 209: {
          // ADD SETLOCAL
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            const sum = x + y;
            if (Number.isSafeInteger(sum)) {
              sp -= 2;
              stack[base + ((words[++pc] as number) >> 8)] = sum;
              left--;
              break;
            }
          }
          frame.pc = pc;
          stack[sp - 2] = operate(state, 13, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 210: {
          // IADD SETLOCAL
          const x = stack[sp - 2] as Value;
          const y = stack[sp - 1] as Value;
          if (typeof x === 'number' && typeof y === 'number') {
            const sum = x + y;
            if (Number.isSafeInteger(sum)) {
              sp -= 2;
              stack[base + ((words[++pc] as number) >> 8)] = sum;
              left--;
              break;
            }
          }
          frame.pc = pc;
          stack[sp - 2] = addInPlace(state, x, y);
          sp--;
          left -= take(meter);
          break;
        }
        case 211: {
          // TUPLE UNPACK
          for (let low = sp - arg, high = sp - 1; low < high; low++, high--) {
            const value = stack[low];
            stack[low] = stack[high];
            stack[high] = value;
          }
          left--;
          pc++;
          break;
        }
        case 212: {
          // LOCAL EXCH
          const value = stack[base + arg];
          if (value === undefined) throw unset('local', here.chunk.locals[arg]);
          stack[sp] = stack[sp - 1];
          stack[sp++ - 1] = value;
          left--;
          pc++;
          break;
        }
        case 213: {
          // EXCH SETINDEX
          const i = stack[sp - 1] as Value;
          const value = stack[sp - 2] as Value;
          if (state.held === 0 && !state.fiber && setElement(stack[sp - 3] as Value, i, value)) {
            sp -= 3;
            left--;
            pc++;
            break;
          }
          stack[sp - 2] = i;
          stack[sp - 1] = value;
          break;
        }
        case 214: {
          // JMP NEXT SETLOCAL
          pc = arg;
          left--;
          const item = nextQuick(stack[sp - 1] as Iter);
          if (item === undefined) pc = ((words[pc] as number) >> 8) - 1;
          else {
            pc++;
            stack[base + ((words[pc] as number) >> 8)] = item;
            left--;
          }
          break;
        }
        default:
          throw new MachineError(
            faults.damagedProgram,
            `chunk ${here.chunk.name} has no instruction at ${pc}; verify the program`,
          );
      }
      pc++;
    }
  } catch (reason) {
    thrown = reason;
  }
  frame.pc = pc;
  stack.length = sp;
  const owed = take(meter);
  // An instruction that waits is done anew, and how often it is depends on time.
  if (!(thrown instanceof Wait)) left -= owed;
  state.instructions += fuel - left;
  if (thrown !== undefined) interrupted(state, thrown);
  return left;
}
