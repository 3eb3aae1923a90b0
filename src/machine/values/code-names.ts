/**
 * The codes of the errors a running guest program can end with, and those of wrong use of the
 * machine. What they mean stands in `codes.ts`, which a running machine does not need.
 */

const table = {
  defect: 'PV3000',
  undefinedVariable: 'PV3001',
  operandTypes: 'PV3002',
  divisionByZero: 'PV3003',
  indexRange: 'PV3004',
  noKey: 'PV3005',
  notCallable: 'PV3006',
  callArguments: 'PV3007',
  notIterable: 'PV3008',
  unpackCount: 'PV3009',
  locked: 'PV3010',
  unhashable: 'PV3011',
  valueSize: 'PV3012',
  callDepth: 'PV3013',
  stepVisits: 'PV3014',
  notData: 'PV3015',
  unknownTool: 'PV3016',
  nesting: 'PV3017',
  voidValue: 'PV3018',
  recursion: 'PV3019',
  load: 'PV3020',
  parallelWrite: 'PV3021',
  bindHelper: 'PV3040',
  bindList: 'PV3041',
  uncertain: 'PV3042',
  bindResult: 'PV3043',
  taskTool: 'PV3701',
  taskSkipped: 'PV3702',
  taskNode: 'PV3703',
  taskNumber: 'PV3704',
  taskElements: 'PV3705',
  taskReplan: 'PV3706',
  prerequisite: 'PV3707',
  damagedProgram: 'PV3090',
  damagedSnapshot: 'PV3091',
  otherProgram: 'PV3092',
};

export const faults: Readonly<Record<keyof typeof table, string>> = table;
