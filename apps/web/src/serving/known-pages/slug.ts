/** Pattern of a slug: words from the host and the path of a URL, then the endpoint id of ten base32 characters. */
const SLUG_PATTERN = /^(?:[a-z0-9]+(?:-[a-z0-9]+)*-)?([a-z2-7]{10})$/;

const MAX_SLUG_LENGTH = 91;

/**
 * Parses the endpoint id from the slug of an endpoint page.
 *
 * @returns The endpoint id, which is the last ten characters of the slug; null if the slug is invalid.
 */
export function parseEndpointId(slug: string): string | null {
  return slug.length > MAX_SLUG_LENGTH ? null : (SLUG_PATTERN.exec(slug)?.[1] ?? null);
}

/** Detail of the error for the summary of an unknown endpoint. */
export const UNKNOWN_SLUG =
  'No endpoint in the catalog has this slug. Use GET /v1/x402-summary with the URL of the endpoint.';
