import { createKeyPairSignerFromPrivateKeyBytes, type KeyPairSigner } from '@solana/kit';
import { x402Client, x402HTTPClient } from '@x402/core/client';
import { AuthCaptureEvmScheme } from '@x402/evm/auth-capture/client';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { registerExactEvmScheme } from '@x402/evm/exact/client';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { ExactSvmScheme } from '@x402/svm/exact/client';
import { ExactSvmSchemeV1 } from '@x402/svm/exact/v1/client';
import { UptoSvmScheme } from '@x402/svm/upto/client';
import { createWalletClient, http, type Account, type Chain } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import * as chains from 'viem/chains';
import { wrapFetchWithPayment } from 'x402-fetch';
import type { ChallengeResponse } from '../types.ts';

const KEY = `0x${'11'.repeat(32)}` as const;
const UNLIMITED = 2n ** 256n;

type BuyerV1 = Parameters<typeof wrapFetchWithPayment>[1];

/** Result of the reference clients for a response. */
interface Paid {
  /** True for each client that creates a payment, with its default settings or with other settings. */
  readonly payable: { readonly v1: boolean; readonly v2: boolean };
  /**
   * Kinds of the settings with which version 2 clients create a payment, such as `scheme, token`; an empty text for the
   * default settings. Each wallet and each scheme can need other settings.
   */
  readonly settings: readonly string[];
}

export interface ReferenceClients {
  /** Tries to pay a response with each client. Changes the settings of a client that refuses because of its settings. */
  pay(response: ChallengeResponse): Promise<Paid>;
  /** Returns true if a version 1 client with its default settings creates a payment. */
  paysV1ByDefault(response: ChallengeResponse): Promise<boolean>;
}

/** Creates a response for fetch. Reading its body throws if the connection closed before the end of the body. */
function toResponse({ status, headers, body, bodyEnd }: ChallengeResponse): Response {
  const closed = new ReadableStream({ start: (stream) => stream.error(new TypeError('terminated')) });
  return new Response(bodyEnd === 'closed' ? closed : body, {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}

type SettingKind = 'amount' | 'token' | 'scheme';

/** A wallet of the version 2 client: its default scheme, and further schemes by name. */
interface V2Wallet {
  readonly register: (client: x402Client) => unknown;
  readonly schemes: Readonly<Record<string, (client: x402Client) => unknown>>;
}

/** Settings by the error message with which the version 2 client refuses because of each setting. */
const REFUSALS: readonly (readonly [SettingKind, RegExp])[] = [
  ['token', /rejected by spendControls: only default assets/],
  ['amount', /rejected by spendControls\.maxAmountPerPayment/],
  ['scheme', /^Error: No network\/scheme registered/],
];

interface Changes {
  readonly kinds: readonly SettingKind[];
  /** Further registered scheme; absent for none. */
  readonly scheme?: string;
}

/**
 * Returns the kinds of the settings with which a version 2 client creates a payment. Begins with the default settings,
 * and changes only settings that the error message of the client names.
 */
async function listPaidSettings(
  wallet: V2Wallet,
  response: ChallengeResponse,
  changes: Changes = { kinds: [] },
): Promise<string[]> {
  const { kinds, scheme } = changes;
  const client = new x402Client();
  wallet.register(client);
  if (scheme !== undefined) wallet.schemes[scheme]?.(client);
  if (kinds.includes('token')) client.setSpendControls({ allowedAssets: true });
  if (kinds.includes('amount')) client.setSpendControls({ maxAmountPerPayment: `$${'9'.repeat(80)}` });
  const error = await signV2(new x402HTTPClient(client), response);
  if (error === null) return [kinds.toSorted().join(', ')];
  const [kind] = REFUSALS.find(([, message]) => message.test(error)) ?? [];
  if (kind === undefined || kinds.includes(kind)) return [];
  const next = { ...changes, kinds: [...kinds, kind] };
  if (kind !== 'scheme') return listPaidSettings(wallet, response, next);
  const names = Object.keys(wallet.schemes);
  const paid = await Promise.all(
    names.map((name) => listPaidSettings(wallet, response, { ...next, scheme: name })),
  );
  return paid.flat();
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
async function signsV1(
  wallet: BuyerV1,
  response: ChallengeResponse,
  { rpcUrl, maxValue }: { readonly rpcUrl: string; readonly maxValue: bigint | undefined },
): Promise<boolean> {
  let paid = false;
  const seller: typeof fetch = (_, init) => {
    if (new Headers(init?.headers).has('X-PAYMENT')) paid = true;
    return Promise.resolve(paid ? new Response('{}') : toResponse(response));
  };
  const pay = wrapFetchWithPayment(seller, wallet, maxValue, undefined, {
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
  const v2: readonly V2Wallet[] = [
    {
      register: (client) => registerExactEvmScheme(client, { signer: account }),
      schemes: {
        upto: (client) => client.register('eip155:*', new UptoEvmScheme(account)),
        'batch-settlement': (client) => client.register('eip155:*', new BatchSettlementEvmScheme(account)),
        'auth-capture': (client) => client.register('eip155:*', new AuthCaptureEvmScheme(account)),
      },
    },
    {
      register: (client) => {
        client.register('solana:*', new ExactSvmScheme(solana, { rpcUrl }));
        for (const name of ['solana', 'solana-devnet', 'solana-testnet']) {
          client.registerV1(name, new ExactSvmSchemeV1(solana, { rpcUrl }));
        }
      },
      schemes: { upto: (client) => client.register('solana:*', new UptoSvmScheme(solana, { rpcUrl })) },
    },
  ];
  const wallets = createV1Wallets(account, solana);
  const paysV1 = (response: ChallengeResponse, maxValue?: bigint) =>
    isAnyTrue(wallets, (wallet) => signsV1(wallet, response, { rpcUrl, maxValue }));
  return {
    async pay(response) {
      if (response.status !== 402) return { payable: { v1: false, v2: false }, settings: [] };
      const paid = await Promise.all(v2.map((wallet) => listPaidSettings(wallet, response)));
      const settings = paid.flat();
      return { payable: { v1: await paysV1(response, UNLIMITED), v2: settings.length > 0 }, settings };
    },
    paysV1ByDefault: (response) => paysV1(response),
  };
}

async function isAnyTrue<T>(items: readonly T[], holds: (item: T) => Promise<boolean>): Promise<boolean> {
  for (const item of items) if (await holds(item)) return true;
  return false;
}
