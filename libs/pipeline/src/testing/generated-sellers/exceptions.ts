import type { Probe } from '@touchstone/probe';
import type { Check } from '@touchstone/x402';
import { isStalled } from './response-bytes.ts';
import type { Seller } from './seller.ts';
import type { PaidOption } from './settlement.ts';

/** Client of one version and its request method, which can differ from the method of the probe. */
export interface Caller {
  readonly method: string;
  readonly version: 'v1' | 'v2';
}

/** Case in which a verdict intentionally differs from the stock clients. */
interface Exception {
  readonly reason: string;
  /** Returns true for a seller whose comparison with a client is left out. */
  readonly applies: (seller: Seller, probe: Probe, caller: Caller) => boolean;
}

/** Maximum number of redirects that a probe follows. Clients follow 20. */
const MAX_HOPS = 3;

/** All intended differences between verdicts and the stock clients. */
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
    applies: ({ sends, header }, { bodyEnd }, { version }) =>
      // Version 2 clients read the body if the header has no challenge.
      bodyEnd === 'size-limit' && (version === 'v1' || sends === 'v1' || header !== undefined),
  },
  {
    reason:
      'After a response that does not depend on the method, the prober sends no request with another method.',
    applies: (_, probe, { method }) =>
      method !== probe.method && ['free', 'blocked', 'other-gate', 'server-error'].includes(probe.outcome),
  },
];

/** Returns true when the verdict intentionally differs from the client for this seller. */
export function isException(seller: Seller, probe: Probe, caller: Caller): boolean {
  return EXCEPTIONS.some(({ applies }) => applies(seller, probe, caller));
}

/** Intended error of a challenge whose payments settle. */
interface ErrorException {
  readonly reason: string;
  readonly applies: (error: PaidError) => boolean;
}

/** Failed check of a seller to whom the clients of all its versions paid. */
interface PaidError {
  readonly seller: Seller;
  readonly paid: readonly PaidOption[];
  readonly check: Check;
}

const ERROR_EXCEPTIONS: readonly ErrorException[] = [
  {
    reason:
      'Version 2 clients pay the version 1 envelope if the other envelope has faults, which are errors.',
    applies: ({ seller, paid, check }) =>
      seller.sends === 'both' && check.id.startsWith('v2-') && paid.every(({ version }) => version === 1),
  },
  {
    reason: 'The price depends on the version of the client.',
    applies: ({ check }) => check.id === 'dual-amount',
  },
  {
    reason: 'Each option has its own errors, and clients pay another option.',
    applies: ({ paid, check }) => {
      const [, failed] = /\(accepts\[(\d+)\]/.exec(check.message) ?? [];
      return failed !== undefined && paid.every(({ index }) => index !== Number(failed));
    },
  },
  {
    reason: 'The reference schema requires a resource with a url, and clients may validate challenges by it.',
    applies: ({ check: { id } }) => id === 'v2-resource-object' || id === 'v2-resource-url',
  },
  {
    reason: 'Clients that use the declared method would get no challenge.',
    applies: ({ check }) => check.id === 'http-declared-method-402',
  },
];

/** Returns true when the failed check is intentionally an error, although the payments of the clients settle. */
export function isErrorException(error: PaidError): boolean {
  return ERROR_EXCEPTIONS.some(({ applies }) => applies(error));
}
