import { probe, record, type PipelineContext } from '@touchstone/pipeline';
import type { Probe, Prober } from '@touchstone/probe';
import { connect, type ClaimedEndpoint } from '@touchstone/store';
import { challengeHeaders } from './challenge.ts';

/**
 * The arguments of `record_observations` and of `keep_challenges`, in the very JSON that supabase-js sends for a batch
 * of which no challenge is stored yet.
 */
export interface RecordCall {
  readonly p_owner: string;
  readonly p_now: string;
  readonly p_rows: readonly { readonly endpointId: string; readonly challengeHash: string | null }[];
  readonly p_challenges: readonly { readonly hash: string }[];
}

/** Of a hundred endpoints 78 challenge, and the others fail in the ways that endpoints fail. */
const FAILURES = ['timeout', 'timeout', 'dns-error', 'not-found', 'server-error', 'blocked'] as const;

function failureOf(kind: number): (typeof FAILURES)[number] | null {
  return kind < 78 ? null : (FAILURES[kind % FAILURES.length] ?? null);
}

function answer(url: string): Probe {
  const kind = Number.parseInt(url.slice(-2), 36) % 100;
  const failure = failureOf(kind);
  const ms = 80 + Math.random() * 400;
  const silent = failure === 'timeout' || failure === 'dns-error';
  const status = { 'not-found': 404, 'server-error': 500, blocked: 403, timeout: null, 'dns-error': null };
  return {
    url,
    method: 'GET',
    outcome: failure ?? 'challenged',
    httpStatus: failure === null ? 402 : status[failure],
    phases: {
      resolve: 4.2,
      connect: ms / 8,
      tls: ms / 4,
      processing: silent ? null : ms / 2,
      transfer: silent ? null : 1.25,
    },
    latencyMs: silent ? null : ms,
    totalMs: ms + 2,
    headers: failure === null ? Object.entries(challengeHeaders(url, { amount: 1_000 + kind })) : [],
    body: '{}',
    bodyTruncated: false,
    remoteAddress: '203.0.113.7',
    retryAfterSeconds: null,
    failure: silent ? { phase: 'processing', code: 'ETIMEDOUT', message: 'no answer in time' } : null,
  };
}

const prober: Prober = ({ url }) => Promise.resolve(answer(url));

/** A database that only listens: it keeps what it is sent, and asks for every challenge. */
function listeningDb(heard: (call: Partial<RecordCall>) => void) {
  return connect({
    url: 'http://127.0.0.1:1',
    key: 'sb_secret_bench',
    fetch: (_, init) => {
      if (typeof init?.body !== 'string') return Promise.resolve(Response.json([]));
      // Written by supabase-js from the arguments of these very functions.
      const call = JSON.parse(init.body) as Partial<RecordCall>;
      heard(call);
      const missing = call.p_rows?.flatMap(({ challengeHash: hash }) => (hash === null ? [] : [hash]));
      return Promise.resolve(Response.json([{ recorded: 0, dropped: 0, changed: 0, missing }]));
    },
  });
}

/** What a worker would send to have claimed slots recorded, probed `at` and read by the real rules. */
export async function recordCallFor(claimed: readonly ClaimedEndpoint[], at: number): Promise<RecordCall> {
  let call: RecordCall = { p_owner: '', p_now: '', p_rows: [], p_challenges: [] };
  let tick = at;
  const context: PipelineContext = {
    db: listeningDb((heard) => (call = { ...call, ...heard, p_now: call.p_now || (heard.p_now ?? '') })),
    prober,
    directories: [],
    fetch: () => Promise.reject(new Error('a benchmark asks no directory')),
    now: () => (tick += 1),
    hostSuffix: null,
    owner: 'bench',
    onChanged: () => Promise.resolve(),
  };
  const observed = await probe(context, claimed, { inFlight: 64, perHost: 64 });
  await record(context, observed);
  if (call.p_rows.length === 0) throw new Error('nothing was recorded');
  return call;
}
