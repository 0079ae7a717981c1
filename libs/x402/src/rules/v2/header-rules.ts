import { isJsonObject } from '@touchstone/common';
import { findMisnamedHeader, isBodyUnknown, type HeaderFault } from '../../challenge/read-header.ts';
import { passIf, type Outcome, type RuleInput, checkV2Envelope, type Rule } from '../rule.ts';
import { findJsonViolation, findDuplicateMember } from '../../json/strict-json.ts';
import { quote } from '../../json/untrusted-json.ts';

/**
 * Checks that a response with a version 1 envelope also has a PAYMENT-REQUIRED header. Version 2 clients read the
 * version 1 envelope, too, but directories read only the header. Skips a response without a version 1 envelope, because
 * other rules report that clients find no envelope.
 */
function checkHeaderPresent(input: RuleInput): Outcome {
  const { header, body, v1 } = input;
  if (header.state !== 'absent') return 'pass';
  if (findMisnamedHeader(input) !== undefined || (v1 === null && !isBodyUnknown(body))) return 'skip';
  return { message: 'There is no PAYMENT-REQUIRED header, so directories find no envelope.' };
}

function checkHeaderName(input: RuleInput): Outcome {
  if (input.header.state !== 'absent') return 'pass';
  const wrong = findMisnamedHeader(input);
  if (wrong === undefined) return 'skip';
  return { message: `The envelope is in a header named ${wrong}; clients read only PAYMENT-REQUIRED.` };
}

function checkHeaderSingle({ header }: RuleInput): Outcome {
  if (header.state === 'absent') return 'skip';
  const message = `PAYMENT-REQUIRED was sent ${String(header.fields)} times. Clients read the values as one, which is not base64, and refuse it.`;
  return passIf(header.fields === 1, message);
}

/** Faults of the PAYMENT-REQUIRED header, in the order of its decoding steps. */
const HEADER_FAULT_ORDER: readonly HeaderFault[] = ['too-long', 'not-base64', 'not-json', 'not-object'];

/**
 * Checks one decoding step of the PAYMENT-REQUIRED header. Fails if decoding stopped with `fault`, passes if decoding
 * got further, and skips if decoding stopped at an earlier step.
 */
function checkReadingStage({ header }: RuleInput, fault: HeaderFault, message: string): Outcome {
  if (header.state === 'absent') return 'skip';
  if (header.state === 'read') return 'pass';
  if (header.fault === fault) return { message };
  return HEADER_FAULT_ORDER.indexOf(header.fault) < HEADER_FAULT_ORDER.indexOf(fault) ? 'skip' : 'pass';
}

function checkBase64(input: RuleInput): Outcome {
  // The rule `v2-header-single` reports a repeated header.
  if (typeof checkHeaderSingle(input) === 'object') return 'skip';
  return checkReadingStage(
    input,
    'not-base64',
    'The header is not standard base64 (letters, digits, + and /, with or without = padding).',
  );
}

function checkJson(input: RuleInput): Outcome {
  const { header } = input;
  // The rule `v2-json-strict` reports common violations of the JSON grammar, such as a trailing comma.
  if (hasKnownViolation(input)) return 'skip';
  const outcome = checkReadingStage(input, 'not-json', 'The header decodes to text that is not JSON.');
  if (outcome !== 'pass') return outcome;
  if (header.state === 'read' && !header.isUtf8) {
    const message =
      'The header decodes to bytes that are not valid UTF-8; clients replace the invalid bytes.';
    return { message, severity: 'warning', axis: 'hygiene' };
  }
  return checkReadingStage(input, 'not-object', 'The header decodes to JSON that is not an object.');
}

function hasKnownViolation({ header }: RuleInput): boolean {
  return (
    header.state === 'unreadable' &&
    header.fault === 'not-json' &&
    header.text !== null &&
    findJsonViolation(header.text) !== null
  );
}

function checkStrictJson({ header }: RuleInput): Outcome {
  if (header.state === 'absent' || (header.state === 'unreadable' && header.text === null)) return 'skip';
  if (header.state === 'read' || header.fault !== 'not-json') return 'pass';
  const violation = findJsonViolation(header.text ?? '');
  if (violation === null) return 'skip';
  return {
    message: `The decoded header contains ${violation}, which is not valid JSON; clients cannot read any of it.`,
  };
}

/** Checks the member names of a JSON text. Rules for version 1 use this function too. */
export function checkUniqueKeys(text: string): Outcome {
  const path = findDuplicateMember(text);
  return path === null
    ? 'pass'
    : { message: `${quote(formatPath(path))} occurs twice; clients differ in which of the values they use.` };
}

/** Formats the path of a member, as in `accepts[0].payTo`. */
function formatPath(path: readonly (string | number)[]): string {
  return path
    .map((step, index) =>
      typeof step === 'number' ? `[${String(step)}]` : `${index === 0 ? '' : '.'}${step}`,
    )
    .join('');
}

/** Maximum number of options that the CDP directory accepts. Source: CDP discovery, `accepts` maxItems. */
const MAX_OPTIONS = 16;

/** Rules for the PAYMENT-REQUIRED header and for the top-level members of the envelope. */
export const V2_HEADER_RULES: readonly Rule[] = [
  {
    id: 'v2-header-present',
    level: ['discoverable', 'warning'],
    requirement: 'The PAYMENT-REQUIRED header contains the challenge.',
    fix: 'Send the version 2 envelope as base64 in a header named PAYMENT-REQUIRED.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    check: checkHeaderPresent,
  },
  {
    id: 'v2-header-name',
    level: ['payable', 'error'],
    requirement: 'The header has the name that clients read.',
    fix: 'Rename the header to PAYMENT-REQUIRED.',
    reference: { source: 'V2_HTTP', clause: 'Header Summary' },
    check: checkHeaderName,
  },
  {
    id: 'v2-header-single',
    level: ['payable', 'error'],
    requirement: 'There is exactly one PAYMENT-REQUIRED header.',
    fix: 'Send the header once. Check whether a proxy or a second middleware adds it again.',
    reference: { source: 'HTTP', clause: '5.3' },
    check: checkHeaderSingle,
  },
  {
    id: 'v2-base64-standard',
    level: ['payable', 'error'],
    requirement: 'The header is standard base64.',
    fix: 'Encode the header as standard base64. Do not use the URL-safe alphabet, and do not send plain JSON.',
    reference: { source: 'V2_CLIENT', clause: 'decodePaymentRequiredHeader' },
    check: checkBase64,
  },
  {
    id: 'v2-json',
    level: ['payable', 'error'],
    requirement: 'The header decodes to a JSON object in UTF-8.',
    fix: 'Serialize the envelope as a JSON object, and encode its UTF-8 bytes as base64.',
    reference: { source: 'JSON', clause: '8.1' },
    check: checkJson,
  },
  {
    id: 'v2-json-strict',
    level: ['payable', 'error'],
    requirement: 'The JSON contains no NaN, Infinity, comments or trailing commas.',
    fix: 'Write the JSON with a strict serializer, and omit numbers that are not finite.',
    reference: { source: 'JSON', clause: '2 and 6' },
    check: checkStrictJson,
  },
  {
    id: 'v2-json-unique-keys',
    level: ['payable', 'error'],
    requirement: 'In every object of the envelope, each member name occurs only once.',
    fix: 'Write every member once.',
    reference: { source: 'JSON', clause: '4' },
    check: ({ header }) => (header.state === 'read' ? checkUniqueKeys(header.text) : 'skip'),
  },
  {
    id: 'v2-version',
    level: ['payable', 'error'],
    requirement: 'x402Version is the number 2.',
    fix: 'Set x402Version to the number 2, without quotes.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV2Envelope(({ fields: { x402Version } }) =>
      passIf(x402Version === 2, () => `x402Version is ${quote(x402Version)}; it must be the number 2.`),
    ),
  },
  {
    id: 'v2-error-type',
    level: ['hygiene', 'warning'],
    requirement: 'error is absent or a string.',
    fix: 'Set error to one sentence, or omit it.',
    reference: { source: 'V2', clause: '5.1.2' },
    // The reference schema treats null like a missing member.
    check: checkV2Envelope(({ fields: { error } }) =>
      passIf(
        error === undefined || error === null || typeof error === 'string',
        () => `error is ${quote(error)}; it should be a string.`,
      ),
    ),
  },
];

/** Rules for the list of payment options (`accepts`) as a whole. */
export const V2_ACCEPTS_RULES: readonly Rule[] = [
  {
    id: 'v2-accepts-array',
    level: ['payable', 'error'],
    requirement: 'accepts is a list of objects.',
    fix: 'Make accepts a list of objects, each with one payment option.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV2Envelope(({ fields: { accepts } }) => {
      if (!Array.isArray(accepts)) return { message: `accepts is ${quote(accepts)}; it must be a list.` };
      return passIf(accepts.every(isJsonObject), 'accepts has an element that is not an object.');
    }),
  },
  {
    id: 'v2-accepts-nonempty',
    level: ['payable', 'error'],
    requirement: 'accepts contains at least one payment option.',
    fix: 'Add at least one payment option to accepts.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV2Envelope(({ fields: { accepts } }) =>
      Array.isArray(accepts)
        ? passIf(accepts.length > 0, 'accepts is empty, so nothing can be paid.')
        : 'skip',
    ),
  },
  {
    id: 'v2-accepts-max',
    level: ['discoverable', 'warning'],
    requirement: 'accepts contains at most 16 payment options.',
    fix: 'Keep the 16 payment options that buyers use most.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: checkV2Envelope(({ fields: { accepts } }) => {
      if (!Array.isArray(accepts) || accepts.length === 0) return 'skip';
      const message = `accepts contains ${String(accepts.length)} payment options; the CDP directory accepts at most 16.`;
      return passIf(accepts.length <= MAX_OPTIONS, message);
    }),
  },
];
