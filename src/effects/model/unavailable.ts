/**
 * Codes of a model that cannot be had: no key, no network, refused, overloaded, no credit. It is no
 * fault of what it was asked, so no other program changes it.
 */
const unavailable: ReadonlySet<string> = new Set([
  ...['PV4100', 'PV4101', 'PV4102', 'PV4103', 'PV4105', 'PV4106', 'PV4107', 'PV4109', 'PV4117'],
]);

export const isModelUnavailable = (code: string | undefined): boolean =>
  code !== undefined && unavailable.has(code);
