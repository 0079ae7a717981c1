/** Violation of the JSON grammar that some serializers produce. */
export type JsonViolation = 'NaN' | 'Infinity' | 'a comment' | 'a trailing comma';

/**
 * Finds the first member name that occurs twice in one object of a JSON text. Names are compared with their escapes
 * decoded. Time and memory are linear in the length of the text at any nesting depth. Source: RFC 8259, 4.
 *
 * @param text valid JSON; for any other text the result is meaningless
 */
export function findDuplicateName(text: string): string | null {
  // Member names of each open object, and null for each open list, which has no names.
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let isName = false;
  for (let index = 0; index < text.length; index += 1) {
    const char = text.charAt(index);
    if (char === '"') {
      const end = findStringEnd(text, index);
      if (isName && names !== null) {
        const name = decodeName(text.slice(index, end + 1));
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
      index = end;
    } else if (char === '{' || char === '[') {
      names = char === '{' ? new Set() : null;
      open.push(names);
      isName = true;
    } else if (char === '}' || char === ']') {
      open.pop();
      names = open.at(-1) ?? null;
    } else if (char === ',') {
      isName = true;
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
