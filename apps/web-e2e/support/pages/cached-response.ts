const MAX_REQUESTS = 5;

/**
 * Repeats a request until the response comes from the page cache of the site. The first response for a page is stored
 * in the cache. Two requests may not be enough, because the service expires pages when scores change.
 *
 * @throws Error if none of five responses comes from the cache.
 */
export async function requestUntilCached(send: () => Promise<Response>): Promise<Response> {
  const states: (string | null)[] = [];
  while (states.length < MAX_REQUESTS) {
    const response = await send();
    const state = response.headers.get('x-nextjs-cache');
    if (state === 'HIT') return response;
    states.push(state);
  }
  throw new Error(`No response came from the page cache. The cache states are: ${states.join(', ')}`);
}
