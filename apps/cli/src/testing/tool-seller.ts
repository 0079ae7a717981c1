import { findOperation } from '@touchstone/contract';
import { createChallenge, openSeller, respond, type SellerOptions, SETTLED } from './seller.ts';

/** Starts a service whose operations respond with the examples of the contract, for the prices of the contract. */
export async function openToolSeller(options: SellerOptions = {}) {
  return openSeller({
    challenge: (url) => {
      const { origin, pathname } = new URL(url);
      return createChallenge(origin + pathname, { amount: findAmount(pathname) });
    },
    onGet: (path, response) => respond(response, findExample('GET', path)),
    onPaid: ({ path, response }) => respond(response, findExample('POST', path), SETTLED),
    ...options,
  });
}

export function findExample(method: string, path: string): Readonly<Record<string, unknown>> {
  return findOperation(method, path.split('?')[0] ?? '')?.response.example ?? { example: 'none' };
}

/** Returns the price of a paid operation, in atomic units of USDC. */
function findAmount(path: string): string {
  return String(Math.round(Number(findOperation('POST', path)?.priceUsd ?? '0.005') * 1e6));
}
