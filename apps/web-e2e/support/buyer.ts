import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { readDemoWalletKey } from './service-files.ts';

/** Service whose paid operations are bought. */
interface Seller {
  /** URL of the site. The default is the shared service. */
  readonly url?: string;
  /** Data folder of the service. The default is the folder of the shared service. */
  readonly dataDir?: string;
}

/** Returns the address of the demo wallet, in lower case. */
export const readBuyerAddress = (dataDir?: string): string =>
  privateKeyToAccount(readDemoWalletKey(dataDir)).address.toLowerCase();

/** Sends a POST request to a paid operation, and pays with the demo wallet when the service asks for a payment. */
export function pay(
  path: string,
  body: Readonly<Record<string, unknown>>,
  { url = process.env['TOUCHSTONE_URL'] ?? '', dataDir }: Seller = {},
): Promise<Response> {
  const client = new ExactEvmScheme(privateKeyToAccount(readDemoWalletKey(dataDir)));
  const payingFetch = wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client }],
  });
  return payingFetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}
