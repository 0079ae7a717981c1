import { ExactEvmScheme } from '@x402/evm';
import { wrapFetchWithPaymentFromConfig, x402Client, x402HTTPClient } from '@x402/fetch';
import { privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts';
import { readDemoWalletKey } from '../service-files.ts';

/** Service that sells the paid operations. */
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

/**
 * Requests a challenge of a paid operation of the shared service, and signs it. Returns the headers with the payment, so
 * that a test can send the same payment several times.
 */
export async function createPayment(
  account: PrivateKeyAccount,
  path: string,
  body: unknown,
): Promise<Record<string, string>> {
  const client = new x402HTTPClient(new x402Client().register('eip155:8453', new ExactEvmScheme(account)));
  const refused = await post(path, body);
  const challenge = client.getPaymentRequiredResponse((name) => refused.headers.get(name));
  return client.encodePaymentSignatureHeader(await client.createPaymentPayload(challenge));
}

/** Sends a POST request to the shared service. */
export function post(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${process.env['TOUCHSTONE_URL'] ?? ''}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
}
