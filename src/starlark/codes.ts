/** What can go wrong between a Starlark program and the host that evaluates it. */
export const codes: Readonly<Record<string, string>> = {
  PV3201: 'A Starlark module has executed as many instructions as its host allows.',
  PV3202: 'A function of the host has refused a call.',
  PV3203: 'A Starlark module waits for an effect, which no host of a module performs.',
  PV3204: 'A Starlark module holds as much memory as its host allows.',
};
