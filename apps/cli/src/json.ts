const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Parses JSON and rejects duplicate names in an object. Of two members with the same name, JSON.parse keeps the last
 * and other parsers keep the first. So a report with two scores could be valid here and show the other score elsewhere.
 *
 * @throws SyntaxError for invalid JSON or a duplicate name
 */
export function parseStrict(text: string): unknown {
  const json: unknown = JSON.parse(text);
  if (countColons(text) !== countMembers(json))
    throw new SyntaxError('an object contains the same name twice, which parsers interpret differently');
  return json;
}

/** Counts the colons outside of strings. Each such colon separates the name and the value of one member. */
function countColons(text: string): number {
  let count = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) isInString = !isInString;
    else if (isInString && unit === BACKSLASH) index += 1;
    else if (!isInString && unit === COLON) count += 1;
  }
  return count;
}

/** Counts the members of all objects in a value. Uses a stack, because deep nesting would overflow a recursion. */
function countMembers(json: unknown): number {
  let count = 0;
  const stack: unknown[] = [json];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value !== 'object' || value === null) continue;
    const children: readonly unknown[] = Object.values(value);
    if (!Array.isArray(value)) count += children.length;
    for (const child of children) stack.push(child);
  }
  return count;
}

/** Parses JSON. Returns undefined for invalid JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns true for a JSON object: neither an array nor null. */
export function isJsonObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Parses JSON. Returns null for invalid JSON, and for duplicate names, which other parsers could read differently. */
export function parseOrNull(text: string): unknown {
  try {
    return parseStrict(text);
  } catch {
    return null;
  }
}
