/** A figure that is not what it should be. */
export interface Difference {
  /** Where it stands, as a JSONPath of RFC 9535, such as `$.components.uptime.value`. */
  readonly path: string;
  /** What is written there; undefined where nothing is. */
  readonly said: unknown;
  /** What it should be; undefined where nothing should be there. */
  readonly computed: unknown;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** A JSONPath (RFC 9535) of the member or element of a value. */
export function stepInto(path: string, step: PropertyKey): string {
  if (typeof step === 'number') return `${path}[${String(step)}]`;
  const name = String(step);
  if (PLAIN_NAME.test(name)) return `${path}.${name}`;
  return `${path}['${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
}

/**
 * Where two JSON values differ, leaf by leaf: objects by their names, whatever their order, lists element by element,
 * numbers to the last digit.
 */
export function differencesOf(path: string, said: unknown, computed: unknown): Difference[] {
  if (said === computed) return [];
  if (Array.isArray(said) && Array.isArray(computed)) {
    return Array.from({ length: Math.max(said.length, computed.length) }, (_, index) =>
      differencesOf(stepInto(path, index), said[index], computed[index]),
    ).flat();
  }
  if (!isObject(said) || !isObject(computed)) return [{ path, said, computed }];
  // What should be there comes first, in the order in which it is computed.
  const names = new Set([...Object.keys(computed), ...Object.keys(said)]);
  return [...names].flatMap((name) => differencesOf(stepInto(path, name), said[name], computed[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
