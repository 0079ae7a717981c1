const PLACEHOLDER = /\{([^/{}]+)\}|(?<=\/):([A-Za-z_][\w.-]*)(?=[/?]|$)/g;

/**
 * Fills the placeholders of a template with the example values of its listing.
 *
 * @param resource - A canonical URL with placeholders `{name}` or `/:name`.
 * @param examples - Values by placeholder name. They are encoded, so that none adds a path segment or a parameter.
 * @returns The filled URL; null when a placeholder has no usable value, because then the URL cannot be probed.
 */
export function fillTemplate(resource: string, examples: ReadonlyMap<string, string>): string | null {
  const missing = new Set<string>();
  const filled = resource.replaceAll(
    PLACEHOLDER,
    (_, braced: string | undefined, colon: string | undefined) => {
      const name = braced ?? colon ?? '';
      const value = examples.get(name) ?? '';
      // `.` and `..` are dot segments: they would change the path.
      if (/^\.{0,2}$/.test(value)) missing.add(name);
      return encodeURIComponent(value.toWellFormed());
    },
  );
  return missing.size === 0 ? filled : null;
}
