/** The loops over tasks, by the dialects that their models write. */
export const taskLoops = ['llmcompiler', 'react'] as const;

export type TaskLoop = (typeof taskLoops)[number];

export const isTaskLoop = (name: string): name is TaskLoop => taskLoops.some((one) => one === name);
