/** What a terminal, a supervisor or npm sends to end a program. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'];

/** npm passes a Ctrl-C on although the terminal has sent it already; these milliseconds tell one press from two. */
const sameSignalMs = 500;

/**
 * Listens to the signals that end a program, each press of Ctrl-C once. A closed terminal (SIGHUP) is told as SIGTERM:
 * it deserves the same orderly end.
 *
 * @param {(signal: NodeJS.Signals) => void} listener
 * @returns {() => void} Stops listening.
 */
export function onEnding(listener) {
  const lastAt = new Map();
  const handle = (received) => {
    const signal = received === 'SIGHUP' ? 'SIGTERM' : received;
    const now = performance.now();
    if (now - (lastAt.get(signal) ?? -Infinity) < sameSignalMs) return;
    lastAt.set(signal, now);
    listener(signal);
  };
  for (const signal of endings) process.on(signal, handle);
  return () => {
    for (const signal of endings) process.off(signal, handle);
  };
}
