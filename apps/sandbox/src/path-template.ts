/** One segment of a listed path: a literal, or the name of a parameter. */
type Segment = { readonly literal: string } | { readonly parameter: string };

const PARAMETER = /^(?:\{([^{}]+)\}|:([A-Za-z_]\w*)|%7B([^%]+)%7D)$/i;

const segmentOf = (text: string): Segment => {
  const match = PARAMETER.exec(text);
  const parameter = match?.[1] ?? match?.[2] ?? match?.[3];
  return parameter === undefined ? { literal: text } : { parameter };
};

const segmentsOf = (path: string): Segment[] => path.split('/').map(segmentOf);

/** The parameters of a listed path such as `/users/{userId}`, `/:symbol/quote` or `/items/%7Bid%7D`, in order. */
export const templateParameters = (path: string): string[] =>
  segmentsOf(path).flatMap((segment) => ('parameter' in segment ? [segment.parameter] : []));

/** The route pattern a server declares for a listed path: `/users/:userId` (x402 bazaar extension, routeTemplate). */
export const routeTemplate = (path: string): string =>
  segmentsOf(path)
    .map((segment) => ('parameter' in segment ? `:${segment.parameter}` : segment.literal))
    .join('/');

/**
 * Tells whether a requested path is an item of a listed one, and which.
 * @returns the values of the parameters joined by "/", or null when the path is another one
 */
export const templateItem = (template: string, path: string): string | null => {
  const segments = segmentsOf(template);
  const parts = path.split('/');
  if (parts.length !== segments.length) return null;
  const item: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const part = parts[index] ?? '';
    if ('parameter' in segment && part !== '') item.push(part);
    else if (!('literal' in segment) || segment.literal !== part) return null;
  }
  return item.join('/');
};
