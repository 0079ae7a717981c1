/** Difference between a report and its recomputation. */
export interface Difference {
  /** JSONPath (RFC 9535) of the value, such as `$.components.uptime.value`. */
  readonly path: string;
  /** Value in the report; undefined if the report lacks it. */
  readonly said: unknown;
  /** Recomputed value; undefined if the report should not contain the value. */
  readonly computed: unknown;
}

const PLAIN_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Appends a member name or an element index to a JSONPath (RFC 9535). */
export function appendToPath(path: string, step: PropertyKey): string {
  if (typeof step === 'number') return `${path}[${String(step)}]`;
  const name = String(step);
  if (PLAIN_NAME.test(name)) return `${path}.${name}`;
  return `${path}['${JSON.stringify(name).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}']`;
}

/**
 * Compares two JSON values, and returns one difference for each unequal leaf. Object members are matched by name, array
 * elements by index. Numbers must be equal to the last digit.
 */
export function findDifferences(path: string, said: unknown, computed: unknown): Difference[] {
  if (said === computed) return [];
  if (Array.isArray(said) && Array.isArray(computed)) {
    return Array.from({ length: Math.max(said.length, computed.length) }, (_, index) =>
      findDifferences(appendToPath(path, index), said[index], computed[index]),
    ).flat();
  }
  if (!isObject(said) || !isObject(computed)) return [{ path, said, computed }];
  // Recomputed members come first, in their order. Members that exist only in the report follow.
  const names = new Set([...Object.keys(computed), ...Object.keys(said)]);
  return [...names].flatMap((name) => findDifferences(appendToPath(path, name), said[name], computed[name]));
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
