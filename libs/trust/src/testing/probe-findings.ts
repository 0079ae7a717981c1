import type { ComplianceResult } from '@touchstone/contract';
import type { Failure } from '../types.ts';

/**
 * Result of a probe in a test history: a challenge with its compliance result, data without payment, a response of
 * another payment protocol (`gate`), an outage, a blocked or redirected probe, or a self-inflicted failure (`ours`).
 * `away` means that no probe was made.
 */
export type ProbeFinding =
  | ComplianceResult
  | 'data'
  | 'gate'
  | 'down'
  | 'blocked'
  | 'redirected'
  | 'ours'
  | 'away';

const CHALLENGES: ReadonlySet<ProbeFinding> = new Set<ProbeFinding>([
  'pass',
  'warnings',
  'errors',
  'unpayable',
]);

export function isChallenge(finding: ProbeFinding): finding is ComplianceResult {
  return CHALLENGES.has(finding);
}

/** Returns true for a probe that succeeded. */
export function isUp(finding: ProbeFinding): boolean {
  return isChallenge(finding) || finding === 'data' || finding === 'gate';
}

/** Adds a number of probes with the same finding to the counts of a period. */
export function addToTally(tally: Tally, finding: ProbeFinding, count: number): void {
  if (isUp(finding) || finding === 'down') tally.scored += count;
  if (isUp(finding)) tally.up += count;
  if (finding === 'data') tally.free += count;
  if (isChallenge(finding)) tally.envelopes[finding] += count;
}

/** Counts of probes in a period. */
export interface Tally {
  scored: number;
  up: number;
  free: number;
  readonly envelopes: Record<ComplianceResult, number>;
}

export function createTally(): Tally {
  return { scored: 0, up: 0, free: 0, envelopes: { pass: 0, warnings: 0, errors: 0, unpayable: 0 } };
}

/** Cause of a failed probe. */
export type Cause = Omit<Failure, 'at' | 'since'>;

function createHttpCause(httpStatus: number, name: string): Cause {
  return {
    phase: 'response',
    httpStatus,
    error: `http-${String(httpStatus)}`,
    detail: `HTTP ${String(httpStatus)} ${name}.`,
  };
}

const REDIRECT: Cause = {
  ...{ phase: 'response', httpStatus: 308, error: 'redirect' },
  detail: 'The endpoint redirects to https://other.example/ (HTTP 308).',
};
/** Default causes of the findings that are failures. */
export const CAUSES: Readonly<Partial<Record<ProbeFinding, Cause>>> = {
  down: createHttpCause(503, 'Service Unavailable'),
  blocked: createHttpCause(403, 'Forbidden'),
  redirected: REDIRECT,
};
