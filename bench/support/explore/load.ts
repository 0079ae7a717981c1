import type { Session } from '../psql.ts';
import type { GeneratedEndpoint } from '../search/catalog.ts';
import { loadEndpoints } from '../search/load.ts';
import { createClaimGenerator } from './claims.ts';

/** Stores endpoints with generated prices, networks, figures and tags. */
export async function loadExplorable(
  session: Session,
  endpoints: readonly GeneratedEndpoint[],
): Promise<void> {
  await session.run('set synchronous_commit = off');
  await loadEndpoints((sql) => session.run(sql), endpoints, createClaimGenerator());
  await session.run('vacuum analyze');
  await session.run('set synchronous_commit = on');
}
