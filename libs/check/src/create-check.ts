import type { EndpointCheck } from '@touchstone/contract/operations/check/response';
import { TEXT_LIMITS } from '@touchstone/contract/shared/values';
import type { Probe } from '@touchstone/probe';
import {
  formatServerCode,
  listClientPayments,
  recognizeStack,
  repairChallenge,
  type ChallengeResponse,
  type Check,
  type PaidRoute,
  type PaymentOption,
  type Stack,
} from '@touchstone/x402';
import type { CheckResult } from './check-endpoint.ts';
import { compareLimits, quoteResponse, readExtensionResponses } from './describe-response.ts';
import { createEvidenceFinder } from './evidence.ts';
import { cutText } from './cut-text.ts';
import { createHeadline } from './headline.ts';
import { limitSize } from './limit-size.ts';

/** Part of a check that follows from the responses of the endpoint. */
export type CheckFacts = Omit<EndpointCheck, 'checkPage' | 'directories' | 'guard' | 'code'>;

/** Repaired route of an endpoint, and the stack that its headers name. */
export interface RepairFacts {
  readonly route: PaidRoute;
  readonly repairs: readonly string[];
  readonly recognizedStack: Stack | null;
}

const MAX_OPTIONS = 20;
/** Maximum length of the code of a route, in UTF-16 code units. A route with one option has about 900. */
const MAX_CODE_CHARS = 4_000;

/** Converts the result of a live check to the facts of the API. @param now milliseconds since the epoch */
export function createCheckFacts(result: CheckResult & { readonly probe: Probe }, now: number): CheckFacts {
  const { challenge, probe, response } = result;
  const { outcome, text, step } = createHeadline(result);
  const { phases, totalMs } = probe;
  return limitSize({
    outcome,
    headline: toSentence(text),
    step: step && toSentence(step),
    resource: result.url,
    method: result.method ?? probe.method,
    status: result.status,
    checkedAt: new Date(now).toISOString(),
    verdict: challenge.verdict,
    clients: response === null ? [] : listClients(response),
    faults: listFaults(result),
    options: challenge.options.slice(0, MAX_OPTIONS).map(toOption),
    passed: challenge.checks.flatMap(({ id, result: outcomeOfRule }) =>
      outcomeOfRule === 'pass' ? [id] : [],
    ),
    skipped: challenge.checks.filter((check) => check.result === 'skip').length,
    notes: result.notes.filter((note) => note !== step).map(toSentence),
    response: response && quoteResponse(response, challenge.version !== null),
    limits: response === null ? [] : compareLimits(response, challenge),
    extensionResponses: response && readExtensionResponses(response),
    timingMs: { ...mapTimes(phases), total: round(totalMs) },
    tls: probe.tls ?? null,
  });
}

function listClients(response: ChallengeResponse): EndpointCheck['clients'] {
  return listClientPayments(response).map(({ reason, settings, ...client }) => ({
    ...client,
    reason: reason && toSentence(reason),
    settings: settings.map(toSentence),
  }));
}

/** Cuts a sentence that quotes a long URL at the limit of the API. */
const toSentence = (sentence: string): string => cutText(sentence, TEXT_LIMITS.sentence);

function mapTimes(phases: Probe['phases']): Omit<EndpointCheck['timingMs'], 'total'> {
  const { resolve, connect, tls, processing, transfer } = phases;
  const toTime = (ms: number | null): number | null => (ms === null ? null : round(ms));
  return {
    resolve: toTime(resolve),
    connect: toTime(connect),
    tls: toTime(tls),
    processing: toTime(processing),
    transfer: toTime(transfer),
  };
}

/** Rounds milliseconds to one decimal. */
const round = (ms: number): number => Math.round(ms * 10) / 10;

const SEVERITIES: readonly Check['severity'][] = ['error', 'warning', 'info'];

/** Returns the failed rules with their evidence, most serious first; of the same severity, those about payment first. */
function listFaults({ challenge, response }: CheckResult): EndpointCheck['faults'] {
  const findEvidence = response === null ? () => null : createEvidenceFinder(response);
  const rank = ({ severity, axis }: Check): number =>
    SEVERITIES.indexOf(severity) * 3 + ['payable', 'hygiene', 'discoverable'].indexOf(axis);
  return challenge.checks
    .filter(({ result }) => result === 'fail')
    .toSorted((one, other) => rank(one) - rank(other))
    .map((check) => {
      const { id, axis, severity, message, fix, reference } = check;
      return {
        id,
        axis,
        severity,
        message: toSentence(message),
        fix,
        reference,
        evidence: findEvidence(check),
      };
    });
}

function toOption(option: PaymentOption): EndpointCheck['options'][number] {
  const { scheme, network, asset, assetSymbol, amount, amountUsd, payTo, maxTimeoutSeconds } = option;
  return {
    ...{ scheme, network, asset, assetSymbol, amountUsd, payTo, maxTimeoutSeconds },
    amount: amount === null ? null : String(amount),
  };
}

/**
 * Returns the repaired route of an endpoint. Returns null if code would not make the endpoint payable or repairs nothing,
 * and for more options than the code of one route can show.
 */
export function createRepairFacts({ challenge, response }: CheckResult): RepairFacts | null {
  if (response === null) return null;
  const repair = repairChallenge(response, challenge);
  // The code for Express is about as long as that for the other stacks.
  if (repair === null || formatServerCode('express', repair.route).length > MAX_CODE_CHARS) return null;
  return { ...repair, recognizedStack: recognizeStack(response.headers) };
}

/**
 * Returns the code of a repaired route.
 *
 * @param stack stack of the code; undefined for the recognized stack, or else Express
 * @returns null without a repair, and if the code is too long
 */
export function createCode(repair: RepairFacts | null, stack?: Stack): EndpointCheck['code'] {
  if (repair === null) return null;
  const { route, repairs, recognizedStack } = repair;
  const chosen = stack ?? recognizedStack ?? 'express';
  const text = formatServerCode(chosen, route);
  if (text.length > MAX_CODE_CHARS) return null;
  return { stack: chosen, isRecognized: chosen === recognizedStack, repairs: [...repairs], text };
}
