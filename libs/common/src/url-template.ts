/** Placeholder `{name}` or `/:name` of a canonical URL template. The capture groups contain the name. */
export const PLACEHOLDER = /\{([^/{}]+)\}|(?<=\/):([A-Za-z_][\w.-]*)(?=[/?]|$)/g;

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
  const url = template.includes('?') ? resource : removeQuery(resource);
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

/** Returns a canonical URL without its query. */
export function removeQuery(resource: string): string {
  return resource.replace(/\?.*$/s, '');
}

/** Returns true if an endpoint differs from a canonical URL only by its query or by filled-in placeholders. */
export function isRelated(
  endpoint: { readonly resource: string; readonly templated: boolean },
  resource: string,
): boolean {
  if (endpoint.resource === resource) return false;
  return endpoint.templated
    ? isFilledTemplate(endpoint.resource, resource)
    : removeQuery(endpoint.resource) === removeQuery(resource);
}
