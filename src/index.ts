/** The public API of planvm, on one screen. */
export {};
