import { getHeaderValues, isJsonObject } from '@touchstone/common';
import { findCanonicalUsdc } from '../networks/networks.ts';
import { parseAmount } from '../networks/money.ts';
import { readChallenge, readEnvelopes, selectParts } from '../read-challenge.ts';
import type { Challenge, ChallengeResponse, Check } from '../types.ts';
import { isEvm, type PaidRoute } from './paid-route.ts';
import { PAY_TO_PLACEHOLDER, repairOption, repairOptions, type RepairedOption } from './repair-terms.ts';

/** Repaired route, and the rules that the response breaks and the route keeps. */
export interface Repair {
  readonly route: PaidRoute;
  /** Ids of the rules that the route repairs. At least one of them decides if clients pay. */
  readonly repairs: readonly string[];
}

/** Statuses of a response that the code of a route can repair. Other statuses have causes outside the route. */
const isRepairable = (status: number): boolean => status === 402 || (status >= 200 && status < 300);

/**
 * Returns the route that a seller most likely means by a response, for `formatServerCode`.
 *
 * @param challenge challenge that was read from the response
 * @returns null if the code would repair no fault that decides if clients pay, or if clients would not pay the challenge
 *   of the code
 */
export function repairChallenge(response: ChallengeResponse, challenge: Challenge): Repair | null {
  if (!isRepairable(response.status)) return null;
  const options = repairOptions(challenge.options);
  if (options === null) return null;
  // A saved response may have another text than a URL.
  const url = URL.parse(challenge.redirectTarget?.url ?? response.url);
  if (url === null) return null;
  const route: PaidRoute = {
    method: response.method?.toUpperCase() ?? 'GET',
    url: `${url.origin}${url.pathname}`,
    description: challenge.description,
    mimeType: challenge.mimeType,
    options,
    isForBrowsers: getHeaderValues(response.headers, 'access-control-allow-origin').length > 0,
    remarks: listRemarks(response, challenge),
  };
  const repaired = readChallenge(createResponse(route));
  if (!repaired.settles.v2) return null;
  const left = new Set(listFaults(repaired).map(({ id }) => id));
  const gone = listFaults(challenge).filter(({ id }) => !left.has(id));
  const isNeeded = gone.some(({ axis }) => axis === 'payable');
  return isNeeded ? { route, repairs: gone.map(({ id }) => id) } : null;
}

function listRemarks(response: ChallengeResponse, { options }: Challenge): readonly string[] {
  const { v2 } = readEnvelopes(selectParts(response));
  return [
    ...(isJsonObject(v2?.fields.extensions)
      ? ['Keep the extensions of your route, such as bazaar. This code leaves them out.']
      : []),
    ...(options.some((option) => repairOption(option) === null)
      ? ['Keep your options with other schemes or networks. This code leaves them out.']
      : []),
  ];
}

/** Returns the failed rules that concern payments. */
function listFaults({ checks }: Challenge): readonly Check[] {
  return checks.filter(
    ({ result, severity, axis }) => result === 'fail' && severity !== 'info' && axis !== 'discoverable',
  );
}

/** Addresses in place of those that the seller writes, and of the fee payer that the facilitator adds. */
const EXAMPLE_EVM_WALLET = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';
const EXAMPLE_SOLANA_WALLET = 'F8AhDENfLvFddgKh4VuQb4CsGhmk5uzgpu4K8YzciMfe';

/** Returns the unpaid response of a route with the server libraries. */
function createResponse({ method, url, description, mimeType, options }: PaidRoute): ChallengeResponse {
  const envelope = {
    x402Version: 2,
    error: 'Payment required',
    resource: { url, description: description ?? '', mimeType: mimeType ?? '' },
    accepts: options.map(toEntry),
  };
  // The code is written for the advertised texts, so the bytes of the header matter only for its size.
  const header = btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(envelope))));
  const headers = [
    ['PAYMENT-REQUIRED', header],
    ['Content-Type', 'application/json'],
    ['Cache-Control', 'no-store'],
  ] as const;
  return { url, method, status: 402, headers, body: '{}' };
}

/** Returns the option of the challenge that the server libraries create. They have the same tokens and domains. */
function toEntry({ network, price, payTo, maxTimeoutSeconds }: RepairedOption) {
  const wallet = isEvm(network) ? EXAMPLE_EVM_WALLET : EXAMPLE_SOLANA_WALLET;
  return {
    scheme: 'exact',
    network,
    ...(typeof price === 'string' ? toUsdc(network, price) : { asset: price.asset, amount: price.amount }),
    payTo: payTo === PAY_TO_PLACEHOLDER ? wallet : payTo,
    maxTimeoutSeconds: maxTimeoutSeconds ?? 300,
    extra: isEvm(network) ? findDomain(network, price) : { feePayer: EXAMPLE_SOLANA_WALLET },
  };
}

function toUsdc(network: string, price: string): { readonly asset: string; readonly amount: string } {
  const usdc = findCanonicalUsdc(network);
  const [whole = '0', fraction = ''] = price.slice(1).split('.');
  const units = `${whole}${fraction.padEnd(usdc?.decimals ?? 0, '0')}`;
  return { asset: usdc?.asset ?? '', amount: String(parseAmount(units.replace(/^0+(?=\d)/, '')) ?? 0n) };
}

function findDomain(network: string, price: RepairedOption['price']): object {
  return (typeof price === 'string' ? findCanonicalUsdc(network)?.domain : price.domain) ?? {};
}
