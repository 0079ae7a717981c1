import { randomBytes } from 'node:crypto';
import { ExactEvmScheme } from '@x402/evm';
import { x402Client, x402HTTPClient } from '@x402/fetch';
import { createPublicClient, http } from 'viem';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { HttpClient, HttpReply } from './http-client.ts';

const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';

/** Purchase of a paid operation. */
interface Purchase {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Headers of a request with a payment. */
type PaymentHeaders = Readonly<Record<string, string>>;

export interface Payer {
  readonly address: `0x${string}`;
  /** Requests one challenge and creates `count` signed payments for the challenge. Each payment has its own nonce. */
  readonly sign: (client: HttpClient, purchase: Purchase, count: number) => Promise<PaymentHeaders[]>;
  /** Buys like a standard client: requests one challenge and sends one payment. */
  readonly buy: (client: HttpClient, purchase: Purchase) => Promise<HttpReply>;
}

/** Creates a payer from a private key. The default is a new key. */
export function createPayer(key: `0x${string}` = generatePrivateKey()): Payer {
  const account = privateKeyToAccount(key);
  const scheme = new ExactEvmScheme(account);
  const x402 = new x402HTTPClient(new x402Client().setSpendControls(false).register('eip155:8453', scheme));
  const sign: Payer['sign'] = async (client, { path, body }, count) => {
    const unpaid = await client.send({ method: 'POST', path, body });
    const challenge = x402.getPaymentRequiredResponse((name) => unpaid.header(name.toLowerCase()));
    const payments: PaymentHeaders[] = [];
    for (let index = 0; index < count; index += 1) {
      payments.push(x402.encodePaymentSignatureHeader(await x402.createPaymentPayload(challenge)));
    }
    return payments;
  };
  return {
    address: account.address,
    sign,
    buy: async (client, purchase) => {
      const [headers = {}] = await sign(client, purchase, 1);
      return client.send({ method: 'POST', ...purchase, headers });
    },
  };
}

/** Adds simulated USDC to a wallet on a local chain. */
export async function fundWallet(rpcUrl: string, address: string, atomicUnits: bigint): Promise<void> {
  await createPublicClient({ transport: http(rpcUrl) }).request({
    // viem has no type for this method of anvil.
    method: 'anvil_dealERC20' as 'eth_call',
    params: [address, USDC, `0x${atomicUnits.toString(16)}`] as never,
  });
}

/** Replaces the signature of a payment by random bytes, and its nonce by another nonce. */
export function forgePayment(headers: PaymentHeaders): PaymentHeaders {
  const [[name, value] = ['', '']] = Object.entries(headers);
  // The payment was created by `createPayer`, so the cast is safe.
  const payment = JSON.parse(Buffer.from(value, 'base64').toString('utf8')) as {
    payload: { signature: string; authorization: { nonce: string } };
  };
  payment.payload.signature = `0x${randomBytes(64).toString('hex')}1b`;
  payment.payload.authorization.nonce = `0x${randomBytes(32).toString('hex')}`;
  return { [name]: Buffer.from(JSON.stringify(payment)).toString('base64') };
}
