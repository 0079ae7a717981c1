import type { Envelope } from '../../challenge/envelope.ts';
import { passIf, checkV1Envelope, type Outcome, type Rule, type RuleInput } from '../rule.ts';
import { quote } from '../../json/untrusted-json.ts';
import { canV1ClientParse } from '../../clients/v1-payment.ts';

function checkBodyJson({ header, body, v1, headers }: RuleInput): Outcome {
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
 * Checks that version 1 clients can parse every option. One unparsable option is a fault, because these clients parse
 * the whole list.
 */
function checkAllParse({ fields: { accepts } }: Envelope): Outcome {
  if (!Array.isArray(accepts) || accepts.length === 0) return 'skip';
  let bad = 0;
  for (const entry of accepts) {
    if (!canV1ClientParse(entry)) bad += 1;
    if (bad > MAX_COUNTED_OPTIONS) break;
  }
  const count = bad > MAX_COUNTED_OPTIONS ? `more than ${String(MAX_COUNTED_OPTIONS)}` : String(bad);
  const share = `${count} of ${String(accepts.length)} payment options`;
  return passIf(bad === 0, () => `Version 1 clients cannot parse ${share}, and reject the whole list.`);
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
        () => `error is ${quote(error)}; it must be a string.`,
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
    fix: 'Give every option all members that version 1 clients require, or remove it. One invalid option makes clients reject all.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: checkV1Envelope(checkAllParse),
  },
];
