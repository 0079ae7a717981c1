import { HTTPFacilitatorClient, type FacilitatorClient } from '@x402/core/server';
import { createCdpHeaders, type CdpKey } from './cdp-headers.ts';

export interface FacilitatorOptions {
  /** Base URL; `/verify` and `/settle` are below it. */
  readonly url: string;
  /** API key of the Coinbase Developer Platform, which its facilitator requires. Most others need none. */
  readonly auth?: CdpKey;
  /** Timeouts in milliseconds; default 5,000 and 30,000. */
  readonly timeouts?: { readonly verifyMs: number; readonly settleMs: number };
}

/**
 * Creates a client of a facilitator over HTTP (x402 version 2, section 7). It sends no request yet.
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
