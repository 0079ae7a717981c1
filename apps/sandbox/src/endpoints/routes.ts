import { matchTemplate } from './path-template.ts';
import type { SimulatedEndpoint } from './simulated-endpoint.ts';

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
