type Timer = ReturnType<typeof setTimeout>;

/** Starts a timer that does not keep a program of Node.js running. */
export function startTimer(run: () => void, ms: number): Timer {
  const timer: Timer | number = setTimeout(run, ms);
  // Timers of browsers are numbers.
  if (typeof timer === 'object') timer.unref();
  return timer;
}
