import { webcrypto } from 'node:crypto';
import { findPlaceholders } from '@touchstone/check';
import { endpointSummarySchema } from '@touchstone/contract';
import type { Action, Decision, Guard, PublicKeyJwk } from '@touchstone/guard';
import { verifySignature } from '@touchstone/trust';
import { parseNetwork, type PaymentOption } from '@touchstone/x402';
import { z } from 'zod';
import { CliError } from '../command-tools.ts';
import type { LintResult } from '../lint/lint-result.ts';
import { parseOrNull } from '../json.ts';
import { sendRequest, toServiceUrl } from '../service/request.ts';
import { toPlainText } from '../terminal/text.ts';

interface EndpointCheck {
  readonly url: URL;
  readonly guard: Guard;
  /** Service whose observations are read; null if the service must not receive the URL. */
  readonly service: TrustedService | null;
  /** Requests the payment terms of the endpoint. */
  readonly request: () => Promise<LintResult>;
  /** Network whose payment options are checked; undefined for all networks. */
  readonly network: string | undefined;
}

/**
 * Decides on the payment options of an endpoint, and reads the observations of the service on the endpoint.
 *
 * @throws CliError if the endpoint could not be requested, or its options could not be selected
 */
export async function checkEndpoint({
  url,
  guard,
  service,
  request,
  network,
}: EndpointCheck): Promise<GuardResult> {
  const undecided = { url: url.href, options: [], obstacle: null, action: null };
  const placeholders = findPlaceholders(url.href);
  if (placeholders.length > 0) {
    const statement = await readServiceSummary(url.href, service);
    return { ...undecided, response: null, problem: explainPlaceholders(placeholders), statement };
  }
  const response = await request();
  const selected = selectOptions(response, network);
  const [options, statement] = await Promise.all([
    checkOptions(response, selected, guard),
    readServiceSummary(response.url, service),
  ]);
  if (options.length === 0) return { ...undecided, response, problem: explainNoOptions(response), statement };
  const obstacle = findObstacle(response);
  const decisions = options.map(({ decision }) => decision);
  const action = obstacle === null ? raiseForSettings(combine(decisions), response) : 'abort';
  const problem = action === null ? explainMissingStatement(decisions) : null;
  return { url: response.url, response, options, obstacle, action, problem, statement };
}

function explainPlaceholders(names: readonly string[]): string {
  const [placeholders, each] = names.length === 1 ? ['placeholder', 'it'] : ['placeholders', 'each of them'];
  return `The URL contains the ${placeholders} ${names.join(', ')}. Replace ${each} with a value that you would pay for, and run the command again.`;
}

/** Maximum number of payment options that are checked. Each one may cost a request to the service. */
const MAX_OPTIONS = 16;

async function checkOptions(
  { url }: LintResult,
  options: readonly PaymentOption[],
  guard: Guard,
): Promise<readonly OptionDecision[]> {
  return Promise.all(
    options.map(async (option) => ({
      option,
      decision: await guard.check({
        url,
        network: option.network,
        asset: option.asset,
        // The guard refuses a payment without a valid amount.
        amount: option.amount?.toString() ?? '',
        payTo: option.payTo,
        scheme: option.scheme,
        lifetimeSeconds: option.maxTimeoutSeconds,
      }),
    })),
  );
}

/**
 * Selects the payment options to check. Returns an empty list for a response without payment terms.
 *
 * @param network network whose options are checked; undefined for all networks
 * @throws CliError if no option is on the network, and for too many options
 */
function selectOptions(
  { challenge: { options } }: LintResult,
  network: string | undefined,
): readonly PaymentOption[] {
  const selected =
    network === undefined
      ? options
      : options.filter((option) => [network, parseNetwork(network)].includes(option.network));
  if (selected.length === 0 && options.length > 0) {
    const offered = [...new Set(options.map((option) => toPlainText(option.network, 100)))].join(', ');
    throw new CliError(`The endpoint has no payment option on ${network ?? ''}. It offers ${offered}.`);
  }
  if (selected.length > MAX_OPTIONS) {
    throw new CliError(
      `The endpoint has ${selected.length} payment options; at most ${MAX_OPTIONS} are checked. Select a network with --network.`,
    );
  }
  return selected;
}

/** Explains why a response without payment terms allows no decision, and what to do. */
function explainNoOptions({ method, status, failureReason, notes, challenge }: LintResult): string {
  const request = method ?? 'The request';
  const result =
    status === null
      ? `got no response: ${toPlainText(failureReason ?? 'unknown')}.`
      : `returned ${String(status)} without payment terms that can be read.`;
  const advice = challenge.verdict === 'undetermined' || notes.length > 0 ? notes : ['See touchstone lint.'];
  return [`${request} ${result}`, ...advice.map((note) => toPlainText(note))].join(' ');
}

export interface OptionDecision {
  readonly option: PaymentOption;
  readonly decision: Decision;
}

export interface GuardResult {
  /** URL of the endpoint; null for an invalid URL. */
  readonly url: string | null;
  /** Response of the endpoint; null if no request was sent. */
  readonly response: LintResult | null;
  /** Decisions on the checked options; an empty list if the endpoint sent no payment terms. */
  readonly options: readonly OptionDecision[];
  /** Reason why no reference client can pay the endpoint, in one sentence; null if one can pay. */
  readonly obstacle: string | null;
  /** Strictest action of all decisions; null if there is no decision. */
  readonly action: Action | null;
  /** Reason why there is no decision, and what to do; null if there is a decision. */
  readonly problem: string | null;
  /**
   * Signed observations of the service on the endpoint; null if they were not requested, and if the service sent no
   * readable, validly signed observations.
   */
  readonly statement: ServiceSummary | null;
}

/**
 * Combines the decisions on the payment options. The strictest decision counts, because a client may choose any option.
 */
function combine(decisions: readonly Decision[]): Action | null {
  const refused = decisions.filter(({ action }) => action === 'abort');
  if (refused.length > 0) return refused.every(isUndecided) ? null : 'abort';
  return decisions.some(({ action }) => action === 'warn') ? 'warn' : 'pay';
}

/**
 * Raises the action `pay` to `warn` if clients refuse the token or the scheme with their default settings. An amount over
 * their default limit alone is no reason for a warning.
 */
function raiseForSettings(action: Action | null, { challenge }: LintResult): Action | null {
  const isWarned = challenge.neededSettings.some(({ kind }) => kind !== 'amount');
  return action === 'pay' && isWarned ? 'warn' : action;
}

/** Returns true if a payment is refused only because the guard got no statement from the Touchstone service. */
function isUndecided({ reasons }: Decision): boolean {
  return reasons.filter(({ action }) => action === 'abort').every(({ code }) => code === 'unreachable');
}

function explainMissingStatement(decisions: readonly Decision[]): string {
  const reasons = decisions.flatMap((decision) => decision.reasons);
  const message = reasons.find(({ code }) => code === 'unreachable')?.message ?? '';
  return `Touchstone made no statement on this payment. ${message}`.trimEnd();
}

function findObstacle({ challenge: { settles, refusals, settlementFailures } }: LintResult): string | null {
  if (settles.v1 || settles.v2) return null;
  return (
    settlementFailures.v2 ?? settlementFailures.v1 ?? refusals.v2 ?? refusals.v1 ?? 'The payment would fail.'
  );
}

/**
 * Returns the exit code: 0 if the payment is allowed, 1 if it is refused, 2 if there is no decision.
 *
 * @param isStrict true if a warning also counts as a refusal
 */
export function toExitCode({ action }: GuardResult, isStrict: boolean): 0 | 1 | 2 {
  if (action === null) return 2;
  return action === 'abort' || (action === 'warn' && isStrict) ? 1 : 0;
}

/** A Touchstone service with its trusted keys. */
export interface TrustedService {
  /** Origin of the service. */
  readonly origin: string;
  readonly keys: readonly PublicKeyJwk[];
}

/**
 * Maximum duration of one lookup, in milliseconds. It is longer than in a wallet, because a person or a CI job can wait
 * longer.
 */
export const LOOKUP_TIMEOUT_MS = 10_000;

const { schemaType, requested, match, endpoint } = endpointSummarySchema.shape;
const members = endpoint.unwrap().pick({
  resource: true,
  endpointPage: true,
  score: true,
  grade: true,
  recommendation: true,
  confidence: true,
  lastProbedAt: true,
  failingSince: true,
  amountUsd: true,
  priceRange30d: true,
  errorFlags: true,
  warningFlags: true,
  betterAlternatives: true,
});

/** Schema of the members that the command prints. Other members are kept: later versions of the service may add some. */
const serviceSummarySchema = z.looseObject({
  schemaType,
  requested: requested.loose(),
  match,
  endpoint: members.extend({ listing: endpoint.unwrap().shape.listing.loose() }).loose().nullable(),
});

/** Signed summary of an endpoint, as the service sent it. */
export type ServiceSummary = z.infer<typeof serviceSummarySchema>;

/**
 * Reads the summary of an endpoint, which contains the observations of the service. The decisions do not depend on the
 * summary. The query of the URL is not sent.
 *
 * @returns the summary; null if there is no summary with the signature of a trusted key
 */
async function readServiceSummary(
  url: string,
  service: TrustedService | null,
): Promise<ServiceSummary | null> {
  if (service === null) return null;
  const { origin, keys } = service;
  const { origin: endpointOrigin, pathname } = new URL(url);
  const resource = `${endpointOrigin}${pathname}`;
  const lookup = toServiceUrl(new URL(origin), '/v1/x402-summary', { resource });
  const received = await sendRequest(lookup, { signal: AbortSignal.timeout(LOOKUP_TIMEOUT_MS) }, 'guard');
  // The decisions already report an unreachable service, so nothing is thrown here.
  if ('error' in received) return null;
  const document = parseOrNull(received.text);
  const { outcome } = await verifySignature(document, { keys: keys.map(toPublicKey) }, webcrypto.subtle);
  const { data } = serviceSummarySchema.safeParse(document);
  return outcome === 'valid' && data?.requested.resource === resource ? data : null;
}

function toPublicKey({ validFrom = null, retiredAt = null, ...key }: PublicKeyJwk) {
  return { ...key, alg: 'Ed25519', use: 'sig', validFrom, retiredAt } as const;
}
