/** Violation of the JSON grammar that some serializers produce. */
export type JsonViolation = 'NaN' | 'Infinity' | 'a comment' | 'a trailing comma';

/** Object or list whose end was not read yet. */
interface OpenValue {
  /** Member names of an object; null for a list. */
  readonly names: Set<string> | null;
  /** Name of the current member of an object, or index of the current element of a list. */
  step: string | number;
}

/**
 * Finds the first member of a JSON text whose name occurs twice in its object. Names are compared with their escapes
 * decoded. Time and memory are linear in the length of the text at any nesting depth. Source: RFC 8259, 4.
 *
 * @param text valid JSON; for any other text the result is meaningless
 * @returns the path of the member: names, and indexes of list elements
 */
export function findDuplicateMember(text: string): readonly (string | number)[] | null {
  const open: OpenValue[] = [];
  let current: OpenValue | undefined;
  let isName = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"') {
      const end = findStringEnd(text, index);
      if (isName && current !== undefined && current.names !== null) {
        const name = decodeName(text.slice(index, end + 1));
        current.step = name;
        if (current.names.has(name)) return open.map(({ step }) => step);
        current.names.add(name);
        isName = false;
      }
      index = end;
    } else if (char === '{' || char === '[') {
      current = { names: char === '{' ? new Set() : null, step: 0 };
      open.push(current);
      isName = true;
    } else if (char === '}' || char === ']') {
      open.pop();
      current = open.at(-1);
    } else if (char === ',') {
      isName = true;
      if (typeof current?.step === 'number') current.step += 1;
    }
  }
  return null;
}

/**
 * Finds the first violation of the JSON grammar that lenient parsers accept. Ignores the contents of strings.
 *
 * @param text text that is not valid JSON
 * @returns null for any other violation, and for text that does not start with `{`
 */
export function findJsonViolation(text: string): JsonViolation | null {
  if (!text.trimStart().startsWith('{')) return null;
  let afterComma = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"') index = findStringEnd(text, index);
    else if (char === 'N' && text.startsWith('NaN', index)) return 'NaN';
    else if (char === 'I' && text.startsWith('Infinity', index)) return 'Infinity';
    else if (char === '/' && '/*'.includes(text.charAt(index + 1) || ' ')) return 'a comment';
    else if (afterComma && (char === '}' || char === ']')) return 'a trailing comma';
    if (!/\s/.test(char)) afterComma = char === ',';
  }
  return null;
}

/**
 * Returns the index of the closing quote of the string at `start`; the length of the text when the string is not
 * closed.
 */
function findStringEnd(text: string, start: number): number {
  let index = start + 1;
  while (index < text.length && text.charAt(index) !== '"') index += text.charAt(index) === '\\' ? 2 : 1;
  return Math.min(index, text.length);
}

function decodeName(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
