/** What some writers of JSON put into it though the grammar has no room for it. */
export type Liberty = 'NaN' | 'Infinity' | 'a comment' | 'a trailing comma';

/**
 * The first member name that one object of a JSON document has twice, escapes decoded. Takes time and memory
 * linear in the text, however deep it is nested. Source: RFC 8259, 4.
 *
 * @param text JSON that parses; of any other text the answer means nothing
 */
export function findRepeatedName(text: string): string | null {
  // One for every open object or list; a list has no names.
  const open: (Set<string> | null)[] = [];
  let names: Set<string> | null = null;
  let isName = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (mark === '"') {
      const end = endOfString(text, at);
      if (isName && names !== null) {
        const name = decodeName(text.slice(at, end + 1));
        if (names.has(name)) return name;
        names.add(name);
        isName = false;
      }
      at = end;
    } else if (mark === '{' || mark === '[') {
      names = mark === '{' ? new Set() : null;
      open.push(names);
      isName = true;
    } else if (mark === '}' || mark === ']') {
      open.pop();
      names = open.at(-1) ?? null;
    } else if (mark === ',') {
      isName = true;
    }
  }
  return null;
}

/**
 * What keeps a text from being JSON though some parsers read it: the first liberty outside of its strings.
 *
 * @param text what JSON does not parse; a text that does not even begin like an object takes no liberties
 * @returns null when it breaks the grammar in some other way
 */
export function findLiberty(text: string): Liberty | null {
  if (!text.trimStart().startsWith('{')) return null;
  let afterComma = false;
  for (let at = 0; at < text.length; at += 1) {
    const mark = text.charAt(at);
    if (mark === '"') at = endOfString(text, at);
    else if (mark === 'N' && text.startsWith('NaN', at)) return 'NaN';
    else if (mark === 'I' && text.startsWith('Infinity', at)) return 'Infinity';
    else if (mark === '/' && '/*'.includes(text.charAt(at + 1) || ' ')) return 'a comment';
    else if (afterComma && (mark === '}' || mark === ']')) return 'a trailing comma';
    if (!/\s/.test(mark)) afterComma = mark === ',';
  }
  return null;
}

/** Where the string that begins here ends; the length of the text when it never does. */
function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length && text.charAt(at) !== '"') at += text.charAt(at) === '\\' ? 2 : 1;
  return Math.min(at, text.length);
}

function decodeName(quoted: string): string {
  if (!quoted.includes('\\')) return quoted.slice(1, -1);
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted;
  }
}
