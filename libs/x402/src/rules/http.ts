import { checkCacheControl, checkChallengeSize, checkContentType, checkCorsExpose } from './http-headers.ts';
import {
  checkDeclaredMethod,
  checkHttps,
  checkReachable,
  checkRedirect,
  checkServerError,
  checkStatus,
} from './http-status.ts';
import { expect, type Outcome, type Rule, type Subject } from './rule.ts';
import { checkTermsStable } from './terms-stable.ts';

function checkEnvelope({ header, v1 }: Subject): Outcome {
  // Several fields hold several envelopes; that they are several is another rule's finding.
  if (header.state === 'unreadable' && header.fields > 1 && v1 === null) return 'skip';
  return expect(
    (header.state === 'read' && header.envelope.version !== null) || v1 !== null,
    'No envelope was found, neither of version 2 in the PAYMENT-REQUIRED header nor of version 1 in the body.',
  );
}

/** Rules on the answer as a whole, in the order a client meets what they ask for. */
export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http-reachable',
    axis: 'payable',
    severity: 'error',
    holds: 'The endpoint answers.',
    fix: 'Make the host resolve, accept connections with a valid certificate, and answer within seconds.',
    reference: { source: 'HOUSE', clause: '' },
    always: true,
    check: checkReachable,
  },
  {
    id: 'http-status-402',
    axis: 'payable',
    severity: 'error',
    holds: 'An unpaid request is answered with status 402.',
    fix: 'Answer every request that carries no payment with status 402, on the path and method that are sold.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    always: true,
    check: checkStatus,
  },
  {
    id: 'http-not-5xx',
    axis: 'payable',
    severity: 'error',
    holds: 'The server does not fail.',
    fix: 'Find out from the server log why the request fails before payment is asked for, and mend it.',
    reference: { source: 'V2_HTTP', clause: 'Error Handling' },
    always: true,
    check: checkServerError,
  },
  {
    id: 'http-no-redirect',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'The request is answered where it was sent.',
    fix: 'Publish the URL that answers itself: on redirects, clients turn POST into GET and drop headers.',
    reference: { source: 'HTTP', clause: '15.4' },
    always: true,
    check: checkRedirect,
  },
  {
    id: 'http-https',
    axis: 'hygiene',
    severity: 'error',
    holds: 'The endpoint is asked over https.',
    fix: 'Serve the endpoint over https, and publish its https URL.',
    reference: { source: 'CDP', clause: 'url_https' },
    check: checkHttps,
  },
  {
    id: 'http-declared-method-402',
    axis: 'payable',
    severity: 'error',
    holds: 'The method the seller declares is answered with status 402.',
    fix: 'Gate the declared method, or declare the method that is gated.',
    reference: { source: 'BAZAAR', clause: 'info.input.method' },
    always: true,
    check: checkDeclaredMethod,
  },
  {
    id: 'http-cache-control',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Caches are told not to keep the challenge.',
    fix: 'Send Cache-Control: no-store with every challenge.',
    reference: { source: 'CACHING', clause: '5.2.2' },
    check: checkCacheControl,
  },
  {
    id: 'http-v1-content-type',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'A version 1 challenge is declared as JSON.',
    fix: 'Send Content-Type: application/json with the challenge.',
    reference: { source: 'V1_HTTP', clause: 'Payment Required Signaling' },
    check: checkContentType,
  },
  {
    id: 'http-cors-expose',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Where pages of other origins may read the answer, they may read the payment headers.',
    fix: 'Send Access-Control-Expose-Headers: PAYMENT-REQUIRED, PAYMENT-RESPONSE.',
    reference: { source: 'CORS', clause: 'Access-Control-Expose-Headers' },
    check: checkCorsExpose,
  },
  {
    id: 'http-challenge-size',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'The challenge fits the header buffers of common proxies and clients.',
    fix: 'Shorten the envelope, examples and schemas of its extensions first, until the header is below 8 KB.',
    reference: { source: 'HOUSE', clause: '' },
    check: checkChallengeSize,
  },
  {
    id: 'envelope-present',
    axis: 'payable',
    severity: 'error',
    holds: 'The answer carries an envelope: version 2 in the header or version 1 in the body.',
    fix: 'Send the terms of payment base64-encoded in the PAYMENT-REQUIRED header.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    check: checkEnvelope,
  },
  {
    id: 'terms-stable',
    axis: 'payable',
    severity: 'warning',
    holds: 'Two unpaid requests in a row are offered the same terms.',
    fix: 'Offer the paid request the terms the unpaid one was offered, for as long as maxTimeoutSeconds says.',
    reference: { source: 'V2_CLIENT', clause: 'findMatchingRequirements' },
    check: checkTermsStable,
  },
];
