declare global {
  /** Values by name, one of each per process. */
  var touchstoneValues: Map<string, unknown> | undefined;
}

/**
 * Returns the value with a name, and creates it at the first call in this process. A module variable is not enough for
 * state that the proxy and the routes share, because Next may bundle a module once for each of them.
 */
export function getProcessValue<T>(name: string, create: () => T): T {
  const values = (globalThis.touchstoneValues ??= new Map());
  if (!values.has(name)) values.set(name, create());
  // Each name is used by one caller, so the stored value has the type of its `create`.
  return values.get(name) as T;
}
