/** Starts a timer that does not keep a program of Node.js running. */
export function startTimer(run: () => void, ms: number): ReturnType<typeof setTimeout> {
  const timer = setTimeout(run, ms);
  releaseTimer(timer);
  return timer;
}

/** Lets a program of Node.js end before the timer. Timers of browsers are numbers. */
function releaseTimer(timer: number | { readonly unref: () => unknown }): void {
  if (typeof timer === 'object') timer.unref();
}
