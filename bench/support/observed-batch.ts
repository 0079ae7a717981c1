import { createHash } from 'node:crypto';
import { probeWithoutRecording, recordProbes, type PipelineContext } from '@touchstone/pipeline';
import type { Probe } from '@touchstone/probe';
import { connect, type ClaimedEndpoint } from '@touchstone/store';
import { createChallengeHeaders, type ChallengeShape } from './challenge.ts';

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

function selectFailure(kind: number): (typeof FAILURES)[number] | null {
  return kind < 78 ? null : (FAILURES[kind % FAILURES.length] ?? null);
}

/** Simulates a probe of an endpoint that responds with a challenge after `ms` milliseconds. */
export function simulateChallenge(url: string, shape: ChallengeShape, ms = 250): Probe {
  return {
    url,
    method: 'GET',
    outcome: 'challenged',
    httpStatus: 402,
    phases: { resolve: 4.2, connect: ms / 8, tls: ms / 4, processing: ms / 2, transfer: 1.25 },
    latencyMs: ms,
    totalMs: ms + 2,
    headers: Object.entries(createChallengeHeaders(url, shape)),
    body: '{}',
    bodyTruncated: false,
    remoteAddress: '203.0.113.7',
    retryAfterSeconds: null,
    failure: null,
  };
}

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
  const shape = { amount: 1_000 + kind, payTo: selectWallet(new URL(url).host) };
  const probe = simulateChallenge(url, shape, 80 + Math.random() * 400);
  const failure = selectFailure(kind);
  if (failure === null) return probe;
  const hasNoResponse = failure === 'timeout' || failure === 'dns-error';
  const status = { 'not-found': 404, 'server-error': 500, blocked: 403, timeout: null, 'dns-error': null };
  return {
    ...probe,
    outcome: failure,
    httpStatus: status[failure],
    headers: [],
    ...(hasNoResponse
      ? {
          phases: { ...probe.phases, processing: null, transfer: null },
          latencyMs: null,
          failure: { phase: 'processing', code: 'ETIMEDOUT', message: 'no response in time' },
        }
      : {}),
  };
}

/**
 * Creates a database client that passes the arguments of each call to `capture`. It responds that all challenges are
 * missing in the database.
 */
function createCapturingDb(capture: (call: Partial<RecordCall>) => void) {
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
 * Returns the arguments of the database call that a worker sends after it has probed the claimed slots at the time
 * `at`. The probes are simulated by `simulate`, but the compliance rules check each challenge.
 */
export async function createRecordCall(
  claimed: readonly ClaimedEndpoint[],
  at: number,
  simulate: (url: string) => Probe = simulateProbe,
): Promise<RecordCall> {
  let call: RecordCall = { p_owner: '', p_now: '', p_rows: [], p_challenges: [] };
  let tick = at;
  const context: PipelineContext = {
    db: createCapturingDb((part) => (call = { ...call, ...part, p_now: call.p_now || (part.p_now ?? '') })),
    prober: ({ url }) => Promise.resolve(simulate(url)),
    directories: [],
    fetch: () => Promise.reject(new Error('a benchmark sends no request to a directory')),
    now: () => (tick += 1),
    hostSuffix: null,
    owner: 'bench',
    onChanged: () => Promise.resolve(),
  };
  const observed = await probeWithoutRecording(context, claimed, { inFlight: 64, perHost: 64 });
  await recordProbes(context, observed);
  if (call.p_rows.length === 0) throw new Error('no observation was recorded');
  return call;
}
