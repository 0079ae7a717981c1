import type { Entry, Envelope } from '../../challenge/envelope.ts';
import { passIf, checkV1Envelope, type Outcome, type Rule, type RuleInput } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import { canV1ClientParse, describeUnparsed, listUnparsedMembers } from '../../clients/v1-payment.ts';
import { checkUniqueKeys } from '../v2/header-rules.ts';
import { isPayableOnEvm } from './v1-option-rules.ts';

/** Checks that a body with a JSON content type is a JSON object, which can contain the envelope. */
export function checkBodyJson({ header, body, v1, headers }: RuleInput): Outcome {
  if (v1 !== null) return 'pass';
  const type = (headers.get('content-type') ?? []).join().toLowerCase();
  // A response with a PAYMENT-REQUIRED header may have any body. Without that header, a JSON body must be the envelope.
  if (header.state !== 'absent' || body.state !== 'unreadable' || !type.includes('json')) return 'skip';
  // The rule `http-body-complete` reports a body without an end.
  if (body.fault !== 'not-json' && body.fault !== 'not-object') return 'skip';
  return {
    message: 'The Content-Type is JSON, but the body is not a JSON object, so it contains no envelope.',
  };
}

/**
 * Maximum number of unparsable `accepts` entries that are counted. A long body can contain tens of thousands of
 * entries.
 */
const MAX_COUNTED_OPTIONS = 64;

/**
 * Members with a rule that reports every value that version 1 clients cannot parse. `extra` has such a rule only in
 * options on EVM networks.
 */
const MEMBERS_WITH_RULE: ReadonlySet<string> = new Set([
  ...['scheme', 'network', 'maxAmountRequired', 'resource', 'description', 'mimeType', 'payTo'],
  ...['maxTimeoutSeconds', 'asset'],
]);

/**
 * Checks that version 1 clients can parse every option. One unparsable option is a fault, because these clients parse
 * the whole list. Skips a list in which other rules report every fault. Those rules read only the first entries.
 */
function checkAllParse({ fields: { accepts }, entries }: Envelope): Outcome {
  if (!Array.isArray(accepts) || accepts.length === 0) return 'skip';
  let [bad, isExplained] = [0, false];
  let message = '';
  for (const [position, entry] of accepts.entries()) {
    if (canV1ClientParse(entry)) continue;
    const members = listUnparsedMembers(entry);
    const unexplained = members.filter((member) => !isReported(member, entries[position]));
    isExplained ||= members.length > 0 && unexplained.length === 0;
    if (members.length > 0 && unexplained.length === 0) continue;
    bad += 1;
    message ||= describeUnparsed(entry, position, unexplained);
    if (bad > MAX_COUNTED_OPTIONS) break;
  }
  if (bad === 0) return isExplained ? 'skip' : 'pass';
  const count = bad > MAX_COUNTED_OPTIONS ? `more than ${String(MAX_COUNTED_OPTIONS)}` : String(bad);
  const share = `affects ${count} of ${String(accepts.length)} options`;
  return { message: `${message}. Version 1 clients reject the whole list (${share}).` };
}

/** Returns true if another rule reports a member that version 1 clients cannot parse. */
function isReported(member: string, entry: Entry | null | undefined): boolean {
  if (entry === null || entry === undefined) return false;
  return MEMBERS_WITH_RULE.has(member) || (member === 'extra' && isPayableOnEvm(entry));
}

/** Rules for a version 1 body. The rules skip a body that is not meant as a version 1 envelope. */
export const V1_RULES: readonly Rule[] = [
  {
    id: 'v1-body-json',
    level: ['payable', 'error'],
    requirement: 'A body that is meant as the envelope is a JSON object.',
    fix: 'Send the envelope as one valid JSON object.',
    reference: { source: 'V1_HTTP', clause: 'Payment Required Signaling' },
    check: checkBodyJson,
  },
  {
    id: 'v1-json-unique-keys',
    level: ['payable', 'error'],
    requirement: 'In every object of the envelope, each member name occurs only once.',
    fix: 'Write every member once.',
    reference: { source: 'JSON', clause: '4' },
    check: ({ v1, body }) => (v1 === null || body.state !== 'read' ? 'skip' : checkUniqueKeys(body.text)),
  },
  {
    id: 'v1-version',
    level: ['payable', 'error'],
    requirement: 'x402Version is the number 1.',
    fix: 'Set x402Version in the body to the number 1.',
    reference: { source: 'V1', clause: '5.1.2, x402Version' },
    check: checkV1Envelope(({ fields: { x402Version } }) =>
      passIf(x402Version === 1, () => `x402Version is ${quote(x402Version)}; it must be the number 1.`),
    ),
  },
  {
    id: 'v1-error',
    level: ['hygiene', 'warning'],
    requirement: 'error is absent or a string.',
    fix: 'Set error to a sentence that gives the reason for the payment request.',
    reference: { source: 'V1', clause: '5.1.2, error' },
    check: checkV1Envelope(({ fields: { error } }) =>
      passIf(
        error === undefined || typeof error === 'string',
        () => `error is ${quote(error)}; it should be a string.`,
      ),
    ),
  },
  {
    id: 'v1-accepts-nonempty',
    level: ['payable', 'error'],
    requirement: 'accepts contains at least one payment option.',
    fix: 'Set accepts to a list with at least one payment option.',
    reference: { source: 'V1', clause: '5.1.2, accepts' },
    check: checkV1Envelope(({ entries }) =>
      passIf(entries.length > 0, 'accepts is not a list or is empty, so nothing can be paid.'),
    ),
  },
  {
    id: 'v1-all-entries-parse',
    level: ['payable', 'error'],
    requirement: 'Version 1 clients can parse every payment option.',
    fix: 'Correct the named members, or remove the option. One invalid option makes clients reject all.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: checkV1Envelope(checkAllParse),
  },
];
