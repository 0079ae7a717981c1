import {
  checkBase64,
  checkHeaderName,
  checkHeaderPresent,
  checkHeaderSingle,
  checkJson,
  checkStrictJson,
  checkUniqueKeys,
} from './header-checks.ts';
import { isObject } from '../../json/is-object.ts';
import { passIf, checkV2Envelope, type Rule } from '../rule.ts';
import { quote } from '../../json/clean-text.ts';

/** Maximum number of options that the CDP directory accepts. Source: CDP discovery, `accepts` maxItems. */
const MAX_OPTIONS = 16;

/** Rules for the PAYMENT-REQUIRED header and for the top-level members of the envelope. */
export const V2_HEADER_RULES: readonly Rule[] = [
  {
    id: 'v2-header-present',
    axis: 'payable',
    severity: 'error',
    requirement: 'The PAYMENT-REQUIRED header contains the challenge.',
    fix: 'Send the version 2 envelope as base64 in a header named PAYMENT-REQUIRED.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    check: checkHeaderPresent,
  },
  {
    id: 'v2-header-name',
    axis: 'payable',
    severity: 'error',
    requirement: 'The header has the name that clients read.',
    fix: 'Rename the header to PAYMENT-REQUIRED.',
    reference: { source: 'V2_HTTP', clause: 'Header Summary' },
    check: checkHeaderName,
  },
  {
    id: 'v2-header-single',
    axis: 'payable',
    severity: 'warning',
    requirement: 'There is exactly one PAYMENT-REQUIRED header.',
    fix: 'Send the header once. Check whether a proxy or a second middleware adds it again.',
    reference: { source: 'HTTP', clause: '5.3' },
    check: checkHeaderSingle,
  },
  {
    id: 'v2-base64-standard',
    axis: 'payable',
    severity: 'error',
    requirement: 'The header is standard base64.',
    fix: 'Encode the header as standard base64. Do not use the URL-safe alphabet, and do not send plain JSON.',
    reference: { source: 'V2_CLIENT', clause: 'decodePaymentRequiredHeader' },
    check: checkBase64,
  },
  {
    id: 'v2-json',
    axis: 'payable',
    severity: 'error',
    requirement: 'The header decodes to a JSON object in UTF-8.',
    fix: 'Serialize the envelope as a JSON object, and encode its UTF-8 bytes as base64.',
    reference: { source: 'JSON', clause: '8.1' },
    check: checkJson,
  },
  {
    id: 'v2-json-strict',
    axis: 'payable',
    severity: 'error',
    requirement: 'The JSON contains no NaN, Infinity, comments or trailing commas.',
    fix: 'Write the JSON with a strict serializer, and omit numbers that are not finite.',
    reference: { source: 'JSON', clause: '2 and 6' },
    check: checkStrictJson,
  },
  {
    id: 'v2-json-unique-keys',
    axis: 'payable',
    severity: 'error',
    requirement: 'In every object of the envelope, each member name occurs only once.',
    fix: 'Write every member once.',
    reference: { source: 'JSON', clause: '4' },
    check: checkUniqueKeys,
  },
  {
    id: 'v2-version',
    axis: 'payable',
    severity: 'error',
    requirement: 'x402Version is the number 2.',
    fix: 'Set x402Version to the number 2, without quotes.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV2Envelope(({ fields: { x402Version } }) =>
      passIf(x402Version === 2, () => `x402Version is ${quote(x402Version)}; it must be the number 2.`),
    ),
  },
  {
    id: 'v2-error-type',
    axis: 'hygiene',
    severity: 'warning',
    requirement: 'error is absent or a string.',
    fix: 'Set error to one sentence, or omit it.',
    reference: { source: 'V2', clause: '5.1.2' },
    // The reference schema treats null like a missing member.
    check: checkV2Envelope(({ fields: { error } }) =>
      passIf(
        error === undefined || error === null || typeof error === 'string',
        () => `error is ${quote(error)}; it must be a string.`,
      ),
    ),
  },
];

/** Rules for the list of payment options (`accepts`) as a whole. */
export const V2_ACCEPTS_RULES: readonly Rule[] = [
  {
    id: 'v2-accepts-array',
    axis: 'payable',
    severity: 'error',
    requirement: 'accepts is a list of objects.',
    fix: 'Make accepts a list of objects, each with one payment option.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: checkV2Envelope(({ fields: { accepts } }) => {
      if (!Array.isArray(accepts)) return { message: `accepts is ${quote(accepts)}; it must be a list.` };
      return passIf(accepts.every(isObject), 'accepts has an element that is not an object.');
    }),
  },
  {
    id: 'v2-accepts-nonempty',
    axis: 'payable',
    severity: 'error',
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
    axis: 'discoverable',
    severity: 'warning',
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
