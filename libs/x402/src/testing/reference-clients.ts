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

/** A wallet of the version 2 client: its default scheme, and further schemes by name. */
interface V2Wallet {
  readonly register: (client: x402Client) => unknown;
  readonly schemes: Readonly<Record<string, (client: x402Client) => unknown>>;
}

type SpendControls = Exclude<Parameters<x402Client['setSpendControls']>[0], false>;
/** Changed settings of a version 2 client. A setting that is null has its default value. */
interface Changes {
  readonly scheme: ((client: x402Client) => unknown) | null;
  readonly token: SpendControls | null;
  readonly amount: SpendControls | null;
}

/**
 * Returns the kinds of the settings with which a version 2 client creates a payment. If the client does not pay with its
 * default settings, tries each scheme with each token and each limit that an option of the response contains.
 */
async function listPaidSettings(wallet: V2Wallet, response: ChallengeResponse): Promise<string[]> {
  const options = readOptions(response);
  const schemes = [null, ...Object.values(wallet.schemes)];
  const tokens = [null, ...options.flatMap(toTokenControls)];
  const amounts = [null, ...options.map(toAmountControls)];
  const all = schemes.flatMap((scheme) =>
    tokens.flatMap((token) => amounts.map((amount): Changes => ({ scheme, token, amount }))),
  );
  const paid = new Set<string>();
  for (const changes of all) {
    if (!(await signsV2(wallet, response, changes))) continue;
    const kinds = Object.entries(changes).flatMap(([kind, change]) => (change === null ? [] : [kind]));
    paid.add(kinds.toSorted().join(', '));
    if (kinds.length === 0) break;
  }
  return [...paid];
}

type OptionFields = Readonly<Record<string, unknown>>;

/** Returns the payment options of a response that are objects; an empty list if the client cannot read the options. */
function readOptions(response: ChallengeResponse): readonly OptionFields[] {
  const header = new Headers(response.headers.map(([name, value]): [string, string] => [name, value])).get(
    'payment-required',
  );
  try {
    const text = header === null ? (response.body ?? '') : Buffer.from(header, 'base64').toString();
    const { accepts } = JSON.parse(text) as { readonly accepts?: unknown };
    return Array.isArray(accepts)
      ? accepts.filter((each): each is OptionFields => typeof each === 'object' && each !== null)
      : [];
  } catch {
    return [];
  }
}

/** Returns the controls that allow the token of an option, up to its amount if the client can compare the amount. */
function toTokenControls({ network, asset, amount, maxAmountRequired }: OptionFields): SpendControls[] {
  if (typeof network !== 'string' || typeof asset !== 'string') return [];
  const limits = [amount, maxAmountRequired].flatMap((value) => {
    const text = typeof value === 'string' || typeof value === 'number' ? String(value) : '';
    return /^\d+$/.test(text) ? [text] : [];
  });
  const entry = { network: network as `${string}:${string}`, asset };
  return limits.length === 0
    ? [{ allowedAssets: [entry] }]
    : limits.map((maxAmountPerPayment) => ({ allowedAssets: [{ ...entry, maxAmountPerPayment }] }));
}

/** Returns the controls that allow the amount of an option in a token with six decimals. */
function toAmountControls({ amount, maxAmountRequired }: OptionFields): SpendControls {
  const units = amount ?? maxAmountRequired;
  const usd = typeof units === 'string' ? Number(units) / 1e6 : 0;
  return { maxAmountPerPayment: usd > 1 && usd < 1e9 ? usd : `$${'9'.repeat(80)}` };
}

/** Returns true when the version 2 client with the given settings creates a payment. */
async function signsV2(
  { register }: V2Wallet,
  response: ChallengeResponse,
  { scheme, token, amount }: Changes,
): Promise<boolean> {
  const core = new x402Client();
  register(core);
  scheme?.(core);
  core.setSpendControls({ ...token, ...amount });
  const client = new x402HTTPClient(core);
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
    return true;
  } catch {
    return false;
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
