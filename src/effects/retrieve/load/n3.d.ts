/** The part of the package `n3` that is used here; its published types are those of version 1. */
declare module 'n3' {
  export interface Term {
    readonly termType: string;
    readonly value: string;
    readonly language?: string;
    readonly datatype?: Term;
  }

  export interface Token {
    readonly type: string;
    readonly line: number;
  }

  export interface Factory {
    quad(subject: Term, predicate: Term, object: Term, graph?: Term): unknown;
  }

  export const DataFactory: Factory;

  export class Parser {
    constructor(options: {
      format: string;
      baseIRI?: string;
      blankNodePrefix?: string;
      factory?: Factory;
    });
    /** Without `onQuad` it parses at once; throws an `Error` with `context.line`. */
    parse(text: string, callbacks: { onToken(token: Token): void }): unknown[];
  }
}
