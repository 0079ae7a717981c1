import { toJson } from './json.ts';
import { unwrap, type Db } from './client.ts';
import { isoTime } from './time.ts';
import type { PayOn } from './snapshot.ts';

/** One endpoint as a directory lists it. */
export interface ListedEndpoint {
  readonly id: string;
  readonly resource: string;
  /** What is probed; null for a template without example values. */
  readonly probeUrl: string | null;
  readonly host: string;
  readonly slug: string;
  readonly templated: boolean;
  readonly serviceName: string | null;
  readonly description: string | null;
  readonly method: string | null;
  readonly options: readonly PayOn[];
  readonly version: 1 | 2 | null;
  readonly intervalSeconds: number;
  readonly offsetSeconds: number;
  /** False for an endpoint that is catalogued but not probed. */
  readonly scheduled: boolean;
}

export interface DiscoveryCounts {
  readonly items: number;
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly resource: string; readonly reason: string }[];
  /** Why the run is not complete; null when it is. */
  readonly note: string | null;
}

/** Begins a discovery run of one directory and returns its id. */
export async function startDiscovery(db: Db, directory: string, at: number): Promise<number> {
  const answer = await db.rpc('start_discovery', { p_directory: directory, p_at: isoTime(at) });
  return unwrap('begin a discovery run', answer);
}

/** Records listed endpoints: new ones are catalogued and scheduled, delisted ones come back. */
export async function recordListings(
  db: Db,
  run: { readonly id: number; readonly at: number },
  endpoints: readonly ListedEndpoint[],
): Promise<{ listed: number; relisted: number }> {
  const answer = await db.rpc('record_listings', {
    p_run_id: run.id,
    p_at: isoTime(run.at),
    p_items: toJson(endpoints),
  });
  const [counts] = unwrap('record listings', answer);
  return counts ?? { listed: 0, relisted: 0 };
}

/**
 * Ends a run; a complete one delists what two runs in a row did not see. The answer says whether it counted as
 * complete: one that shrank too much does not.
 */
export async function finishDiscovery(
  db: Db,
  run: { readonly id: number; readonly at: number; readonly complete: boolean },
  counts: DiscoveryCounts,
): Promise<{ complete: boolean; delisted: number; note: string | null }> {
  const answer = await db.rpc('finish_discovery', {
    p_run_id: run.id,
    p_at: isoTime(run.at),
    p_complete: run.complete,
    p_counts: toJson(counts),
  });
  const [outcome] = unwrap('finish a discovery run', answer);
  return outcome ?? { complete: false, delisted: 0, note: null };
}
