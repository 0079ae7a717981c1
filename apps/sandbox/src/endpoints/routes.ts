import { matchTemplate } from './path-template.ts';
import type { SimulatedEndpoint } from './simulated-endpoint.ts';

/** Endpoint of a request. */
export interface Route {
  readonly endpoint: SimulatedEndpoint;
  /** Parameter values of a templated path; "" for other paths. */
  readonly item: string;
}

export type Router = (host: string, path: string) => Route | null;

/** Endpoints of one host. */
interface HostRoutes {
  readonly exact: Map<string, Route>;
  readonly templated: SimulatedEndpoint[];
}

/** Creates a function that finds the endpoint of a host and a path without query. Literal paths precede templates. */
export const createRouter = (endpoints: readonly SimulatedEndpoint[]): Router => {
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
};
