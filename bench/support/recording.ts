import { createHash } from 'node:crypto';
import { probeWithoutRecording, recordProbes, type PipelineContext } from '@touchstone/pipeline';
import type { Probe } from '@touchstone/probe';
import { connect, type ClaimedEndpoint, type Db } from '@touchstone/store';
import { createChallengeHeaders } from './challenge.ts';
import { sum } from './figures.ts';
import { quoteSql, type Session, type TimedResult } from './postgres.ts';

/**
 * Arguments of the SQL functions `record_observations` and `store_challenges` for one batch, in the JSON that
 * supabase-js sends. The database does not yet contain the challenges of the batch.
 */
export interface RecordCall {
  readonly p_owner: string;
  readonly p_now: string;
  readonly p_rows: readonly { readonly endpointId: string; readonly challengeHash: string | null }[];
  readonly p_challenges: readonly { readonly hash: string }[];
}

/** Probe outcomes of failing endpoints. Of all endpoints, 22 % fail and 78 % respond with a challenge. */
const FAILURES = ['timeout', 'timeout', 'dns-error', 'not-found', 'server-error', 'blocked'] as const;
const STATUSES = { 'not-found': 404, 'server-error': 500, blocked: 403, timeout: null, 'dns-error': null };

/**
 * Returns the wallet of a host. About a third of the hosts share wallets, as in the public listings: one of 20 hosts has the
 * wallet of a platform, and six of 20 share wallets in groups of at most three.
 */
function selectWallet(host: string): string {
  const number = Number(/\d+/.exec(host)?.[0] ?? 0);
  const share = number % 20;
  const owner = share === 0 ? 'platform' : share <= 6 ? `group${String(Math.floor(number / 3))}` : host;
  return `0x${createHash('sha256').update(owner).digest('hex').slice(0, 40)}`;
}

/** Simulates a probe. The last characters of the URL determine if the endpoint fails. */
function simulateProbe(url: string): Probe {
  const kind = Number.parseInt(url.slice(-2), 36) % 100;
  const ms = 80 + Math.random() * 400;
  const headers = createChallengeHeaders(url, {
    amount: 1_000 + kind,
    payTo: selectWallet(new URL(url).host),
  });
  const probe: Probe = {
    url,
    method: 'GET',
    outcome: 'challenged',
    httpStatus: 402,
    phases: { resolve: 4.2, connect: ms / 8, tls: ms / 4, processing: ms / 2, transfer: 1.25 },
    latencyMs: ms,
    totalMs: ms + 2,
    headers: Object.entries(headers),
    body: '{}',
    bodyEnd: 'complete',
    redirects: [],
    interimStatuses: [],
    declaredMethod: null,
    remoteAddress: '203.0.113.7',
    retryAfterSeconds: null,
    failure: null,
  };
  const outcome = kind < 78 ? undefined : FAILURES[kind % FAILURES.length];
  if (outcome === undefined) return probe;
  const failed = { ...probe, outcome, httpStatus: STATUSES[outcome], headers: [] };
  if (STATUSES[outcome] !== null) return failed;
  return {
    ...failed,
    phases: { ...probe.phases, processing: null, transfer: null },
    latencyMs: null,
    failure: { phase: 'processing', code: 'ETIMEDOUT', message: 'no response in time' },
  };
}

/** Returns a context for a job that does not send requests. */
export function createContext(db: Db, now: () => number): PipelineContext {
  return {
    db,
    prober: ({ url }) => Promise.resolve(simulateProbe(url)),
    directories: [],
    fetch: () => Promise.reject(new Error('a benchmark sends no request to a directory')),
    now,
    hostSuffix: null,
    owner: 'bench',
    onChanged: () => Promise.resolve(),
  };
}

/**
 * Creates a database client that passes the arguments of each call to `capture`. It responds that all challenges are
 * missing in the database.
 */
function createCapturingDb(capture: (call: Partial<RecordCall>) => void): Db {
  return connect({
    url: 'http://127.0.0.1:1',
    key: 'sb_secret_bench',
    fetch: (_, init) => {
      if (typeof init?.body !== 'string') return Promise.resolve(Response.json([]));
      // The type is safe, because supabase-js wrote this JSON from the arguments of the two SQL functions.
      const call = JSON.parse(init.body) as Partial<RecordCall>;
      capture(call);
      const missing = call.p_rows?.flatMap(({ challengeHash: hash }) => (hash === null ? [] : [hash]));
      return Promise.resolve(Response.json([{ recorded: 0, dropped: 0, changed: 0, missing }]));
    },
  });
}

/**
 * Returns the arguments of the database call with which a worker records its probes at the time `at`. The probes are
 * simulated, but the compliance rules check each challenge.
 */
export async function createRecordCall(claimed: readonly ClaimedEndpoint[], at: number): Promise<RecordCall> {
  let call: RecordCall = { p_owner: '', p_now: '', p_rows: [], p_challenges: [] };
  let tick = at;
  const db = createCapturingDb(
    (part) => (call = { ...call, ...part, p_now: call.p_now || (part.p_now ?? '') }),
  );
  const context = createContext(db, () => (tick += 1));
  await recordProbes(context, await probeWithoutRecording(context, claimed, { inFlight: 64, perHost: 64 }));
  if (call.p_rows.length === 0) throw new Error('no observation was recorded');
  return call;
}

/**
 * Runs the SQL statements that record one batch of probe results, in the same order as libs/store. The first statement
 * returns the missing challenges. The second statement stores these challenges.
 */
export async function sendRecording<Result>(
  send: (sql: string) => Promise<Result>,
  read: (result: Result) => string,
  { p_owner: owner, p_now: now, p_rows: rows, p_challenges: challenges }: RecordCall,
): Promise<readonly Result[]> {
  const first = await send(
    `select recorded, dropped, array_to_string(missing, ',') from public.record_observations(` +
      `${quoteSql(owner)}, ${quoteSql(now)}, ${quoteSql(JSON.stringify(rows))}::jsonb)`,
  );
  const [recorded, dropped, missing = ''] = read(first).trim().split('|');
  if (Number(recorded) !== rows.length || dropped !== '0')
    throw new Error(`some observations were not recorded: ${read(first)}`);
  const missingHashes = new Set(missing.split(','));
  const stored = challenges.filter(({ hash }) => missingHashes.has(hash));
  if (stored.length === 0) return [first];
  const json = quoteSql(JSON.stringify(stored));
  return [first, await send(`select public.store_challenges(${quoteSql(now)}, ${json}::jsonb)`)];
}

/** Records one batch of probe results and measures the duration. */
export async function timeRecording(session: Session, call: RecordCall): Promise<TimedResult> {
  const timings = await sendRecording(session.time, ({ output }) => output, call);
  return {
    ms: sum(timings.map(({ ms }) => ms)),
    cpuMs: sum(timings.map(({ cpuMs }) => cpuMs)),
    output: timings[0]?.output ?? '',
  };
}
