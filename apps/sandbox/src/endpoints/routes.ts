import type { SimulatedEndpoint } from './simulated-endpoint.ts';

/** Segment of an endpoint's path that is a parameter. The notations `{userId}`, `:symbol` and `%7Bid%7D` are supported. */
const PARAMETER = /^(?:\{([^{}]+)\}|:([A-Za-z_]\w*)|%7B([^%]+)%7D)$/i;

function parseParameter(segment: string): string | null {
  const match = PARAMETER.exec(segment);
  return match?.[1] ?? match?.[2] ?? match?.[3] ?? null;
}

/** Returns the parameter names of an endpoint's path, in order. */
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

/** Endpoint to which a request is routed. */
export interface Route {
  readonly endpoint: SimulatedEndpoint;
  /** Values of the path parameters, joined by "/"; "" for a path without parameters. */
  readonly item: string;
}

export type Router = (host: string, path: string) => Route | null;

/** Endpoints of one host. */
interface HostRoutes {
  readonly exact: Map<string, Route>;
  readonly templated: SimulatedEndpoint[];
}

/**
 * Creates a function that finds the endpoint for a host name and a path without query. An endpoint with exactly this
 * path is preferred to an endpoint with a matching path template.
 */
export function createRouter(endpoints: readonly SimulatedEndpoint[]): Router {
  const hosts = new Map<string, HostRoutes>();
  for (const endpoint of endpoints) {
    const routes: HostRoutes = hosts.get(endpoint.host) ?? { exact: new Map(), templated: [] };
    hosts.set(endpoint.host, routes);
    if (endpoint.isTemplated) routes.templated.push(endpoint);
    else routes.exact.set(endpoint.path, { endpoint, item: '' });
  }
  return (host, path) => {
    const routes = hosts.get(host);
    const exact = routes?.exact.get(path);
    if (exact || !routes) return exact ?? null;
    for (const endpoint of routes.templated) {
      const item = matchTemplate(endpoint.path, path);
      if (item !== null) return { endpoint, item };
    }
    return null;
  };
}
