/**
 * What the pure layers may use beyond the language itself: things that Node and every browser have
 * and that are functions of their arguments. Only tsconfig.pure.json reads this file.
 */
declare class TextEncoder {
  encode(input?: string): Uint8Array<ArrayBuffer>;
}

declare class TextDecoder {
  constructor(label?: string, options?: { fatal?: boolean; ignoreBOM?: boolean });
  decode(input?: Uint8Array): string;
}
