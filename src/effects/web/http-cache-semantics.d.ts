/** The part of the package `http-cache-semantics` that is used here; it comes without types. */
declare module 'http-cache-semantics' {
  export interface CacheRequest {
    readonly url: string;
    readonly method: string;
    readonly headers: Readonly<Record<string, string>>;
  }

  export interface CacheResponse {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
  }

  export default class CachePolicy {
    constructor(
      request: CacheRequest,
      response: CacheResponse,
      options: { shared: boolean; cacheHeuristic: number },
    );
    static fromObject(data: Readonly<Record<string, unknown>>): CachePolicy;
    toObject(): Record<string, unknown>;
    storable(): boolean;
    satisfiesWithoutRevalidation(request: CacheRequest): boolean;
    revalidationHeaders(request: CacheRequest): Record<string, string>;
    revalidatedPolicy(
      request: CacheRequest,
      response: CacheResponse,
    ): { policy: CachePolicy; modified: boolean };
  }
}
