/** Maximum number of cache tags per request of the site's internal route. */
const MAX_TAGS = 128;

/**
 * Creates a function that makes the site render the pages with the given cache tags again. It sends at most 128 tags per
 * request. Tags of a failed request are sent again with the next call.
 *
 * @returns a function that throws when the site rejects a request
 */
export function createRevalidator(origin: string, token: string) {
  const pending = new Set<string>();
  return async (changed: readonly string[]): Promise<void> => {
    for (const tag of changed) pending.add(tag);
    const tags = [...pending];
    for (let start = 0; start < tags.length; start += MAX_TAGS) {
      const part = tags.slice(start, start + MAX_TAGS);
      const response = await fetch(new URL('/api/internal/revalidate', origin), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags: part }),
      });
      if (!response.ok)
        throw new Error(`The site responded with ${response.status} to a request to revalidate pages.`);
      for (const tag of part) pending.delete(tag);
    }
  };
}
