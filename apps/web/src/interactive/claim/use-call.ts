import { useState } from 'react';

/** State of a call that a button or form sends. */
export interface CallState {
  readonly isRunning: boolean;
  /** Reason why the last call failed; null otherwise. */
  readonly failure: string | null;
  /** True if the last call succeeded, and nothing was sent since. */
  readonly isDone: boolean;
}

const IDLE: CallState = { isRunning: false, failure: null, isDone: false };

/** Returns the state of calls, and a function that runs a call unless another one runs. */
export function useCall(): CallState & { readonly run: (call: () => Promise<void>) => Promise<void> } {
  const [state, setState] = useState(IDLE);
  const run = async (call: () => Promise<void>): Promise<void> => {
    if (state.isRunning) return;
    setState({ ...IDLE, isRunning: true });
    try {
      await call();
      setState({ ...IDLE, isDone: true });
    } catch (error) {
      setState({ ...IDLE, failure: error instanceof Error ? error.message : String(error) });
    }
  };
  return { ...state, run };
}
