import { MAX_RESOURCE_CHARS, measureHeaders } from '@touchstone/common';
import { runChecks, toVerdict } from './rules/rules.ts';
import {
  exceedsNodeLimit,
  findDialects,
  readBody,
  readHeader,
  type BodyReading,
  type HeaderReading,
  findMisnamedHeader,
  isBodyUnknown,
  selectHeaders,
} from './challenge/read-header.ts';
import { findDeclaredMethod } from './challenge/bazaar-extension.ts';
import { findDeclaredExchange, type DeclaredExchange } from './challenge/declared-exchange.ts';
import type { Envelope } from './challenge/envelope.ts';
import {
  explainRejectedResponse,
  isSettled,
  predictPayments,
  selectClientSettings,
} from './clients/response-payments.ts';
import { findRedirectTarget } from './rules/http/redirect-checks.ts';
import type { RuleInput, SecondResponse } from './rules/rule.ts';
import { findSchemaFaults } from './schema/schema-faults.ts';
import { cleanText } from './json/untrusted-json.ts';
import type { Listing } from './listing/read-listing.ts';
import type { Challenge, ChallengeResponse, DeclaredMethod } from './types.ts';

const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_NAME_LENGTH = 200;
/** Additional facts about the endpoint. A rule is skipped if a fact that it needs is absent. */
export interface ChallengeContext {
  /** Response to a second unpaid request that was identical to the first request. */
  readonly secondResponse?: ChallengeResponse | undefined;
  /** Listing of the endpoint in a discovery directory. */
  readonly listing?: Listing | null | undefined;
  /** Status of the response to the method that the challenge declares, when another method was challenged. */
  readonly declaredMethod?: DeclaredMethod | null | undefined;
  /**
   * Ids of the facilitators that settled payments to the wallets of the endpoint in the last 30 days, without
   * duplicates; `other` for unknown senders. Empty or absent when no sender was read.
   */
  readonly settledThrough?: readonly string[] | undefined;
  /** Time of the response, in milliseconds since the epoch. */
  readonly receivedAt?: number | undefined;
}

/**
 * Reads the payment requirements in a response, and checks them against the rules of both protocol versions.
 *
 * Header and body are checked separately, so a fault in one never hides a fault in the other. The payment options come
 * from the header, or from the body if the header cannot be read. `payable` follows the behaviour of the reference
 * clients (see `predictV2Payment`). If the header is absent, the version 2 client reads a version 1 body. The clients
 * of both versions may then pay. `settles` follows the reference facilitators (see `findSettlementFailure`).
 *
 * Never throws. A PAYMENT-REQUIRED header over 64 KiB and a body over 256 KiB are not read. Only the first 64 entries
 * of `accepts` are checked one by one.
 *
 * @param response status, headers and body of the response to an unpaid request; `url` is the requested URL
 * @param context additional facts about the endpoint; some rules need these facts
 */
export function readChallenge(response: ChallengeResponse, context: ChallengeContext = {}): Challenge {
  const parts = selectParts(response);
  const envelopes = readEnvelopes(parts);
  return toChallenge(parts, envelopes, judge(toRuleInput(parts, envelopes, context)));
}

/**
 * Returns the challenge of an endpoint that sent no response. The challenge has no payment options, and the check
 * `http-reachable` has failed.
 *
 * @param url requested URL
 * @param reason cause of the missing response, as text for people
 */
export function readFailedRequest(url: string, reason: string): Challenge {
  const parts = selectParts({ url, status: 0, headers: [], body: null });
  const envelopes = readEnvelopes(parts);
  const noResponseReason = cleanText(reason, MAX_NAME_LENGTH) ?? 'unknown';
  return toChallenge(parts, envelopes, judge({ ...toRuleInput(parts, envelopes, {}), noResponseReason }));
}

/**
 * Returns the HTTP method that the challenge in a response declares for paid requests; null if the challenge declares
 * no known method. Never throws.
 */
export function readDeclaredMethod({ headers, body, bodyEnd }: EnvelopeResponse): string | null {
  const { v1, v2 } = readEnvelopes({
    headers: selectHeaders(headers),
    body,
    bodyEnd: bodyEnd ?? 'complete',
  });
  return findDeclaredMethod(v2?.bazaar ?? null, v1?.entries ?? []);
}

/**
 * Returns the request and the response that the challenge in a response declares. Never throws.
 */
export function readDeclaredExchange({ headers, body, bodyEnd }: EnvelopeResponse): DeclaredExchange {
  const { v1, v2 } = readEnvelopes({ headers: selectHeaders(headers), body, bodyEnd: bodyEnd ?? 'complete' });
  return findDeclaredExchange(v2?.bazaar ?? null, v1?.entries ?? []);
}

type EnvelopeResponse = Pick<ChallengeResponse, 'headers' | 'body' | 'bodyEnd'>;

/** Parts of a response that are read: everything on which a challenge depends, except its context. */
export interface ResponseParts extends Pick<
  RuleInput,
  'url' | 'method' | 'status' | 'headers' | 'headerBytes' | 'bodyEnd' | 'redirects' | 'interimStatuses'
> {
  readonly body: string | null;
}

export function selectParts(response: ChallengeResponse): ResponseParts {
  const { url, status, method, headers, body, bodyEnd, redirects, interimStatuses } = response;
  const headerBytes = measureHeaders(headers);
  return {
    url,
    method: method?.toUpperCase() ?? null,
    status,
    headers: selectHeaders(headers),
    headerBytes: exceedsNodeLimit(headerBytes) ? headerBytes : 0,
    body,
    bodyEnd: bodyEnd ?? 'complete',
    redirects: redirects ?? [],
    interimStatuses: interimStatuses ?? [],
  };
}

export type Envelopes = Pick<RuleInput, 'header' | 'body' | 'v1' | 'v2'>;

export function readEnvelopes(parts: Pick<ResponseParts, 'headers' | 'body' | 'bodyEnd'>): Envelopes {
  const { headers, bodyEnd } = parts;
  const header = readHeader(headers.get('payment-required') ?? []);
  const body = readBody(parts.body, bodyEnd);
  const v1 = findV1Envelope(body, header);
  return { header, body, v1, v2: findV2Envelope(headers, header, body) };
}

/** Creates the input of the rules from the parts of a response, their envelopes and the context. */
export function toRuleInput(
  parts: ResponseParts,
  envelopes: Envelopes,
  { secondResponse, listing, declaredMethod, settledThrough, receivedAt }: ChallengeContext,
): RuleInput {
  return {
    ...parts,
    ...envelopes,
    noResponseReason: null,
    schemaFaults: findSchemaFaults(envelopes.v2?.bazaar?.schema),
    dialects: findDialects(parts.headers, envelopes.body),
    secondResponse: secondResponse === undefined ? null : readSecondResponse(secondResponse),
    listing: listing ?? null,
    declaredMethod: declaredMethod ?? null,
    settledThrough: settledThrough ?? [],
    receivedAt: receivedAt ?? null,
  };
}

function readSecondResponse(response: ChallengeResponse): SecondResponse {
  const parts = selectParts(response);
  return { status: parts.status, ...selectTerms(readEnvelopes(parts)) };
}

/** Part of a challenge that describes the payment and the resource. The other part is the judgement. */
type Terms = Pick<
  Challenge,
  'version' | 'source' | 'options' | 'resourceUrl' | 'description' | 'mimeType' | 'serviceName'
>;

/** Part of a challenge that the rules and the predicted payments give. */
export type Judgement = Omit<Challenge, keyof Terms | 'redirectTarget'>;

/** Runs all rules and predicts the payments of the reference clients. */
export function judge(input: RuleInput): Judgement {
  const predictions = predictPayments(input);
  const { v1, v2 } = predictions;
  const settles = { v1: isSettled(v1), v2: isSettled(v2) };
  const checks = runChecks(input);
  return {
    dialects: input.dialects,
    payable: { v1: v1.refusal === null, v2: v2.refusal === null },
    refusals: { v1: v1.refusal, v2: v2.refusal },
    settles,
    settlementFailures: { v1: v1.settlementFailure, v2: v2.settlementFailure },
    clientSettings: { v1: v1.settings, v2: v2.settings },
    neededSettings: selectClientSettings(predictions) ?? [],
    checks,
    verdict: toVerdict(checks, settles, isBodyUnknown(input.body) && explainRejectedResponse(input) === null),
  };
}

/** Adds the terms of a response to its judgement. */
export function toChallenge(parts: ResponseParts, envelopes: Envelopes, judgement: Judgement): Challenge {
  return { ...selectTerms(envelopes), redirectTarget: findRedirectTarget(parts), ...judgement };
}

/**
 * Returns the version 1 envelope (JSON object with the payment options) in the body; null if the body contains none. A
 * body that declares version 1 is a version 1 envelope. Clients of version 1 ignore the declared version, so a body with
 * another version than 2 is one too if an entry of `accepts` has `maxAmountRequired`. A body that declares no version
 * needs no such entry if the response has no PAYMENT-REQUIRED header.
 */
function findV1Envelope(body: BodyReading, header: HeaderReading): Envelope | null {
  if (body.state !== 'read') return null;
  const { version, fields, entries } = body.envelope;
  if (version !== null) return version === 1 ? body.envelope : null;
  if (!Array.isArray(fields.accepts)) return null;
  const hasV1Member = entries.some((entry) => entry?.maxAmountRequired !== undefined);
  const isUndeclared = fields.x402Version === undefined && header.state === 'absent';
  return hasV1Member || isUndeclared ? body.envelope : null;
}

/**
 * Returns the version 2 envelope (JSON object with the payment options) in the PAYMENT-REQUIRED header. If that header
 * is absent, returns the version 2 envelope in the body or in a misnamed header. No client reads an envelope in these
 * places, but the rules can still check its members.
 */
function findV2Envelope(
  headers: RuleInput['headers'],
  header: HeaderReading,
  body: BodyReading,
): Envelope | null {
  if (header.state === 'read') return header.envelope.version === 1 ? null : header.envelope;
  if (header.state === 'unreadable') return null;
  if (body.state === 'read' && body.envelope.version === 2) return body.envelope;
  const name = findMisnamedHeader({ header, headers });
  const misnamed = readHeader(headers.get(name ?? '') ?? []);
  return misnamed.state === 'read' && misnamed.envelope.version === 2 ? misnamed.envelope : null;
}

function selectTerms({ header, body, v2 }: Envelopes): Terms {
  if (header.state === 'read' && header.envelope.version !== null) return toTerms(header.envelope, 'header');
  if (body.state === 'read' && body.envelope.version !== null) return toTerms(body.envelope, 'body');
  if (v2?.version === 2) return toTerms(v2, 'header');
  return {
    version: null,
    source: null,
    options: [],
    resourceUrl: null,
    description: null,
    mimeType: null,
    serviceName: null,
  };
}

/**
 * Converts an envelope to the parts of a `Challenge` that describe the payment and the resource. Version 1 describes
 * the resource in the first option, version 2 in `resource`. Some sellers write `resource` as a URL instead of an
 * object.
 */
function toTerms(
  { version, fields, resource, entries, options }: Envelope,
  source: 'header' | 'body',
): Terms {
  const first = version === 1 ? entries.find((entry) => entry !== null) : undefined;
  return {
    version,
    source,
    options,
    resourceUrl: cleanText(first?.resource ?? resource?.url ?? fields.resource, MAX_RESOURCE_CHARS),
    description: cleanText(first?.description ?? resource?.description, MAX_DESCRIPTION_LENGTH),
    mimeType: cleanText(first?.mimeType ?? resource?.mimeType, MAX_NAME_LENGTH),
    serviceName: cleanText(resource?.serviceName, MAX_NAME_LENGTH),
  };
}
