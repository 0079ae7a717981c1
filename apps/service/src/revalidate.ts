const TAGS_AT_ONCE = 128;

/** Tells the site which pages to make anew, at most 128 tags a request. */
export function createRevalidator(origin: string, token: string) {
  return async (endpointIds: readonly string[]): Promise<void> => {
    const tags = ['leaderboard', 'ecosystem', ...endpointIds.map((id) => `endpoint:${id}`)];
    for (let start = 0; start < tags.length; start += TAGS_AT_ONCE) {
      const answer = await fetch(new URL('/api/internal/revalidate', origin), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags: tags.slice(start, start + TAGS_AT_ONCE) }),
      });
      if (!answer.ok) throw new Error(`The site answered ${answer.status} when it was told what changed`);
    }
  };
}
