import { PLACEHOLDER } from './fill-template.ts';

/** Pattern for the value of a placeholder: one non-empty path segment or query value, or a part of it. */
const VALUE = '[^/?#&]+';

/**
 * Returns true if a URL is a URL template with filled-in placeholders. The query is compared only if the template has
 * one; otherwise a URL with an additional query matches too.
 *
 * @param template - A canonical URL with placeholders `{name}` or `/:name`.
 * @param resource - A canonical URL.
 */
export function matchesTemplate(template: string, resource: string): boolean {
  const url = template.includes('?') ? resource : resource.replace(/\?.*$/s, '');
  // The pattern of a placeholder has two groups, so every third part is literal text.
  const literals = template.split(PLACEHOLDER).filter((_, index) => index % 3 === 0);
  if (literals.length < 2) return false;
  const pattern = literals.map(escapePattern).join(VALUE);
  return new RegExp(`^${pattern}$`, 's').test(url);
}

function escapePattern(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
