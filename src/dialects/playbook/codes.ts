/** What can be said about a file of playbooks: a name, and the code with its meaning. */
import { codesByName, meaningsOf } from '../../program/diagnostic.ts';

const table = {
  badMetadata: 'PV1401 A line of metadata cannot be read; it was left out, or kept as text.',
  openFence: 'PV1402 A block of code is not closed; it lasts to the end.',
  openComment: 'PV1403 A comment is not closed; it lasts to the end.',
  unknownSection: 'PV1404 A heading under a playbook is not one that playbooks have.',
  outsideSection: 'PV1405 A list or text stands where no playbook and no agent is.',
  badSignature: 'PV1406 The parameters of a playbook cannot be read.',
  agentKind: 'PV1407 An agent is said to be something that agents cannot be.',
  notImported: 'PV1408 A file is to be imported that cannot be.',
  badStep: 'PV1409 A line of a compiled playbook is not a step, trigger or note.',
  stepNumber: 'PV1410 The number of a compiled step is not the next one.',
  tooDeep: 'PV1413 Steps are nested too deeply.',
  oddIndent:
    'PV1416 A line is less far in than the line before it, but further than the line around.',
  longLine: 'PV1422 A line of steps is too long to be read; it is open.',
  strayBlock: 'PV1421 A block of code stands before the first item of a section.',
  badMark: 'PV1414 A part of @playbook is not a value that is written out; it was left out.',

  noPlaybook: 'PV2401 There is no agent, or no playbook, in the file.',
  duplicateAgent: 'PV2402 Two agents have the same name.',
  duplicatePlaybook: 'PV2403 Two playbooks or functions of an agent have the same name.',
  unknownCall: 'PV2404 A line calls a playbook, function or tool that does not exist.',
  unreachable: 'PV2405 A step is never reached.',
  unsetVariable: 'PV2406 A variable is read that nothing can have set before.',
  deadTrigger: 'PV2407 A trigger can never fire.',
  badJump: 'PV2408 A line goes on at a line that does not exist.',
  elseless: 'PV2411 An Otherwise does not follow a condition.',
  noEnd: 'PV2413 No step of a playbook leads to its end.',
  neverBegins: 'PV2414 No playbook begins when the program starts.',
  missingArgument: 'PV2415 A call lacks an argument that the playbook needs.',
  extraArgument: 'PV2416 A call gives an argument that the playbook does not have.',
  notPublic: 'PV2417 A playbook of another agent is called that is not public.',
  perhapsUnset: 'PV2420 A variable is read that nothing sets on one of the ways to it.',
  unknownServer: 'PV2431 What a server offers that is an agent is not known; it is not checked.',
  ignoredMetadata: 'PV2434 Metadata say something of which nothing comes.',
  unknownAttendee: 'PV2443 Somebody is to attend a meeting whom there is not.',
  unknownZone: 'PV2444 A time zone is named that there is not.',
  reservedName: 'PV2448 Lines mean something else by the name of a playbook or function.',
  bareArithmetic: 'PV2449 Arithmetic without a variable is computed, where a text may be meant.',
  more: 'PV2421 More of the same in playbooks than are listed.',
} as const;

export type CodeName = keyof typeof table;

export const codeByName: Readonly<Record<CodeName, string>> = codesByName(table);

/** Every code of playbooks with its meaning. */
export const codes: Readonly<Record<string, string>> = meaningsOf(table);
