import type { Probe } from '@touchstone/probe';
import { isStalled } from './response-bytes.ts';
import type { Seller } from './seller.ts';

/** Case in which the service intentionally differs from the stock clients. */
interface Exception {
  readonly reason: string;
  /**
   * Returns true for a seller whose comparison is left out.
   *
   * @param method method of the client; `probe.method` is the method with which the service calls the seller
   */
  readonly applies: (seller: Seller, probe: Probe, method: string) => boolean;
}

/** Maximum number of redirects that a probe follows. Clients follow 20. */
const MAX_HOPS = 3;

/** All intended differences between the service and the stock clients. */
const EXCEPTIONS: readonly Exception[] = [
  {
    reason:
      'Clients with fetch refuse an unrequested 100 Continue, and clients with axios pay: the rule http-interim-response warns.',
    applies: ({ interim = [] }) => interim.includes(100),
  },
  {
    reason:
      'Clients with fetch refuse a header value that ends in white space. Clients with axios pay: their HTTP parser, which is also that of the probe, removes the white space.',
    applies: ({ header }) => header === 'trailing-space' || header === 'trailing-tab',
  },
  {
    reason: 'A probe follows at most 3 redirects.',
    applies: ({ hops = [] }, { outcome }) => hops.length > MAX_HOPS && outcome === 'redirected',
  },
  {
    reason: 'A probe decodes a body at its end, and clients notice at its start that it cannot be decoded.',
    applies: (seller) => isStalled(seller) && seller.coding !== undefined,
  },
  {
    reason:
      'A probe reads at most 256 KiB of a body. Without the end of a version 1 body, the verdict is undetermined.',
    applies: (_, { bodyEnd }) => bodyEnd === 'size-limit',
  },
  {
    reason: 'A response that is not about the method decides: the service asks for no second method.',
    applies: (_, probe, method) =>
      method !== probe.method && ['free', 'blocked', 'other-gate', 'server-error'].includes(probe.outcome),
  },
];

/** Returns true when the service intentionally differs from the stock clients for this seller. */
export function isException(seller: Seller, probe: Probe, method: string): boolean {
  return EXCEPTIONS.some(({ applies }) => applies(seller, probe, method));
}
