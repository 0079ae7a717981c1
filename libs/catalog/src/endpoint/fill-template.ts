import { decodePercent } from '@touchstone/x402/json';

/** Placeholder `{name}` or `/:name` of a canonical URL template. The capture groups contain the name. */
const PLACEHOLDER = /\{([^/{}]+)\}|(?<=\/):([A-Za-z_][\w.-]*)(?=[/?]|$)/g;

/**
 * Replaces the placeholders of a URL template by the example values of its directory listing.
 *
 * @param resource - A canonical URL with placeholders `{name}` or `/:name`.
 * @param examples - Values by placeholder name, with or without percent-encoding: the reference SDK copies segments of
 *   paths as they are. In the filled URL the values are percent-encoded, so a value cannot add a path segment or a query
 *   parameter.
 * @returns The filled URL; null when a placeholder has no usable value, so that the URL cannot be probed.
 */
export function fillTemplate(resource: string, examples: ReadonlyMap<string, string>): string | null {
  const missing = new Set<string>();
  const filled = resource.replaceAll(
    PLACEHOLDER,
    (_, braced: string | undefined, colon: string | undefined) => {
      const name = braced ?? colon ?? '';
      const example = examples.get(name) ?? '';
      // The percent signs of a value that cannot be decoded are ordinary characters.
      const value = decodePercent(example) ?? example;
      if (!isUsable(value, name)) missing.add(name);
      return encodeURIComponent(value.toWellFormed());
    },
  );
  return missing.size === 0 ? filled : null;
}

/** Returns false for an empty value, for the dot segments `.` and `..`, and for a placeholder in place of an example. */
function isUsable(value: string, name: string): boolean {
  if (value === `<${name}>` || value === `[${name}]`) return false;
  return !/^(\.{0,2}|\{+[\w.:+*~-]+\}+|:[A-Za-z_][\w.-]*)$/.test(value);
}

/** Characters that end the value of a placeholder: a value is a part of one path segment or of one query value. */
const DELIMITER = /[/?#&]/;

/**
 * Returns true if a URL is a URL template with filled-in placeholders. The query is compared only if the template has a
 * query; otherwise a URL with an additional query matches too.
 *
 * The text is compared step by step instead of with a regular expression, because an expression made from an untrusted
 * template could run for a very long time. The time is proportional to the length of both texts. For each literal part
 * (text between two placeholders), the first occurrence suffices: a value ends before the next delimiter, so all
 * occurrences are in one segment.
 *
 * @param template - A canonical URL with placeholders `{name}` or `/:name`.
 * @param resource - A canonical URL.
 */
export function isFilledTemplate(template: string, resource: string): boolean {
  const url = template.includes('?') ? resource : resource.replace(/\?.*$/s, '');
  // The pattern of a placeholder has two groups, so every third part is literal text.
  const [head = '', ...literals] = template.split(PLACEHOLDER).filter((_, index) => index % 3 === 0);
  const tail = literals.pop();
  if (tail === undefined || !url.startsWith(head)) return false;
  let end = head.length;
  for (const literal of literals) {
    // Each value has at least one character.
    const start = url.indexOf(literal, end + 1);
    if (start === -1 || DELIMITER.test(url.slice(end, start))) return false;
    end = start + literal.length;
  }
  const last = url.length - tail.length;
  return url.endsWith(tail) && last > end && !DELIMITER.test(url.slice(end, last));
}
