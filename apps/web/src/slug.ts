/** Words of host and path, then the ten characters of base32 that identify the endpoint. */
const SLUG = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*-)?([a-z2-7]{10})$/;

const LONGEST_SLUG = 91;

/**
 * The endpoint id in the slug of an endpoint page.
 *
 * @returns The id, the slug's last ten characters; null when the text is not shaped like a slug at all.
 */
export function endpointIdOf(slug: string): string | null {
  return slug.length > LONGEST_SLUG ? null : (SLUG.exec(slug)?.[1] ?? null);
}
