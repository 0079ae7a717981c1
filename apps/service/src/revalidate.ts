const TAGS_AT_ONCE = 128;

/**
 * Tells the site which pages to make anew, at most 128 tags a request. What could not be told is told the next time.
 * @throws when the site does not take it.
 */
export function createRevalidator(origin: string, token: string) {
  const waiting = new Set<string>();
  return async (endpointIds: readonly string[]): Promise<void> => {
    for (const id of endpointIds) waiting.add(`endpoint:${id}`);
    if (waiting.size === 0) return;
    const tags = [...waiting];
    for (let start = 0; start < tags.length; start += TAGS_AT_ONCE - 2) {
      const part = tags.slice(start, start + TAGS_AT_ONCE - 2);
      const answer = await fetch(new URL('/api/internal/revalidate', origin), {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ tags: ['leaderboard', 'ecosystem', ...part] }),
      });
      if (!answer.ok) throw new Error(`The site answered ${answer.status} when it was told what changed`);
      for (const tag of part) waiting.delete(tag);
    }
  };
}
