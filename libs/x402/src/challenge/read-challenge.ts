import { runChecks, toVerdict } from '../rules/run-checks.ts';
import { findDialects } from './find-dialects.ts';
import { readDiscovery } from './discovery.ts';
import type { Envelope } from './envelope.ts';
import { findV1Refusal } from '../clients/v1-refusal.ts';
import { findV2Refusal } from '../clients/v2-refusal.ts';
import {
  MAX_HEADER_LENGTH,
  readBody,
  readHeader,
  type BodyReading,
  type HeaderReading,
} from './read-header.ts';
import { findMisnamedHeader } from './misnamed-header.ts';
import type { RuleInput } from '../rules/rule.ts';
import { findSchemaFaults } from '../schema/find-schema-faults.ts';
import { cleanText } from '../json/clean-text.ts';
import type { Challenge, ChallengeContext, ChallengeResponse } from '../types.ts';

const URL_LIMIT = 4_096;
const DESCRIPTION_LIMIT = 2_000;
const NAME_LIMIT = 200;
const NO_ANSWER = 'No answer came.';
/** Several fields of one name are a fault already; more of them show no other. */
const FIELDS_OF_A_NAME = 32;

/**
 * Reads what an answer asks to be paid, and judges it by the rules of both protocol versions.
 *
 * Header and body are judged apart: a fault in one never hides the other. The terms are the header's when its
 * envelope can be read, else the body's. Whether a client could pay follows the reference clients (see
 * `findV2Refusal`); the version 2 client reads the body too, when there is no header and the body is of
 * version 1, so a body alone can be payable by both.
 *
 * Never throws. A PAYMENT-REQUIRED header over 64 KiB and a body over 256 KiB are not read, and of `accepts` the first
 * 64 entries are judged one by one.
 *
 * @param response status, headers and body of the answer to an unpaid request; `url` is the URL requested
 * @param context what else is known of the endpoint
 */
export function readChallenge(response: ChallengeResponse, context: ChallengeContext = {}): Challenge {
  return judge(toSubject(response, context));
}

/**
 * The judgement on an endpoint that gave no answer at all: nothing to read, and one rule that failed.
 *
 * @param url the URL requested
 * @param reason why no answer came, in words to show
 */
export function readFailedRequest(url: string, reason: string): Challenge {
  const nothing = toSubject({ url, status: 0, headers: [], body: null }, {});
  return judge({ ...nothing, noResponseReason: cleanText(reason, NAME_LIMIT) ?? 'unknown' });
}

function judge(subject: RuleInput): Challenge {
  const refusals = refusalsOf(subject);
  const payable = { v1: refusals.v1 === null, v2: refusals.v2 === null };
  const checks = runChecks(subject);
  return {
    ...termsOf(subject),
    dialects: subject.dialects,
    payable,
    refusals,
    checks,
    verdict: toVerdict(checks, payable),
  };
}

function toSubject(
  response: ChallengeResponse,
  { secondResponse: again, listing, at }: ChallengeContext,
): RuleInput {
  const { url, status, method, headers: fields, body: text, bodyTruncated } = response;
  const headers = groupByName(fields);
  const header = readHeader(headers.get('payment-required') ?? []);
  const body = readBody(text, bodyTruncated === true);
  const v1 = attemptAtV1(body, header);
  const v2 = attemptAtV2(headers, header, body);
  return {
    url,
    noResponseReason: null,
    status,
    method: method?.toUpperCase() ?? null,
    headers,
    header,
    body,
    v2,
    v1,
    bodyPayable: v1 !== null && (findV1Refusal(v1) === null || findV2Refusal(v1) === null),
    schemaFaults: findSchemaFaults(v2?.bazaar?.schema),
    dialects: findDialects(headers, body),
    secondResponse: again === undefined ? null : { status: again.status, ...termsOf(toSubject(again, {})) },
    listing: listing ?? null,
    receivedAt: at ?? null,
  };
}

function refusalsOf(subject: RuleInput): Challenge['refusals'] {
  const { noResponseReason: silence, status, body } = subject;
  if (silence !== null) return { v1: NO_ANSWER, v2: NO_ANSWER };
  if (status !== 402) {
    const reason = `The answer has status ${String(status)}; clients pay for 402 only.`;
    return { v1: reason, v2: reason };
  }
  return { v1: refusalOfV1(body), v2: refusalOfV2(subject) };
}

function refusalOfV1(body: BodyReading): string | null {
  if (body.state === 'read') return findV1Refusal(body.envelope);
  return body.state === 'unreadable' && body.fault === 'too-long'
    ? 'The body is longer than is read here.'
    : 'The body is no JSON object.';
}

function refusalOfV2({ header, v1 }: RuleInput): string | null {
  if (header.state === 'read') return findV2Refusal(header.envelope);
  // The client looks at the body only when there is no header; it does not fall back from a bad one.
  if (header.state === 'unreadable') return 'The PAYMENT-REQUIRED header cannot be read.';
  return v1 === null
    ? 'There is no PAYMENT-REQUIRED header, and no envelope of version 1 in the body.'
    : findV2Refusal(v1);
}

/** Values by lower-case name. More fields of one name than any server sends, and more of a value than any client takes, are left out. */
function groupByName(fields: ChallengeResponse['headers']): Map<string, readonly string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of fields) {
    const key = name.toLowerCase();
    const values = headers.get(key) ?? [];
    if (values.length === 0) headers.set(key, values);
    if (values.length < FIELDS_OF_A_NAME) values.push(value.slice(0, MAX_HEADER_LENGTH + 1));
  }
  return headers;
}

/**
 * A body attempts version 1 when it says so. One that names no version does when it lists ways to pay: in the names
 * of version 1, or in any where there is no header for clients of version 2, for then it is all there is.
 */
function attemptAtV1(body: BodyReading, header: HeaderReading): Envelope | null {
  if (body.state !== 'read') return null;
  const { version, fields, entries } = body.envelope;
  if (version !== null) return version === 1 ? body.envelope : null;
  if (fields.x402Version !== undefined || !Array.isArray(fields.accepts)) return null;
  const isNamed = entries.some((entry) => entry?.fields.maxAmountRequired !== undefined);
  return isNamed || header.state === 'absent' ? body.envelope : null;
}

/**
 * The version 2 envelope: the header's; or, where there is no such header, one that was put into the body or under
 * another name. No client finds it there, and all else about it can still be judged.
 */
function attemptAtV2(
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

type Terms = Omit<Challenge, 'payable' | 'refusals' | 'checks' | 'verdict' | 'dialects'>;

function termsOf({ header, body, v2 }: RuleInput): Terms {
  if (header.state === 'read' && header.envelope.version !== null) return describe(header.envelope, 'header');
  if (body.state === 'read' && body.envelope.version !== null) return describe(body.envelope, 'body');
  if (v2?.version === 2) return describe(v2, 'header');
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

/** Version 1 describes the resource in every option, version 2 once; a bare text as `resource` is a fault, but plain. */
function describe(
  { version, fields, bazaar, resource, entries, options }: Envelope,
  source: 'header' | 'body',
): Terms {
  const first = version === 1 ? entries.find((entry) => entry !== null)?.fields : undefined;
  return {
    version,
    source,
    options,
    resourceUrl: cleanText(first?.resource ?? resource?.url ?? fields.resource, URL_LIMIT),
    description: cleanText(first?.description ?? resource?.description, DESCRIPTION_LIMIT),
    mimeType: cleanText(first?.mimeType ?? resource?.mimeType, NAME_LIMIT),
    serviceName: cleanText(resource?.serviceName, NAME_LIMIT),
    discovery: readDiscovery(bazaar, entries),
  };
}
