import { PLACEHOLDER } from '@touchstone/common';
import { decodePercent } from '@touchstone/x402/json';

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
