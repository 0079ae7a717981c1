import { HTTPFacilitatorClient, type FacilitatorClient } from '@x402/core/server';
import { cdpHeaders, type CdpKey } from './cdp-headers.ts';

export interface FacilitatorOptions {
  /** Base URL; `/verify` and `/settle` are below it. */
  readonly url: string;
  /** A key of the Coinbase Developer Platform, whose facilitator asks for one; most others ask for none. */
  readonly auth?: CdpKey;
  /** How long it is waited for, in milliseconds: 5,000 and 30,000. */
  readonly timeouts?: { readonly verifyMs: number; readonly settleMs: number };
}

/**
 * A facilitator over HTTP (x402 version 2, section 7). No request is made yet.
 * @throws Error when the key cannot be read
 */
export const createFacilitator = ({ url, auth, timeouts }: FacilitatorOptions): FacilitatorClient => {
  const { verifyMs, settleMs } = timeouts ?? { verifyMs: 5_000, settleMs: 30_000 };
  const signed = auth === undefined ? {} : { createAuthHeaders: cdpHeaders(auth, url) };
  const verifier = new HTTPFacilitatorClient({ url, timeoutMs: verifyMs, ...signed });
  const settler = new HTTPFacilitatorClient({ url, timeoutMs: settleMs, ...signed });
  return {
    verify: (payload, requirements) => verifier.verify(payload, requirements),
    settle: (payload, requirements) => settler.settle(payload, requirements),
    getSupported: () => verifier.getSupported(),
  };
};
