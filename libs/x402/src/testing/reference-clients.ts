import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import { createWalletClient, http, type Account, type Chain } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import * as chains from 'viem/chains';
import { wrapFetchWithPayment } from 'x402-fetch';
import type { ChallengeResponse } from '../types.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const UNLIMITED = 2n ** 256n;

type BuyerV1 = Parameters<typeof wrapFetchWithPayment>[1];

export interface ReferenceClients {
  /** Returns true for each client that creates a payment for the response and would send it. */
  pay(response: ChallengeResponse): Promise<{ v1: boolean; v2: boolean }>;
}

/** Creates a response for fetch. Reading its body throws if the connection closed before the end of the body. */
function toResponse({ status, headers, body, bodyEnd }: ChallengeResponse): Response {
  const closed = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) });
  return new Response(bodyEnd === 'closed' ? closed : body, {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}

/**
 * Creates the version 2 client twice: with its default settings, and with a very high limit for a single payment.
 */
function createV2Clients(
  register: (client: x402Client) => void,
): [standard: x402HTTPClient, rich: x402HTTPClient] {
  const [standard, rich] = [new x402Client(), new x402Client()];
  for (const client of [standard, rich]) register(client);
  rich.setSpendControls({ maxAmountPerPayment: `$${'9'.repeat(80)}` });
  return [new x402HTTPClient(standard), new x402HTTPClient(rich)];
}

/** Error message of the version 2 client when every option is over the limit for a single payment. */
const OVER_LIMIT = /rejected by spendControls\.maxAmountPerPayment/;

/**
 * Returns true when the client creates a payment with its default settings, or when only the limit for a single payment
 * prevents it and a buyer with a higher limit pays.
 */
async function paysV2(
  [standard, rich]: readonly [x402HTTPClient, x402HTTPClient],
  response: ChallengeResponse,
): Promise<boolean> {
  const error = await signV2(standard, response);
  return error === null || (OVER_LIMIT.test(error) && (await signV2(rich, response)) === null);
}

/** Creates a payment with the version 2 client. Returns the error message of the client; null for a payment. */
async function signV2(client: x402HTTPClient, response: ChallengeResponse): Promise<string | null> {
  const converted = toResponse(response);
  let body: unknown;
  try {
    body = JSON.parse(await converted.text());
  } catch {
    body = undefined;
  }
  try {
    const required = client.getPaymentRequiredResponse((name) => converted.headers.get(name), body);
    const payload = await client.createPaymentPayload(required);
    client.encodePaymentSignatureHeader(payload);
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Returns true when x402-fetch sends a second request with an X-PAYMENT header after it received the response. */
async function signsV1(wallet: BuyerV1, response: ChallengeResponse, rpcUrl: string): Promise<boolean> {
  let paid = false;
  const seller: typeof fetch = (_, init) => {
    if (new Headers(init?.headers).has('X-PAYMENT')) paid = true;
    return Promise.resolve(paid ? new Response('{}') : toResponse(response));
  };
  const pay = wrapFetchWithPayment(seller, wallet, UNLIMITED, undefined, {
    svmConfig: { rpcUrl },
  });
  try {
    await pay('https://api.example.com/', {});
  } catch {
    return false;
  }
  return paid;
}

const V1_CHAINS: readonly Chain[] = [
  chains.abstract,
  chains.abstractTestnet,
  chains.base,
  chains.baseSepolia,
  chains.avalanche,
  chains.avalancheFuji,
  chains.iotex,
  chains.sei,
  chains.polygon,
  chains.polygonAmoy,
  chains.peaq,
  chains.story,
  chains.eduChain,
];

/**
 * Creates the wallets that the version 1 client supports: an EVM account, a Solana signer, and one wallet for each
 * network. A type cast is needed, because the type declarations of the client use other versions of the wallet
 * libraries. At run time the client only calls methods that exist in both versions.
 */
function createV1Wallets(account: Account, solana: KeyPairSigner): BuyerV1[] {
  const wallets: unknown[] = [
    account,
    solana,
    ...V1_CHAINS.map((chain) =>
      createWalletClient({ account, chain, transport: http('http://127.0.0.1:1') }),
    ),
  ];
  return wallets as BuyerV1[];
}

/**
 * Creates the reference clients of both versions, with an EVM key and a Solana key.
 *
 * @param rpcUrl URL of a Solana RPC server
 */
export async function createReferenceClients(rpcUrl: string): Promise<ReferenceClients> {
  const account = privateKeyToAccount(KEY);
  const solana = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(7));
  const v2 = [
    createV2Clients((client) => registerExactEvmScheme(client, { signer: account })),
    createV2Clients((client) => {
      client.register('solana:*', new ExactSvmScheme(solana, { rpcUrl }));
      for (const name of ['solana', 'solana-devnet', 'solana-testnet']) {
        client.registerV1(name, new ExactSvmSchemeV1(solana, { rpcUrl }));
      }
    }),
  ];
  const v1 = createV1Wallets(account, solana);
  return {
    async pay(response) {
      if (response.status !== 402) return { v1: false, v2: false };
      const signed = await Promise.all(v2.map((pair) => paysV2(pair, response)));
      return {
        v1: await isAnyTrue(v1, (wallet) => signsV1(wallet, response, rpcUrl)),
        v2: signed.includes(true),
      };
    },
  };
}

async function isAnyTrue<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await holds(item)) return true;
  return false;
}
