/** A URL, or null where the text is none. */
export function parseUrl(value: unknown): URL | null {
  return typeof value === 'string' ? URL.parse(value) : null;
}

/**
 * True when an advertised resource URL names what was requested: same origin and path, the query left aside,
 * a slash at the end of no account.
 *
 * @param advertised URL of the envelope
 * @param requested URL that was asked
 * @param template route template of the discovery extension, as in `/users/:id`; a segment with a colon stands for any
 */
export function namesRequest(advertised: URL, requested: URL, template: string | null): boolean {
  if (advertised.origin !== requested.origin) return false;
  if (segments(advertised.pathname).join('/') === segments(requested.pathname).join('/')) return true;
  return template !== null && fits(template, requested.pathname) && fits(template, advertised.pathname);
}

function fits(template: string, path: string): boolean {
  const wanted = segments(template);
  const given = segments(path);
  return (
    wanted.length === given.length && wanted.every((part, at) => part.startsWith(':') || part === given[at])
  );
}

function segments(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
