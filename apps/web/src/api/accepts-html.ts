/**
 * Returns true if the client prefers HTML to JSON. The header must name `text/html`, as the header of every browser
 * does. A wildcard or a missing header means JSON. If the header names both types, the higher quality decides (RFC
 * 9110, section 12.5.1).
 *
 * @param accept `Accept` header as received, or null.
 */
export function acceptsHtml(accept: string | null): boolean {
  const qualities = new Map<string, number>();
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    qualities.set(type, Math.max(qualities.get(type) ?? 0, parseQuality(parameters)));
  }
  const html = qualities.get('text/html') ?? 0;
  return html > 0 && html >= (qualities.get('application/json') ?? 0);
}

function parseQuality(parameters: readonly string[]): number {
  const value = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (value === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(value) ? Number(value) : 0;
}
