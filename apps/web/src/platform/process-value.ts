declare global {
  /** Values by name. Each name has one value per process. */
  var touchstoneValues: Map<string, unknown> | undefined;
}

/**
 * Returns the stored value with a name, and creates the value at the first call in this process. State that the proxy
 * and the routes share cannot be in a module variable, because Next may bundle a module separately for the proxy and
 * for the routes.
 */
export function getProcessValue<T>(name: string, create: () => T): T {
  const values = (globalThis.touchstoneValues ??= new Map());
  if (!values.has(name)) values.set(name, create());
  // Each name is used by one caller, so the stored value has the type of this caller.
  return values.get(name) as T;
}

/**
 * Calls a function and reuses its result for `maxAgeMs` milliseconds. Concurrent and repeated calls in this process
 * share the result.
 *
 * @param name Name of the stored result.
 */
export function shareResult<T>(name: string, maxAgeMs: number, run: () => Promise<T>): Promise<T> {
  const last = getProcessValue(name, (): { at: number; result: Promise<T> | null } => ({
    at: 0,
    result: null,
  }));
  const now = performance.now();
  if (last.result !== null && now - last.at <= maxAgeMs) return last.result;
  last.at = now;
  last.result = run();
  return last.result;
}
