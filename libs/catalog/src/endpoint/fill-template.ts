/** Placeholder `{name}` or `/:name` of a canonical URL template. The groups contain the name. */
export const PLACEHOLDER = /\{([^/{}]+)\}|(?<=\/):([A-Za-z_][\w.-]*)(?=[/?]|$)/g;

/**
 * Replaces the placeholders of a URL template by the example values of its directory listing.
 *
 * @param resource - A canonical URL with placeholders `{name}` or `/:name`.
 * @param examples - Values by placeholder name. They are percent-encoded, so a value cannot add a path segment or a
 *   query parameter.
 * @returns The filled URL; null when a placeholder has no usable value, so that the URL cannot be probed.
 */
export function fillTemplate(resource: string, examples: ReadonlyMap<string, string>): string | null {
  const missing = new Set<string>();
  const filled = resource.replaceAll(
    PLACEHOLDER,
    (_, braced: string | undefined, colon: string | undefined) => {
      const name = braced ?? colon ?? '';
      const value = examples.get(name) ?? '';
      // The values `.` and `..` are dot segments, which would change the path. An empty value fills nothing.
      if (/^\.{0,2}$/.test(value)) missing.add(name);
      return encodeURIComponent(value.toWellFormed());
    },
  );
  return missing.size === 0 ? filled : null;
}
