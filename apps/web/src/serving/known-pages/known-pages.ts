import { RATE_POLICIES } from '@touchstone/contract';
import { readPageNames, type PageKind } from '@touchstone/store';
import { getClientPolicy } from '../../api/rate-limit/limiters.ts';
import { createProcessCounter } from '../../api/rate-limit/process-counter.ts';
import { getSecretDatabase } from '../../platform/database/secret-database.ts';
import { getProcessValue } from '../../platform/process-value.ts';
import { createKnownNames, type KnownNames, type ReadNames } from './known-names.ts';
import { createPageGuard, type Lookup, type PageQuery } from './page-guard.ts';

const openKnownPages = () => {
  const counter = createProcessCounter(Date.now);
  const open = (kind: PageKind) => {
    const names = createKnownNames({ read: createRead(kind), now: Date.now });
    const getPolicy = (client: string) => getClientPolicy(RATE_POLICIES.unknownPage, client);
    return { names, guard: createPageGuard({ kind, names, counter, getPolicy, now: Date.now }) };
  };
  return { endpoint: open('endpoint'), host: open('host') };
};

/**
 * Creates the function that reads the names. A serverless instance reads none, because it would read all of them again at
 * each start.
 */
function createRead(kind: PageKind): ReadNames {
  if (process.env['VERCEL'] === '1') return () => Promise.reject(new Error('no names are kept on Vercel'));
  return (after, limit) => readPageNames(getSecretDatabase(), { kind, after, limit });
}

/** Returns the known pages of this process. The proxy and the routes share them. */
const getKnownPages = () => getProcessValue('known-pages', openKnownPages);

/** Reads the names of all pages in the background, so that the first requests need no queries for unknown pages. */
export function loadKnownPages(): void {
  for (const { names } of Object.values(getKnownPages())) void names.load();
}

/** Finds the data of an endpoint by its id, within the limits for unknown pages. */
export function findEndpoint<T>(query: PageQuery<T>): Promise<Lookup<T>> {
  return getKnownPages().endpoint.guard(query);
}

/** Finds the data of a provider by its host, within the limits for unknown pages. */
export function findProvider<T>(query: PageQuery<T>): Promise<Lookup<T>> {
  return getKnownPages().host.guard(query);
}

const PREFIXES: readonly (readonly [string, (pages: ReturnType<typeof openKnownPages>) => KnownNames])[] = [
  ['endpoint:', ({ endpoint }) => endpoint.names],
  ['provider:', ({ host }) => host.names],
];

/** Adds the pages with the given cache tags, so that a page that was just added is found at once. */
export function addTaggedPages(tags: readonly string[]): void {
  const pages = getKnownPages();
  for (const tag of tags) {
    for (const [prefix, getNames] of PREFIXES) {
      if (tag.startsWith(prefix)) getNames(pages).add(tag.slice(prefix.length));
    }
  }
}
