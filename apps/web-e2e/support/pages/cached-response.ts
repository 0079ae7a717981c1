const MAX_REQUESTS = 5;

/**
 * Repeats a request until the response comes from the page cache of the site. A page that is not cached becomes cached
 * with its first response. The service expires pages when scores change, which can happen between two requests, so one
 * repetition is not always enough.
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
