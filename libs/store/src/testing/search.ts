import { HOUR_MS } from '@touchstone/common';
import { saveEmbeddings, saveSnapshots, type SnapshotRow } from '../index.ts';
import { makeEndpoint, makeSnapshotRow, T0, type TestDatabase } from './fixtures.ts';

export const MODEL = 'test/space';

/** Endpoint for tests of the search. `vector` has the first dimensions; the other dimensions are 0. */
export interface SearchableEndpoint {
  readonly id: string;
  readonly score?: number;
  readonly public?: boolean;
  /** Name of the text; by default each endpoint has its own text. */
  readonly text?: string;
  readonly described?: boolean;
  readonly tags?: readonly string[];
  /** Embedding of the text; null if it is not embedded. */
  readonly vector?: readonly number[] | null;
  /** Job of the text; `job` by default. */
  readonly job?: string | null;
  readonly snapshot?: Partial<SnapshotRow['snapshot']>;
}

export function makeVector(start: readonly number[]): readonly number[] {
  return Array.from({ length: 384 }, (_, i) => start[i] ?? 0);
}

/** Deletes all endpoints and texts, and stores these endpoints with their embeddings. */
export async function storeEndpoints(
  database: TestDatabase,
  endpoints: readonly SearchableEndpoint[],
  now = T0,
): Promise<void> {
  await database.connection.driver.exec(
    'truncate public.endpoints, public.search_texts, public.search_words cascade',
  );
  await addEndpoints(database, endpoints, now);
}

/** Stores endpoints with their embeddings, in addition to the stored endpoints. */
export async function addEndpoints(
  database: TestDatabase,
  endpoints: readonly SearchableEndpoint[],
  now = T0,
): Promise<void> {
  await database.discoverPartly(
    `directory ${String(endpoints[0]?.id)} ${String(now)}`,
    now,
    endpoints.map(({ id, snapshot, tags = [] }) =>
      makeEndpoint(id, {
        tags,
        ...(snapshot?.resource === undefined ? {} : { resource: snapshot.resource }),
      }),
    ),
  );
  await saveSnapshots(database.db, now + HOUR_MS, endpoints.map(toRow));
  const texts = new Map(endpoints.map((endpoint) => [getTextHash(endpoint), endpoint]));
  await saveEmbeddings(database.db, {
    model: MODEL,
    embeddings: [...texts].flatMap(([textHash, { vector, job = 'job' }]) =>
      vector ? [{ textHash, embedding: makeVector(vector), job }] : [],
    ),
  });
}

/**
 * Replaces texts in the definition of an SQL function, such as limits, so that a test needs only a few rows.
 * @returns a function that restores the definition
 */
export async function changeFunction(
  { connection: { driver } }: TestDatabase,
  name: string,
  replacements: Readonly<Record<string, string>>,
): Promise<() => Promise<void>> {
  const { rows } = await driver.query<{ sql: string }>(
    `select pg_get_functiondef('${name}'::regproc) as sql`,
  );
  const original = rows[0]?.sql ?? '';
  let changed = original;
  for (const [from, to] of Object.entries(replacements)) {
    if (!changed.includes(from)) throw new Error(`${name} does not contain ${from}.`);
    changed = changed.replaceAll(from, to);
  }
  await driver.exec(changed);
  return async () => {
    await driver.exec(original);
  };
}

function getTextHash({ id, text = id }: SearchableEndpoint): string {
  return `hash of ${text}`;
}

export function toRow(endpoint: SearchableEndpoint): SnapshotRow {
  const { id, score = 50, described = false, snapshot = {} } = endpoint;
  const textHash = getTextHash(endpoint);
  const search = { text: `text of ${textHash}`, textHash, described };
  return makeSnapshotRow(id, score, { public: endpoint.public ?? true, search, snapshot });
}

/** Methods to find the nearest texts: compare all texts, or use the index. */
export const SCANS = ['exact', 'index'] as const;

/** Sets how the nearest texts are found, independent of their number. */
export async function selectScan(database: TestDatabase, scan: (typeof SCANS)[number]): Promise<void> {
  await database.connection.driver.exec(`
    create or replace function internal.max_exact_texts() returns integer language sql immutable
    set search_path = '' as $$ select ${scan === 'exact' ? '1000000' : '0'} $$`);
}
