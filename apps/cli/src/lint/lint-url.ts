import type { Probe } from '@touchstone/probe';
import { readChallenge, readSilence, type Challenge, type ChallengeResponse } from '@touchstone/x402';
import { CliError } from '../cli-error.ts';
import { ask, type Asked } from './ask.ts';
import type { Judged } from './judged.ts';
import { methodNotes } from './method-notes.ts';
import type { Network } from './network.ts';
import { brokenBody, fixOf, silenceOf } from './silence.ts';
import { tlsNote } from './tls-words.ts';
import { retryAfterOf, undeterminedNote } from './undetermined.ts';

/** A name that resolves wherever there is an internet. */
const CONTROL_NAME = 'example.com';
const CONTROL_MS = 8_000;
export interface LintUrlOptions {
  readonly url: URL;
  /** Ask by this method only. */
  readonly method: string | undefined;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Asks an endpoint without paying, and judges its answer. A challenge is asked for a second time, to see whether its
 * terms stay the same.
 *
 * @throws CliError when nothing can be said about the endpoint: its address is not dialled, or this machine failed
 */
export async function lintUrl({ url, method, now }: LintUrlOptions, network: Network): Promise<Judged> {
  const asked = await ask(url.href, method, network.prober);
  const probe = asked.told;
  await assertAsked(probe, network);
  const silence = silenceOf(probe);
  const retryAfter = retryAfterOf(probe.headers);
  const told = { url: url.href, method: probe.method, silence, retryAfter };
  if (silence !== null || probe.httpStatus === null) {
    const challenge = withFix(readSilence(url.href, silence ?? probe.outcome), fixOf(probe));
    return { ...told, status: null, notes: notesOn(asked, null), challenge };
  }
  const again = await askAgain(probe, network);
  const challenge = readChallenge(toResponse(probe, probe.httpStatus), { again, at: now });
  const advice = challenge.verdict === 'undetermined' ? undeterminedNote(probe.httpStatus, retryAfter) : null;
  return { ...told, status: probe.httpStatus, notes: notesOn(asked, advice), challenge };
}

function notesOn(asked: Asked, advice: string | null): string[] {
  const { told } = asked;
  return [brokenBody(told), ...methodNotes(asked), advice, tlsNote(told.failure)].filter(
    (note) => note !== null,
  );
}

/** The rule on silence names the usual reasons for it; a known one has a remedy of its own. */
function withFix(challenge: Challenge, fix: string | null): Challenge {
  if (fix === null) return challenge;
  const checks = challenge.checks.map((check) => (check.result === 'fail' ? { ...check, fix } : check));
  return { ...challenge, checks };
}

/** An answer of another status says nothing about the terms; most often it says that two requests were too many. */
async function askAgain(probe: Probe, { prober }: Network): Promise<ChallengeResponse | undefined> {
  if (probe.outcome !== 'challenged') return undefined;
  const again = await prober({ url: probe.url, methods: [probe.method] });
  return again.outcome === 'challenged' ? toResponse(again, probe.httpStatus ?? 0) : undefined;
}

function toResponse({ url, method, headers, body, bodyTruncated }: Probe, status: number): ChallengeResponse {
  return { url, method, status, headers, body, bodyTruncated };
}

/** Whatever keeps us from asking is no verdict on the endpoint. */
async function assertAsked(probe: Probe, network: Network): Promise<void> {
  const { outcome, failure } = probe;
  const reason = failure === null ? outcome : failure.message;
  if (outcome === 'self-failure')
    throw new CliError(`This machine could not ask: ${reason}. Nothing was judged.`);
  if (outcome === 'refused-address') {
    throw new CliError(`${reason}. For an endpoint on your own machine or network give --allow-private.`);
  }
  if (failure?.phase !== 'resolve' || !network.isInternet) return;
  if (new URL(probe.url).hostname.endsWith('.test')) {
    throw new CliError(
      `${reason}. Names under .test are not on the internet; for those of the sandbox give --sandbox.`,
    );
  }
  // Some networks answer that a name does not exist when they mean that they are not connected.
  if (await isOffline(network))
    throw new CliError(`This machine cannot look up names: ${reason}. Nothing was judged.`);
}

async function isOffline({ resolver }: Network): Promise<boolean> {
  try {
    return (await resolver(CONTROL_NAME, AbortSignal.timeout(CONTROL_MS))).length === 0;
  } catch {
    return true;
  }
}
