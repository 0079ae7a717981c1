import { templateItem } from './path-template.ts';
import type { Resident } from './resident.ts';

/** Who answers a request. */
export interface Route {
  readonly resident: Resident;
  /** The item of a templated path; "" for every other. */
  readonly item: string;
}

export type Router = (host: string, path: string) => Route | null;

interface Site {
  readonly exact: Map<string, Route>;
  readonly templated: Resident[];
}

/** Finds the resident for a host name and a path without query; a template gives way to a literal path. */
export const createRouter = (residents: readonly Resident[]): Router => {
  const sites = new Map<string, Site>();
  for (const resident of residents) {
    const site: Site = sites.get(resident.host) ?? { exact: new Map(), templated: [] };
    sites.set(resident.host, site);
    if (resident.templated) site.templated.push(resident);
    else site.exact.set(resident.path, { resident, item: '' });
  }
  return (host, path) => {
    const site = sites.get(host);
    const exact = site?.exact.get(path);
    if (exact || !site) return exact ?? null;
    for (const resident of site.templated) {
      const item = templateItem(resident.path, path);
      if (item !== null) return { resident, item };
    }
    return null;
  };
};
