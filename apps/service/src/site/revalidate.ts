/** Maximum number of cache tags per request of the site's internal route. */
const MAX_TAGS = 128;
/** Tags of pages that show several endpoints. They are sent with every request. */
const SHARED_TAGS = ['leaderboard', 'ecosystem'];

/**
 * Creates a function that makes the site render the pages of endpoints again. It sends at most 128 cache tags per
 * request. Tags of a failed request are sent again with the next call.
 *
 * @returns a function that throws when the site rejects a request
 */
export function createRevalidator(origin: string, token: string) {
  const pending = new Set<string>();
  return async (endpointIds: readonly string[]): Promise<void> => {
    for (const id of endpointIds) pending.add(`endpoint:${id}`);
    if (pending.size === 0) return;
    const tags = [...pending];
    const perRequest = MAX_TAGS - SHARED_TAGS.length;
    for (let start = 0; start < tags.length; start += perRequest) {
      const part = tags.slice(start, start + perRequest);
      const response = await fetch(new URL('/api/internal/revalidate', origin), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags: [...SHARED_TAGS, ...part] }),
      });
      if (!response.ok)
        throw new Error(`The site responded with ${response.status} to a request to revalidate pages.`);
      for (const tag of part) pending.delete(tag);
    }
  };
}
