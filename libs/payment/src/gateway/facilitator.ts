import { HTTPFacilitatorClient, type FacilitatorClient } from '@x402/core/server';
import { createCdpHeaders, type CdpKey } from './cdp-headers.ts';

export interface FacilitatorOptions {
  /** Base URL of the facilitator; `/verify` and `/settle` are appended. */
  readonly url: string;
  /** API key for the facilitator of the Coinbase Developer Platform. Most other facilitators need no key. */
  readonly auth?: CdpKey;
  /** Timeouts in milliseconds; default 5,000 for a verification and 30,000 for a settlement. */
  readonly timeouts?: { readonly verifyMs: number; readonly settleMs: number };
}

/**
 * Creates an HTTP client of a facilitator (x402 version 2, section 7) without sending a request.
 * @throws Error when the key cannot be read
 */
export const createFacilitator = ({ url, auth, timeouts }: FacilitatorOptions): FacilitatorClient => {
  const { verifyMs, settleMs } = timeouts ?? { verifyMs: 5_000, settleMs: 30_000 };
  const authentication = auth === undefined ? {} : { createAuthHeaders: createCdpHeaders(auth, url) };
  const verifier = new HTTPFacilitatorClient({ url, timeoutMs: verifyMs, ...authentication });
  const settler = new HTTPFacilitatorClient({ url, timeoutMs: settleMs, ...authentication });
  return {
    verify: (payload, requirements) => verifier.verify(payload, requirements),
    settle: (payload, requirements) => settler.settle(payload, requirements),
    getSupported: () => verifier.getSupported(),
  };
};
