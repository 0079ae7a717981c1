import { createLru } from './lru.ts';

interface KnownSlug {
  readonly slug: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

const MOST_SLUGS = 50_000;
const TEN_MINUTES = 10 * 60 * 1000;

/**
 * Remembers for ten minutes which endpoints exist, so that a page that is kept is answered without the database. What
 * does not exist is not remembered: strangers can make up any number of it.
 *
 * @param lookUp The slug of an endpoint by its id; null when there is no such endpoint.
 * @param now The time in milliseconds since the epoch.
 */
export function rememberSlugs(
  lookUp: (endpointId: string) => Promise<string | null>,
  now: () => number = Date.now,
): (endpointId: string) => Promise<string | null> {
  const known = createLru<KnownSlug>(MOST_SLUGS, () => 1);
  return async (endpointId) => {
    const remembered = known.get(endpointId);
    if (remembered && remembered.until > now()) return remembered.slug;
    known.delete(endpointId);
    const slug = await lookUp(endpointId);
    if (slug !== null) known.set(endpointId, { slug, until: now() + TEN_MINUTES });
    return slug;
  };
}
