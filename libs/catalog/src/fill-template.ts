const placeholder = /\{([^/{}]+)\}|(?<=\/):([A-Za-z_][\w.-]*)(?=[/?]|$)/g;

/**
 * The address that a template stands for when its placeholders take the example values of its listing.
 *
 * @param resource - A canonical URL with placeholders `{name}` or `/:name`.
 * @param examples - Values by name of placeholder; they are encoded, so that none adds a segment or a parameter.
 * @returns The address, or null when a placeholder has no usable value: the literal URL cannot be probed.
 */
export function fillTemplate(resource: string, examples: ReadonlyMap<string, string>): string | null {
  const missing = new Set<string>();
  const filled = resource.replaceAll(
    placeholder,
    (_, braced: string | undefined, colon: string | undefined) => {
      const name = braced ?? colon ?? '';
      const value = examples.get(name) ?? '';
      // Dots alone would walk the path instead of naming something in it.
      if (/^\.{0,2}$/.test(value)) missing.add(name);
      return encodeURIComponent(value.toWellFormed());
    },
  );
  return missing.size === 0 ? filled : null;
}
