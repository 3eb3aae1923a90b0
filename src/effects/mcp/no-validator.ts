/**
 * The SDK of MCP holds data against schemas at once, where a pattern of a stranger may take for
 * ever. What does not fit a schema is for the engine to say, and no reason to lose it.
 */
const accept = (data: unknown): object => ({ valid: true, data, errorMessage: undefined });

/** The option `jsonSchemaValidator` of clients and servers. */
export const noValidator: { getValidator(): never } = { getValidator: () => accept as never };
