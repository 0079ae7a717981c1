/** Signals that a terminal, a supervisor or npm sends to end a program. */
const TERMINATION_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/**
 * Interval in which a repeated signal is ignored, in milliseconds. On Ctrl-C, this process gets the signal from the
 * terminal and a second time from npm.
 */
const REPEAT_INTERVAL_MS = 500;

/**
 * Listens for termination signals and reports each press of Ctrl-C once. SIGHUP, which a closed terminal sends, is
 * reported as SIGTERM, because both need the same shutdown.
 *
 * @param {(signal: NodeJS.Signals) => void} listener
 * @returns {() => void} Stops listening.
 */
export function onTerminationSignal(listener) {
  const lastAt = new Map();
  const handle = (received) => {
    const signal = received === 'SIGHUP' ? 'SIGTERM' : received;
    const now = performance.now();
    if (now - (lastAt.get(signal) ?? -Infinity) < REPEAT_INTERVAL_MS) return;
    lastAt.set(signal, now);
    listener(signal);
  };
  for (const signal of TERMINATION_SIGNALS) process.on(signal, handle);
  return () => {
    for (const signal of TERMINATION_SIGNALS) process.off(signal, handle);
  };
}
