/**
 * Does a client want a page rather than data? It says so by naming `text/html`, as every browser does; a program that
 * takes anything, or says nothing, gets data. Where both are named, the higher quality decides (RFC 9110, section 12.5.1).
 *
 * @param accept The `Accept` header as received, or null.
 */
export function acceptsHtml(accept: string | null): boolean {
  const qualities = new Map<string, number>();
  for (const range of (accept ?? '').split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    qualities.set(type, Math.max(qualities.get(type) ?? 0, qualityOf(parameters)));
  }
  const html = qualities.get('text/html') ?? 0;
  return html > 0 && html >= (qualities.get('application/json') ?? 0);
}

function qualityOf(parameters: readonly string[]): number {
  const written = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
  if (written === undefined) return 1;
  return /^(?:0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/.test(written) ? Number(written) : 0;
}
