import {
  checkBodyComplete,
  checkCacheControl,
  checkChallengeSize,
  checkContentType,
  checkCorsExpose,
  checkDeclaredMethod,
  checkHttps,
  checkInterim,
  checkReachable,
  checkServerError,
  checkStatus,
} from './response-checks.ts';
import type { NotEvaluated, Outcome, Rule, RuleInput } from '../rule.ts';
import { explainUnreadBody, findMisnamedHeader, isBodyUnknown } from '../../challenge/read-header.ts';
import { checkBodyJson } from '../v1/v1-rules.ts';
import { checkRedirect } from './redirect-checks.ts';
import { checkTermsStable } from './stable-terms.ts';

/**
 * Checks that the response has an envelope. Skips a response with an envelope that clients cannot read, because other
 * rules name the place of the envelope or the reason.
 */
function checkEnvelope(input: RuleInput): Outcome | NotEvaluated {
  const { header, body, v1 } = input;
  if (v1 !== null || (header.state === 'read' && header.envelope.version !== null)) return 'pass';
  if (header.state === 'absent' && body.state === 'unreadable' && isBodyUnknown(body))
    return { skipReason: explainUnreadBody(body.fault) };
  if (header.state !== 'absent' || findMisnamedHeader(input) !== undefined) return 'skip';
  if (isBodyUnreadable(input) || (body.state === 'read' && body.envelope.version === 2)) return 'skip';
  return {
    message:
      'No payment envelope was found: neither version 2 in the PAYMENT-REQUIRED header nor version 1 in the body.',
  };
}

/** Returns true for a body that the rule `http-body-complete` or the rule `v1-body-json` reports. */
function isBodyUnreadable(input: RuleInput): boolean {
  return [checkBodyComplete(input), checkBodyJson(input)].some((outcome) => typeof outcome === 'object');
}

/** Rules for the HTTP response as a whole. */
export const HTTP_RULES: readonly Rule[] = [
  {
    id: 'http-reachable',
    level: ['payable', 'error'],
    requirement: 'The endpoint responds.',
    fix: 'Remove the named cause. Clients need a host name that resolves, a valid certificate, TLS 1.2 or later, and a valid HTTP/1.1 response within seconds.',
    appliesToEveryResponse: true,
    check: checkReachable,
  },
  {
    id: 'http-status-402',
    level: ['payable', 'error'],
    requirement: 'An unpaid request gets status 402.',
    fix: 'On the path and method that you sell, respond with status 402 to every request without a payment. Other methods need no challenge.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    appliesToEveryResponse: true,
    check: checkStatus,
  },
  {
    id: 'http-not-5xx',
    level: ['payable', 'error'],
    requirement: 'The server does not respond with a 5xx error.',
    fix: 'Find the cause in the server log and fix it. The request fails before payment is requested.',
    reference: { source: 'V2_HTTP', clause: 'Error Handling' },
    appliesToEveryResponse: true,
    check: checkServerError,
  },
  {
    id: 'http-no-redirect',
    level: ['hygiene', 'warning'],
    requirement: 'The request is not redirected.',
    fix: 'Publish the final URL, so that clients need only one request. For POST, do not redirect with status 301, 302 or 303, which make clients send GET.',
    reference: { source: 'HTTP', clause: '15.4' },
    appliesToEveryResponse: true,
    check: checkRedirect,
  },
  {
    id: 'http-interim-response',
    level: ['payable', 'warning'],
    requirement: 'The server sends no interim response 100 that the request did not ask for.',
    fix: 'Send 100 Continue only to requests with Expect: 100-continue. Check the server and its proxies.',
    reference: { source: 'HTTP', clause: '15.2' },
    check: checkInterim,
  },
  {
    id: 'http-body-complete',
    level: ['payable', 'error'],
    requirement: 'Clients can read the body to its end.',
    fix: 'End the response after the challenge. Send a body that agrees with its Content-Length and Content-Encoding.',
    reference: { source: 'V2_CLIENT', clause: 'wrapFetchWithPayment' },
    check: checkBodyComplete,
  },
  {
    id: 'http-https',
    level: ['hygiene', 'error'],
    requirement: 'The endpoint is requested over https.',
    fix: 'Serve the endpoint over https, and publish its https URL.',
    reference: { source: 'CDP', clause: 'url_https' },
    check: checkHttps,
  },
  {
    id: 'http-declared-method-402',
    level: ['payable', 'error'],
    requirement: 'A request with the declared method gets status 402.',
    fix: 'Declare the method that requires payment. If the declared method is right, require payment for it.',
    reference: { source: 'BAZAAR', clause: 'info.input.method' },
    appliesToEveryResponse: true,
    check: checkDeclaredMethod,
  },
  {
    id: 'http-cache-control',
    level: ['hygiene', 'warning'],
    requirement: 'Cache-Control forbids shared caches to store the challenge.',
    fix: 'Send Cache-Control: no-store with every challenge.',
    reference: { source: 'CACHING', clause: '5.2.2' },
    check: checkCacheControl,
  },
  {
    id: 'http-v1-content-type',
    level: ['hygiene', 'warning'],
    requirement: 'A version 1 challenge has a JSON content type.',
    fix: 'Send Content-Type: application/json with the challenge.',
    reference: { source: 'V1_HTTP', clause: 'Payment Required Signaling' },
    check: checkContentType,
  },
  {
    id: 'http-cors-expose',
    level: ['hygiene', 'warning'],
    requirement: 'Cross-origin pages that can read the response can also read the payment headers.',
    fix: 'Send Access-Control-Expose-Headers: PAYMENT-REQUIRED, PAYMENT-RESPONSE.',
    reference: { source: 'CORS', clause: 'Access-Control-Expose-Headers' },
    check: checkCorsExpose,
  },
  {
    id: 'http-challenge-size',
    level: ['hygiene', 'warning'],
    requirement: 'The challenge fits into the header buffers of common proxies and clients.',
    fix: 'Keep all headers together below 8 KB. In the envelope, first shorten the examples and schemas of its extensions.',
    check: checkChallengeSize,
  },
  {
    id: 'envelope-present',
    level: ['payable', 'error'],
    requirement: 'The response has a payment envelope: version 2 in the header or version 1 in the body.',
    fix: 'Send the payment requirements base64-encoded in the PAYMENT-REQUIRED header.',
    reference: { source: 'V2_HTTP', clause: 'Payment Required Signaling' },
    check: checkEnvelope,
  },
  {
    id: 'terms-stable',
    level: ['payable', 'warning'],
    requirement: 'Two unpaid requests in a row get the same payment requirements.',
    fix: 'Keep the payment requirements of the unpaid request valid for the paid request, for at least maxTimeoutSeconds.',
    reference: { source: 'V2_CLIENT', clause: 'findMatchingRequirements' },
    check: checkTermsStable,
  },
];
