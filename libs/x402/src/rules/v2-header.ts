import {
  checkBase64,
  checkHeaderName,
  checkHeaderPresent,
  checkHeaderSingle,
  checkJson,
  checkStrictJson,
  checkUniqueNames,
} from './header-checks.ts';
import { isObject } from '../is-object.ts';
import { expect, onV2, type Rule } from './rule.ts';
import { quote } from '../text.ts';

/** The largest directory takes no more options. Source: CDP discovery, `accepts` maxItems. */
const MAX_OPTIONS = 16;

/** Rules on the PAYMENT-REQUIRED header and the members of the envelope that concern it as a whole. */
export const V2_HEADER_RULES: readonly Rule[] = [
  {
    id: 'v2-header-present',
    axis: 'payable',
    severity: 'error',
    holds: 'The challenge is in the PAYMENT-REQUIRED header.',
    fix: 'Send the version 2 envelope as base64 in a header named PAYMENT-REQUIRED.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    check: checkHeaderPresent,
  },
  {
    id: 'v2-header-name',
    axis: 'payable',
    severity: 'error',
    holds: 'The header has the name clients look for.',
    fix: 'Rename the header to PAYMENT-REQUIRED.',
    reference: { source: 'V2_HTTP', clause: 'Header Summary' },
    check: checkHeaderName,
  },
  {
    id: 'v2-header-single',
    axis: 'payable',
    severity: 'warning',
    holds: 'There is exactly one PAYMENT-REQUIRED header.',
    fix: 'Send the header once; look for a proxy or a second middleware that adds it again.',
    reference: { source: 'HTTP', clause: '5.3' },
    check: checkHeaderSingle,
  },
  {
    id: 'v2-base64-standard',
    axis: 'payable',
    severity: 'error',
    holds: 'The header is base64 of the standard alphabet.',
    fix: 'Encode with standard base64, not with the URL-safe alphabet, and never send bare JSON.',
    reference: { source: 'V2_CLIENT', clause: 'decodePaymentRequiredHeader' },
    check: checkBase64,
  },
  {
    id: 'v2-json',
    axis: 'payable',
    severity: 'error',
    holds: 'The header decodes to a JSON object in UTF-8.',
    fix: 'Serialize the envelope as a JSON object, and encode its UTF-8 bytes.',
    reference: { source: 'JSON', clause: '8.1' },
    check: checkJson,
  },
  {
    id: 'v2-json-strict',
    axis: 'payable',
    severity: 'error',
    holds: 'The JSON has no NaN, no Infinity, no comments and no trailing commas.',
    fix: 'Let a strict serializer write the JSON, and leave out numbers that are not finite.',
    reference: { source: 'JSON', clause: '2 and 6' },
    check: checkStrictJson,
  },
  {
    id: 'v2-json-unique-keys',
    axis: 'payable',
    severity: 'error',
    holds: 'No object of the envelope has two members of one name.',
    fix: 'Write every member once.',
    reference: { source: 'JSON', clause: '4' },
    check: checkUniqueNames,
  },
  {
    id: 'v2-version',
    axis: 'payable',
    severity: 'error',
    holds: 'x402Version is the number 2.',
    fix: 'Set x402Version to the number 2, without quotes.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: onV2(({ fields: { x402Version } }) =>
      expect(x402Version === 2, () => `x402Version is ${quote(x402Version)}.`),
    ),
  },
  {
    id: 'v2-error-type',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'error is absent or text.',
    fix: 'Make error one sentence of text, or leave it out.',
    reference: { source: 'V2', clause: '5.1.2' },
    // Null is let through: the reference schema takes it as absent.
    check: onV2(({ fields: { error } }) =>
      expect(
        error === undefined || error === null || typeof error === 'string',
        () => `error is ${quote(error)}.`,
      ),
    ),
  },
];

/** Rules on the list of options, before any option is looked at. */
export const V2_ACCEPTS_RULES: readonly Rule[] = [
  {
    id: 'v2-accepts-array',
    axis: 'payable',
    severity: 'error',
    holds: 'accepts is a list of objects.',
    fix: 'Make accepts a list, each element one object with one way to pay.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: onV2(({ fields: { accepts } }) => {
      if (!Array.isArray(accepts)) return { message: `accepts is ${quote(accepts)}, not a list.` };
      return expect(accepts.every(isObject), 'accepts has an element that is no object.');
    }),
  },
  {
    id: 'v2-accepts-nonempty',
    axis: 'payable',
    severity: 'error',
    holds: 'accepts offers at least one way to pay.',
    fix: 'Put at least one way to pay into accepts.',
    reference: { source: 'V2', clause: '5.1.2' },
    check: onV2(({ fields: { accepts } }) =>
      Array.isArray(accepts) ? expect(accepts.length > 0, 'accepts is empty: nothing can be paid.') : 'skip',
    ),
  },
  {
    id: 'v2-accepts-max',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'accepts offers at most 16 ways to pay.',
    fix: 'Offer the 16 ways to pay that buyers use most.',
    reference: { source: 'CDP', clause: 'accepts' },
    check: onV2(({ fields: { accepts } }) => {
      if (!Array.isArray(accepts) || accepts.length === 0) return 'skip';
      const message = `accepts offers ${String(accepts.length)} ways to pay; the largest directory takes 16.`;
      return expect(accepts.length <= MAX_OPTIONS, message);
    }),
  },
];
