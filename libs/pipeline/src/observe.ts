import { createHash } from 'node:crypto';
import { isUp, type Probe } from '@touchstone/probe';
import type { ClaimedEndpoint, Observation, StoredChallenge } from '@touchstone/store';
import { bucketOf } from '@touchstone/trust';
import { readChallenge, type Challenge } from '@touchstone/x402';
import { mainOption, toPayOn, toTerms } from './terms.ts';

export interface Observed {
  readonly observation: Observation;
  readonly challenge: StoredChallenge | null;
}

/** What was asked: a claimed slot, or an endpoint outside the schedule. */
type Asked = Pick<ClaimedEndpoint, 'endpointId'> & Pick<Observation, 'slotAt'>;

/**
 * What one probe says: an observation to record, and the challenge it saw.
 * @param at when the probe started, milliseconds since the epoch
 */
export function observe(asked: Asked, probe: Probe, at: number): Observed {
  const challenge = challengeOf(probe);
  const stored = challenge && storeChallenge(challenge);
  const vitality = isUp(probe.outcome);
  const options = challenge?.options ?? [];
  return {
    challenge: stored,
    observation: {
      endpointId: asked.endpointId,
      slotAt: asked.slotAt,
      at,
      outcome: probe.outcome,
      vitality,
      excluded: probe.outcome === 'self-failure',
      httpStatus: probe.httpStatus,
      method: probe.method,
      latencyMs: probe.latencyMs,
      ...phases(probe),
      // Only an endpoint that answered as itself has a latency that says something about it.
      bucket: vitality === 'up' && probe.latencyMs !== null ? bucketOf(probe.latencyMs) : null,
      compliance: challenge === null || challenge.verdict === 'undetermined' ? null : challenge.verdict,
      challengeHash: stored?.hash ?? null,
      terms: challenge && toTerms(challenge),
      amountUsd: mainOption(options.map(toPayOn))?.amountUsd ?? null,
      failure: probe.failure && `${probe.failure.phase} ${probe.failure.code}`,
    },
  };
}

/** The challenge of an answer; null where it is none. */
export function challengeOf(probe: Probe): Challenge | null {
  return probe.outcome === 'challenged' ? readChallenge(toResponse(probe)) : null;
}

function phases({ phases: took }: Probe) {
  return {
    resolveMs: took.resolve,
    connectMs: took.connect,
    tlsMs: took.tls,
    processingMs: took.processing,
    transferMs: took.transfer,
  };
}

function toResponse(probe: Probe) {
  const { url, method, httpStatus, headers, body, bodyTruncated } = probe;
  return { url, method, status: httpStatus ?? 0, headers, body, bodyTruncated };
}

/**
 * Amounts become decimal strings. Of the checks it is kept which passed and what failed, without what the table of
 * rules says of them anyway. What a seller shows of calls and answers is left out: an example with the time of day in it would make
 * every challenge a new one.
 */
function storeChallenge(read: Challenge): StoredChallenge {
  const { version, source, resourceUrl, description, mimeType, serviceName, dialects } = read;
  const challenge = {
    version,
    source,
    resourceUrl,
    description,
    mimeType,
    serviceName,
    dialects,
    payable: read.payable,
    refusals: read.refusals,
    verdict: read.verdict,
    options: read.options.map(toPayOn),
    passed: read.checks.filter(({ result }) => result === 'pass').map(({ id }) => id),
    failed: read.checks
      .filter(({ result }) => result === 'fail')
      .map(({ id, axis, severity, message }) => ({ id, axis, severity, message })),
  };
  const hash = createHash('sha256').update(JSON.stringify(challenge)).digest('base64url');
  return { hash, version, challenge };
}
