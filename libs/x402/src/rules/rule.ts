import type { BodyEnd, Redirect } from '@touchstone/common';
import type { Entry, Envelope } from '../challenge/envelope.ts';
import type { BodyReading, HeaderReading } from '../challenge/read-header.ts';
import { isPaidByNone } from '../clients/response-payments.ts';
import type { Listing } from '../listing/read-listing.ts';
import type { SchemaFaults } from '../schema/schema-faults.ts';
import type { CheckAxis, CheckSeverity, DeclaredMethod, Dialect, PaymentOption } from '../types.ts';

const SPECS = 'https://github.com/x402-foundation/x402/blob/main/specs';

/**
 * Sources that the rules cite: protocol documents, the reference clients, the CDP directory, reports of sellers, and
 * Touchstone's own judgement.
 */
export const SOURCES = {
  V2: { title: 'x402 v2 specification', url: `${SPECS}/x402-specification-v2.md` },
  V2_HTTP: { title: 'x402 v2 HTTP transport', url: `${SPECS}/transports-v2/http.md` },
  V1: { title: 'x402 v1 specification', url: `${SPECS}/x402-specification-v1.md` },
  V1_HTTP: { title: 'x402 v1 HTTP transport', url: `${SPECS}/transports-v1/http.md` },
  EXACT_EVM: { title: 'x402 exact scheme on EVM', url: `${SPECS}/schemes/exact/scheme_exact_evm.md` },
  EXACT_SVM: { title: 'x402 exact scheme on Solana', url: `${SPECS}/schemes/exact/scheme_exact_svm.md` },
  BAZAAR: { title: 'x402 discovery extension', url: `${SPECS}/extensions/bazaar.md` },
  SIWX: { title: 'x402 sign-in-with-x extension', url: `${SPECS}/extensions/sign-in-with-x.md` },
  PAYMENT_ID: {
    title: 'x402 payment-identifier extension',
    url: `${SPECS}/extensions/payment_identifier.md`,
  },
  BUILDER_CODE: { title: 'x402 builder-code extension', url: `${SPECS}/extensions/builder_code.md` },
  V2_CLIENT: {
    title: 'version 2 client, @x402/core and @x402/evm 2.27',
    url: 'https://www.npmjs.com/package/@x402/core/v/2.27.0',
  },
  SVM_CLIENT: {
    title: 'version 2 client on Solana, @x402/svm 2.27',
    url: 'https://www.npmjs.com/package/@x402/svm/v/2.27.0',
  },
  V1_CLIENT: {
    title: 'version 1 client, x402 and x402-fetch 1.2',
    url: 'https://www.npmjs.com/package/x402/v/1.2.0',
  },
  CIRCLE: {
    title: 'Circle Gateway, EIP-3009 authorizations',
    url: 'https://developers.circle.com/gateway/nanopayments/howtos/eip-3009-signing',
  },
  CDP: { title: 'CDP discovery directory', url: 'https://docs.cdp.coinbase.com/x402/bazaar' },
  REPORTS: { title: 'reports of sellers about x402', url: 'https://github.com/x402-foundation/x402/issues' },
  CAIP2: { title: 'CAIP-2', url: 'https://chainagnostic.org/CAIPs/caip-2' },
  CAIP19: { title: 'CAIP-19', url: 'https://chainagnostic.org/CAIPs/caip-19' },
  EIP55: { title: 'ERC-55', url: 'https://eips.ethereum.org/EIPS/eip-55' },
  EIP712: { title: 'EIP-712', url: 'https://eips.ethereum.org/EIPS/eip-712' },
  HTTP: { title: 'RFC 9110', url: 'https://www.rfc-editor.org/rfc/rfc9110' },
  CACHING: { title: 'RFC 9111', url: 'https://www.rfc-editor.org/rfc/rfc9111' },
  JSON: { title: 'RFC 8259', url: 'https://www.rfc-editor.org/rfc/rfc8259' },
  CORS: { title: 'Fetch standard', url: 'https://fetch.spec.whatwg.org/' },
  TOUCHSTONE: { title: "Touchstone's own rule", url: '' },
} as const;

/** Citation of one clause of a source. Reports and the command line print it with each rule. */
export interface Reference {
  readonly source: keyof typeof SOURCES;
  /** Section or member, as in `5.1.2` or `decodePaymentRequiredHeader`; empty for the whole document. */
  readonly clause: string;
}

const OWN_RULE: Reference = { source: 'TOUCHSTONE', clause: '' };

/** Formats the title of the source and the clause of a reference. */
export function formatCitation({ source, clause }: Reference = OWN_RULE): string {
  const { title } = SOURCES[source];
  return clause === '' ? title : `${title}, ${clause}`;
}

/** Formats a reference as one line: title, clause and URL. */
export function describeReference(reference: Reference = OWN_RULE): string {
  const { url } = SOURCES[reference.source];
  const citation = formatCitation(reference);
  return url === '' ? citation : `${citation}: ${url}`;
}

/** Response to a second unpaid request, which repeats the first request. */
export interface SecondResponse {
  readonly status: number;
  /** x402 version of the envelope that contains the options; null for a response without an envelope. */
  readonly version: 1 | 2 | null;
  readonly options: readonly PaymentOption[];
}

/** Parsed response and its context: the input of every rule. */
export interface RuleInput {
  readonly url: string;
  /** Redirects that were followed to the response, in order. */
  readonly redirects: readonly Redirect[];
  /** Statuses of the interim (1xx) responses before the response. */
  readonly interimStatuses: readonly number[];
  readonly bodyEnd: BodyEnd;
  /**
   * Reason why no response arrived, such as a timeout; null when a response arrived. Without a response, `status` is 0
   * and there are no headers and no body.
   */
  readonly noResponseReason: string | null;
  readonly status: number;
  /** Request method in upper case; null when it is not known. */
  readonly method: string | null;
  /** Result of `selectHeaders`: values by lower-case name. A repeated header has one value per header field. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  /** Size of all header names and values, in bytes; 0 when no client rejects the response because of this size. */
  readonly headerBytes: number;
  readonly header: HeaderReading;
  readonly body: BodyReading;
  /**
   * Envelope (JSON object with the payment options) in the PAYMENT-REQUIRED header, unless its version is 1. If that
   * header is absent: version 2 envelope in the body or in a misnamed header. Null if there is no such envelope.
   */
  readonly v2: Envelope | null;
  /** JSON object in the body that is meant as a version 1 envelope; null when the body contains no such object. */
  readonly v1: Envelope | null;
  /** Faults in the schema of the version 2 discovery extension; null when there is no schema. */
  readonly schemaFaults: SchemaFaults | null;
  readonly dialects: readonly Dialect[];
  /** Response to a second unpaid request; null when no such request was sent. */
  readonly secondResponse: SecondResponse | null;
  readonly listing: Listing | null;
  /** Response to the declared method, if another method was requested; null when that method was not requested. */
  readonly declaredMethod: DeclaredMethod | null;
  /** Ids of the facilitators that settled recent payments to the seller, with `other` for unknown ones; may be empty. */
  readonly settledThrough: readonly string[];
  /** Time of the response, in milliseconds since the epoch; null when it is not known. */
  readonly receivedAt: number | null;
}

/** Failure of a rule. `severity` and `axis` override the values of the rule. */
interface Failure {
  readonly message: string;
  readonly severity?: CheckSeverity;
  readonly axis?: CheckAxis;
}

export type Outcome = 'pass' | 'skip' | Failure;

/** Result of a rule that applies to the response, but was not evaluated. */
export interface NotEvaluated {
  readonly skipReason: string;
}

/** Compliance rule: one row of a rule table. */
export interface Rule {
  readonly id: string;
  /** Default axis and severity of a failure. A `Failure` can override both. */
  readonly level: readonly [axis: CheckAxis, severity: CheckSeverity];
  /** One sentence that is true of every response that passes the rule. */
  readonly requirement: string;
  /** Instruction to the seller of an endpoint that fails the rule. */
  readonly fix: string;
  /** Source of the rule; absent for Touchstone's own rule. */
  readonly reference?: Reference;
  /** True for a rule that also applies to responses that are not a challenge. */
  readonly appliesToEveryResponse?: true;
  readonly check: (input: RuleInput) => Outcome | NotEvaluated;
}

/**
 * Returns `pass` if the condition is true, else a failure with the given message.
 *
 * @param message text, or a function that returns the text and is called only on failure
 */
export function passIf(
  condition: boolean,
  message: string | (() => string),
  change: Omit<Failure, 'message'> = {},
): Outcome {
  if (condition) return 'pass';
  return { message: typeof message === 'string' ? message : message(), ...change };
}

/** Returns the requested URL, then the targets of the followed redirects. */
export function listRequestUrls({ url, redirects }: RuleInput): readonly [string, ...string[]] {
  return [url, ...redirects.map((redirect) => redirect.url)];
}

/** Creates a check of the version 2 envelope. The check skips responses without such an envelope. */
export function checkV2Envelope(check: (v2: Envelope) => Outcome): Rule['check'] {
  return ({ v2 }) => (v2 === null ? 'skip' : check(v2));
}

/** Creates a check of the version 1 envelope. The check skips responses without such an envelope. */
export function checkV1Envelope(check: (v1: Envelope) => Outcome): Rule['check'] {
  return ({ v1 }) => (v1 === null ? 'skip' : check(v1));
}

/** Creates a check of every option of the version 2 envelope. */
export function checkEachV2Option(check: (entry: Entry) => Outcome): Rule['check'] {
  return ({ v2 }) => checkEachEntry(v2, check);
}

/**
 * Creates a check whose failure is an error on the payable axis if no reference client pays the response. Otherwise the
 * failure keeps its severity.
 */
export function raiseIfUnpayable(check: Rule['check']): Rule['check'] {
  return (input) => {
    const outcome = check(input);
    if (typeof outcome !== 'object' || !('message' in outcome) || !isPaidByNone(input)) return outcome;
    return { ...outcome, severity: 'error', axis: 'payable' };
  };
}

/** Creates a check of every option of the version 1 envelope. */
export function checkEachV1Option(check: (entry: Entry) => Outcome): Rule['check'] {
  return ({ v1 }) => checkEachEntry(v1, check);
}

/**
 * Checks every entry of `accepts` and combines the results into one outcome. That outcome is the most severe failure,
 * with the number of failed entries. If `accepts` is longer than the limit, the message also contains the number of
 * checked entries. Skips entries that are not objects, because the rule `v2-accepts-array` reports them.
 *
 * @returns `skip` when no entry could be checked
 */
export function checkEachEntry(envelope: Envelope | null, check: (entry: Entry) => Outcome): Outcome {
  if (envelope === null) return 'skip';
  let [checked, failed, worstIndex] = [0, 0, 0];
  let worst: Failure | null = null;
  for (const [index, entry] of envelope.entries.entries()) {
    const outcome = entry === null ? 'skip' : check(entry);
    if (outcome === 'skip') continue;
    checked += 1;
    if (outcome === 'pass') continue;
    failed += 1;
    if (worst !== null && rankFailure(outcome) <= rankFailure(worst)) continue;
    [worst, worstIndex] = [outcome, index];
  }
  if (worst === null) return checked === 0 ? 'skip' : 'pass';
  return { ...worst, message: worst.message + formatFailedShare(envelope, failed, worstIndex) };
}

function formatFailedShare({ entries, length }: Envelope, failed: number, worstIndex: number): string {
  if (length < 2) return '';
  const read = length > entries.length ? `the first ${String(entries.length)}` : String(length);
  return ` (accepts[${String(worstIndex)}]; affects ${String(failed)} of ${read} options)`;
}

/**
 * Returns the rank of a failure by severity: 2 for an explicit error, 1 for the default severity of the rule, 0 for an
 * explicit lower severity.
 */
function rankFailure({ severity }: Failure): number {
  if (severity === undefined) return 1;
  return severity === 'error' ? 2 : 0;
}
