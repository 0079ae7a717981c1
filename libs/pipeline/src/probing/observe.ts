import { createHash, hash } from 'node:crypto';
import { classifyUptime, describeFailure, type Probe } from '@touchstone/probe';
import type { ClaimedEndpoint, Observation, StoredChallenge } from '@touchstone/store';
import { selectMainOption, toLatencyBucket } from '@touchstone/trust';
import { createChallengeReader, type Challenge } from '@touchstone/x402';
import { toPayOn, toTerms } from '../payment-terms.ts';

/** Observation of one probe, with the payment challenge that the endpoint sent, if any. */
export interface ObservedProbe {
  readonly observation: Observation;
  readonly challenge: StoredChallenge | null;
}

/** Probed slot of the probe schedule. `slotAt` is null for a probe outside the schedule. */
type ProbedSlot = Pick<ClaimedEndpoint, 'endpointId'> &
  Pick<Observation, 'slotAt'> & { readonly settledThrough: readonly string[] };

/**
 * Converts the result of one probe to an observation for the database.
 *
 * @param at start of the probe, in milliseconds since the epoch
 */
export function toObservedProbe(slot: ProbedSlot, probe: Probe, at: number): ObservedProbe {
  const challenge = readProbeChallenge(probe, slot.settledThrough);
  const stored = challenge && toStoredChallenge(challenge);
  const vitality = classifyUptime(probe.outcome);
  const failure = describeFailure(probe);
  const responseMs = measureResponseMs(probe);
  const options = challenge?.options ?? [];
  return {
    challenge: stored,
    observation: {
      endpointId: slot.endpointId,
      slotAt: slot.slotAt,
      at,
      outcome: probe.outcome,
      vitality,
      excluded: probe.outcome === 'self-failure',
      httpStatus: probe.httpStatus,
      method: probe.method,
      latencyMs: probe.latencyMs,
      // Only successful probes have a bucket, because the latency of an error response does not describe the paid
      // service.
      bucket: vitality === 'up' && probe.latencyMs !== null ? toLatencyBucket(probe.latencyMs) : null,
      responseMs,
      responseBucket: vitality === 'up' && responseMs !== null ? toLatencyBucket(responseMs) : null,
      compliance: challenge === null || challenge.verdict === 'undetermined' ? null : challenge.verdict,
      challengeHash: stored?.hash ?? null,
      terms: challenge && toTerms(challenge),
      amountUsd: selectMainOption(options.map(toPayOn))?.amountUsd ?? null,
      failure: failure?.error ?? null,
      failurePhase: failure?.phase ?? null,
      failureDetail: failure?.detail ?? null,
    },
  };
}

/** Returns the time to the last byte of the response, in milliseconds; null if the response is missing or incomplete. */
function measureResponseMs({ latencyMs, phases, bodyEnd }: Probe): number | null {
  if (latencyMs === null || phases.transfer === null || bodyEnd !== 'complete') return null;
  return latencyMs + phases.transfer;
}

/** Reader that all probes of this process share, because most probes of an endpoint get the same response. */
const readChallenge = createChallengeReader({ digest: (text) => hash('sha256', text, 'buffer') });

/**
 * Reads the payment challenge of a probed endpoint. Returns null when the response was not a challenge.
 *
 * @param settledThrough ids of the facilitators of recent payments to the endpoint; none by default
 */
export function readProbeChallenge(probe: Probe, settledThrough: readonly string[] = []): Challenge | null {
  if (probe.outcome !== 'challenged') return null;
  const { httpStatus, declaredMethod } = probe;
  return readChallenge({ ...probe, status: httpStatus ?? 0 }, { declaredMethod, settledThrough });
}

/**
 * Converts a challenge to its stored form, with amounts as decimal strings. A passed compliance check is stored as its
 * id, and a failed check with its finding. The rule table contains the remaining data.
 *
 * The provider's request and response examples are left out, because an example with the current time would give every
 * challenge a different hash.
 */
function toStoredChallenge(read: Challenge): StoredChallenge {
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
    settles: read.settles,
    settlementFailures: read.settlementFailures,
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
