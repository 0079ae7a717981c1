/** Pattern of a path segment that is a parameter. The notations `{userId}`, `:symbol` and `%7Bid%7D` are supported. */
const PARAMETER = /^(?:\{([^{}]+)\}|:([A-Za-z_]\w*)|%7B([^%]+)%7D)$/i;

function parseParameter(segment: string): string | null {
  const match = PARAMETER.exec(segment);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

/** Returns the parameter names of an endpoint's path, in the order of the path. */
export function parseTemplateParameters(path: string): string[] {
  return path.split('/').flatMap((segment) => parseParameter(segment) ?? []);
}

/**
 * Converts an endpoint's path to a route template such as `/users/:userId` (x402 bazaar extension, `routeTemplate`).
 */
export function toRouteTemplate(path: string): string {
  const segments = path.split('/').map((segment) => {
    const parameter = parseParameter(segment);
    return parameter === null ? segment : `:${parameter}`;
  });
  return segments.join('/');
}

/**
 * Matches a requested path against the path template of an endpoint.
 * @returns the parameter values joined by "/", or null when the path does not match
 */
export function matchTemplate(template: string, path: string): string | null {
  const segments = template.split('/');
  const parts = path.split('/');
  if (parts.length !== segments.length) return null;
  const values: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    const isParameter = parseParameter(segment) !== null;
    if (isParameter ? part === '' : part !== segment) return null;
    if (isParameter) values.push(part);
  }
  return values.join('/');
}
