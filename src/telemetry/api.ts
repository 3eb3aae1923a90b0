/** OpenTelemetry's API, which a process may not have: only its types are imported. */
export type Api = typeof import('@opentelemetry/api');
