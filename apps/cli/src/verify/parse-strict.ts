const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COLON = 0x3a;

/**
 * Parses JSON in which no object holds a name twice. Of two members of one name this parser keeps the last, and others
 * the first: a report that shows them different scores could be signed and honest here, and read as another there.
 *
 * @throws SyntaxError when it is no JSON, or a name occurs twice
 */
export function parseStrict(text: string): unknown {
  const json: unknown = JSON.parse(text);
  if (colonsIn(text) !== membersOf(json))
    throw new SyntaxError('an object holds the same name twice, which readers take differently');
  return json;
}

/** In JSON, every colon outside of a text belongs to one member. */
function colonsIn(text: string): number {
  let count = 0;
  let isText = false;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === QUOTE) isText = !isText;
    else if (isText && unit === BACKSLASH) index += 1;
    else if (!isText && unit === COLON) count += 1;
  }
  return count;
}

/** Members of all objects in a value, with a list in place of recursion, which deep nesting would break. */
function membersOf(json: unknown): number {
  let count = 0;
  const open: unknown[] = [json];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value !== 'object' || value === null) continue;
    const children: readonly unknown[] = Object.values(value);
    if (!Array.isArray(value)) count += children.length;
    for (const child of children) open.push(child);
  }
  return count;
}
