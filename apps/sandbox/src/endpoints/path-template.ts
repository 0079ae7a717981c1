/** Segment of the URL path under which the discovery directory lists an endpoint: literal text, or a parameter. */
type Segment = { readonly literal: string } | { readonly parameter: string };

const PARAMETER = /^(?:\{([^{}]+)\}|:([A-Za-z_]\w*)|%7B([^%]+)%7D)$/i;

function parseSegment(text: string): Segment {
  const match = PARAMETER.exec(text);
  const parameter = match?.[1] ?? match?.[2] ?? match?.[3];
  return parameter === undefined ? { literal: text } : { parameter };
}

function parseSegments(path: string): Segment[] {
  return path.split('/').map(parseSegment);
}

/**
 * Returns the parameter names of an endpoint's path, in order. The notations `/users/{userId}`, `/:symbol/quote` and
 * `/items/%7Bid%7D` are supported.
 */
export function parseTemplateParameters(path: string): string[] {
  return parseSegments(path).flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));
}

/**
 * Converts an endpoint's path to a route template such as `/users/:userId` (x402 bazaar extension, `routeTemplate`).
 */
export function toRouteTemplate(path: string): string {
  return parseSegments(path)
    .map((segment) => ('parameter' in segment ? `:${segment.parameter}` : segment.literal))
    .join('/');
}

/**
 * Matches a requested path against the path template of an endpoint.
 * @returns the parameter values joined by "/", or null when the path does not match
 */
export function matchTemplate(template: string, path: string): string | null {
  const segments = parseSegments(template);
  const parts = path.split('/');
  if (parts.length !== segments.length) return null;
  const values: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if ('parameter' in segment && part !== '') values.push(part);
    else if (!('literal' in segment) || segment.literal !== part) return null;
  }
  return values.join('/');
}
