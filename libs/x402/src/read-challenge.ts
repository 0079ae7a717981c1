import { MAX_RESOURCE_CHARS, measureHeaders } from '@touchstone/common';
import { runChecks, toVerdict } from './rules/rules.ts';
import {
  findDialects,
  MAX_HEADER_LENGTH,
  readBody,
  readHeader,
  type BodyReading,
  type HeaderReading,
  findMisnamedHeader,
  isBodyUnknown,
} from './challenge/read-header.ts';
import { findDeclaredMethod, readDiscovery } from './challenge/discovery.ts';
import type { Envelope } from './challenge/envelope.ts';
import {
  explainRejectedResponse,
  isSettled,
  predictPayments,
  selectClientSettings,
} from './clients/response-payments.ts';
import { findRedirectTarget } from './rules/http/redirect-checks.ts';
import type { RuleInput } from './rules/rule.ts';
import { findSchemaFaults } from './schema/schema-faults.ts';
import { cleanText } from './json/untrusted-json.ts';
import type { Listing } from './listing/read-listing.ts';
import type { Challenge, ChallengeResponse, DeclaredMethod } from './types.ts';

const MAX_DESCRIPTION_LENGTH = 2_000;
const MAX_NAME_LENGTH = 200;
/**
 * Maximum number of header fields kept per name. A response with two PAYMENT-REQUIRED fields is already faulty, so
 * further fields do not change the result.
 */
const MAX_FIELDS_PER_NAME = 32;

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
  return checkInput(toRuleInput(response, context));
}

/**
 * Returns the challenge of an endpoint that sent no response. The challenge has no payment options, and the check
 * `http-reachable` has failed.
 *
 * @param url requested URL
 * @param reason cause of the missing response, as text for people
 */
export function readFailedRequest(url: string, reason: string): Challenge {
  const empty = toRuleInput({ url, status: 0, headers: [], body: null }, {});
  return checkInput({ ...empty, noResponseReason: cleanText(reason, MAX_NAME_LENGTH) ?? 'unknown' });
}

/**
 * Returns the HTTP method that the challenge in a response declares for paid requests; null if the challenge declares
 * no known method. Never throws.
 */
export function readDeclaredMethod(response: EnvelopeResponse): string | null {
  const { v1, v2 } = readEnvelopes(response);
  return findDeclaredMethod(v2?.bazaar ?? null, v1?.entries ?? []);
}

function checkInput(input: RuleInput): Challenge {
  const predictions = predictPayments(input);
  const { v1, v2 } = predictions;
  const settles = { v1: isSettled(v1), v2: isSettled(v2) };
  const checks = runChecks(input);
  return {
    ...selectTerms(input),
    redirectTarget: findRedirectTarget(input),
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

type EnvelopeResponse = Pick<ChallengeResponse, 'headers' | 'body' | 'bodyEnd'>;

/** Reads the envelopes of both protocol versions in a response. */
function readEnvelopes(response: EnvelopeResponse) {
  const bodyEnd = response.bodyEnd ?? 'complete';
  const headers = groupByName(response.headers);
  const header = readHeader(headers.get('payment-required') ?? []);
  const body = readBody(response.body, bodyEnd);
  const v1 = findV1Envelope(body, header);
  return { bodyEnd, headers, header, body, v1, v2: findV2Envelope(headers, header, body) };
}

function toRuleInput(
  response: ChallengeResponse,
  { secondResponse, listing, declaredMethod, settledThrough, receivedAt }: ChallengeContext,
): RuleInput {
  const { url, status, method, headers: fields, redirects, interimStatuses } = response;
  const envelopes = readEnvelopes(response);
  const { headers, body, v2 } = envelopes;
  return {
    ...envelopes,
    url,
    redirects: redirects ?? [],
    interimStatuses: interimStatuses ?? [],
    noResponseReason: null,
    status,
    method: method?.toUpperCase() ?? null,
    headerBytes: measureHeaders(fields),
    schemaFaults: findSchemaFaults(v2?.bazaar?.schema),
    dialects: findDialects(headers, body),
    secondResponse:
      secondResponse === undefined
        ? null
        : { status: secondResponse.status, ...selectTerms(toRuleInput(secondResponse, {})) },
    listing: listing ?? null,
    declaredMethod: declaredMethod ?? null,
    settledThrough: settledThrough ?? [],
    receivedAt: receivedAt ?? null,
  };
}

/** Groups header values by lower-case name. Keeps at most 32 values per name, and truncates very long values. */
function groupByName(fields: ChallengeResponse['headers']): Map<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const values = headers.get(key) ?? [];
    if (values.length === 0) headers.set(key, values);
    if (values.length < MAX_FIELDS_PER_NAME) values.push(value.slice(0, MAX_HEADER_LENGTH + 1));
  }
  return headers;
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
  const hasV1Member = entries.some((entry) => entry?.fields.maxAmountRequired !== undefined);
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

type Terms = Omit<
  Challenge,
  | 'payable'
  | 'refusals'
  | 'settles'
  | 'settlementFailures'
  | 'clientSettings'
  | 'neededSettings'
  | 'checks'
  | 'verdict'
  | 'dialects'
  | 'redirectTarget'
>;

function selectTerms({ header, body, v2 }: RuleInput): Terms {
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
    discovery: null,
  };
}

/**
 * Converts an envelope to the parts of a `Challenge` that describe the payment and the resource. Version 1 describes
 * the resource in the first option, version 2 in `resource`. Some sellers write `resource` as a URL instead of an
 * object.
 */
function toTerms(
  { version, fields, bazaar, resource, entries, options }: Envelope,
  source: 'header' | 'body',
): Terms {
  const first = version === 1 ? entries.find((entry) => entry !== null)?.fields : undefined;
  return {
    version,
    source,
    options,
    resourceUrl: cleanText(first?.resource ?? resource?.url ?? fields.resource, MAX_RESOURCE_CHARS),
    description: cleanText(first?.description ?? resource?.description, MAX_DESCRIPTION_LENGTH),
    mimeType: cleanText(first?.mimeType ?? resource?.mimeType, MAX_NAME_LENGTH),
    serviceName: cleanText(resource?.serviceName, MAX_NAME_LENGTH),
    discovery: readDiscovery(bazaar, entries),
  };
}
