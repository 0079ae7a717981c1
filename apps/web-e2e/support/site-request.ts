/** Returns the URL of the service under test, without a slash at its end. */
export const getSiteUrl = (): string => process.env['TOUCHSTONE_URL'] ?? '';

/** Requests a path or URL of the service under test. Redirects are not followed. */
export const request = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(path.startsWith('/') ? `${getSiteUrl()}${path}` : path, { redirect: 'manual', ...init });

/** Requests a page as a browser does. */
export const requestPage = (path: string): Promise<Response> =>
  request(path, { headers: { accept: 'text/html' } });
