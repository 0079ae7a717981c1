/**
 * Every function's: each step is a request of its own, and so has the whole of the time that the platform gives one.
 * Otherwise the SDK goes on with the next step in the same request, reporting the last one on the side.
 */
export const ONE_STEP_A_REQUEST = { checkpointing: false } as const;
