import type * as X402Axios from '@x402/axios';
import type * as X402Evm from '@x402/evm';
import type * as X402Fetch from '@x402/fetch';
import type * as Faremeter from '@faremeter/fetch';
import type * as FaremeterEvm from '@faremeter/payment-evm/exact';
import type * as Axios from 'axios';
import type * as AxiosV1 from 'x402-axios';
import type * as FetchV1 from 'x402-fetch';
import { createWalletClient, http as createTransport } from 'viem';
import { base } from 'viem/chains';
import { z } from 'zod';
import type { Bought, Buyer, Order, BuyerOptions } from './client.ts';

/** Default limit of the version 1 fetch client, in atomic units of USDC. */
const DEFAULT_MAX_VALUE = 100_000n;

/** Sends an order with the `fetch` function of a client. */
async function post(
  { url }: BuyerOptions,
  payingFetch: (input: string, init: RequestInit) => Promise<Response>,
  { path, body }: Order,
): Promise<Response> {
  const response = await payingFetch(`${url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (response.status !== 200) throw new Error(`Status ${response.status}: ${await response.text()}`);
  return response;
}

/** Reads a response with the receipt decoder of a client. */
const read = async (
  response: Response,
  header: string,
  decodeReceipt: (value: string) => unknown,
): Promise<Bought> => ({
  body: await response.json(),
  receipt: decodeReceipt(response.headers.get(header) ?? ''),
});

/** Connects `x402-fetch`. The client gets a maximum price only for an order above its default. */
export async function connectFetchV1(options: BuyerOptions): Promise<Buyer> {
  const client = await options.load<typeof FetchV1>('x402-fetch');
  const wallet = await client.createSigner('base', options.key);
  return {
    buy: async (order) => {
      const limits = order.price > DEFAULT_MAX_VALUE ? [order.price] : [];
      const payingFetch = client.wrapFetchWithPayment(fetch, wallet, ...limits);
      const response = await post(options, payingFetch, order);
      return read(response, 'x-payment-response', client.decodeXPaymentResponse);
    },
  };
}

export async function connectAxiosV1({ load, url, key }: BuyerOptions): Promise<Buyer> {
  const client = await load<typeof AxiosV1>('x402-axios');
  const { default: axios } = await load<typeof Axios>('axios');
  const wallet = await client.createSigner('base', key);
  const instance = client.withPaymentInterceptor(axios.create({ baseURL: url }), wallet);
  return {
    buy: async ({ path, body }) => {
      const { data, headers } = await instance.post<unknown>(path, body);
      return { body: data, receipt: client.decodeXPaymentResponse(String(headers['x-payment-response'])) };
    },
  };
}

export async function connectFetch(options: BuyerOptions): Promise<Buyer> {
  const client = await options.load<typeof X402Fetch>('@x402/fetch');
  const { ExactEvmScheme } = await options.load<typeof X402Evm>('@x402/evm');
  const payingFetch = client.wrapFetchWithPaymentFromConfig(fetch, {
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(options.account) }],
  });
  return {
    buy: async (order) =>
      read(await post(options, payingFetch, order), 'payment-response', client.decodePaymentResponseHeader),
  };
}

export async function connectAxios({ load, url, account }: BuyerOptions): Promise<Buyer> {
  const client = await load<typeof X402Axios>('@x402/axios');
  const { ExactEvmScheme } = await load<typeof X402Evm>('@x402/evm');
  const { default: axios } = await load<typeof Axios>('axios');
  const instance = client.wrapAxiosWithPaymentFromConfig(axios.create({ baseURL: url }), {
    schemes: [{ network: 'eip155:8453', client: new ExactEvmScheme(account) }],
  });
  return {
    buy: async ({ path, body }) => {
      const { data, headers } = await instance.post<unknown>(path, body);
      return { body: data, receipt: client.decodePaymentResponseHeader(String(headers['payment-response'])) };
    },
  };
}

/** Decodes a receipt for clients without a decoder. */
const decode = (value: string) => JSON.parse(Buffer.from(value, 'base64').toString()) as unknown;

export async function connectFaremeter(options: BuyerOptions): Promise<Buyer> {
  const { wrap } = await options.load<typeof Faremeter>('@faremeter/fetch');
  const { createPaymentHandler } = await options.load<typeof FaremeterEvm>('@faremeter/payment-evm/exact');
  const { account } = options;
  const wallet = { chain: { id: 8453, name: 'Base' }, address: account.address, account };
  const payingFetch = wrap(fetch, { handlers: [createPaymentHandler(wallet)], retryCount: 0 });
  return { buy: async (order) => read(await post(options, payingFetch, order), 'payment-response', decode) };
}

interface MppxClient {
  readonly Mppx: {
    create(options: { readonly methods: readonly unknown[]; readonly polyfill: false }): {
      readonly fetch: typeof fetch;
    };
  };
}
interface MppxEvm {
  readonly evm: (options: { readonly account: BuyerOptions['account'] }) => unknown;
}

/** Connects `mppx`, a client of MPP that also pays with x402. */
export async function connectMppx(options: BuyerOptions): Promise<Buyer> {
  const { Mppx } = await options.load<MppxClient>('mppx/client');
  const { evm } = await options.load<MppxEvm>('mppx/evm/client');
  const client = Mppx.create({ methods: [evm({ account: options.account })], polyfill: false });
  return { buy: async (order) => read(await post(options, client.fetch, order), 'payment-response', decode) };
}

interface Agentkit {
  readonly ViemWalletProvider: new (wallet: unknown) => object;
  readonly x402ActionProvider: () => {
    makeHttpRequestWithX402(
      wallet: object,
      request: { readonly url: string; readonly method: 'POST'; readonly body: Order['body'] },
    ): Promise<string>;
  };
}

const agentkitSchema = z.object({
  success: z.literal(true),
  status: z.literal(200),
  data: z.unknown(),
  paymentProof: z.unknown(),
});

/** Connects the x402 actions of `@coinbase/agentkit`, which respond with JSON. */
export async function connectAgentkit({ load, url, account }: BuyerOptions): Promise<Buyer> {
  const { ViemWalletProvider, x402ActionProvider } = await load<Agentkit>('@coinbase/agentkit');
  const wallet = createWalletClient({ account, chain: base, transport: createTransport() });
  const provider = new ViemWalletProvider(wallet);
  return {
    buy: async ({ path, body }) => {
      const request = { url: `${url}${path}`, method: 'POST', body } as const;
      const text = await x402ActionProvider().makeHttpRequestWithX402(provider, request);
      const { data, paymentProof } = agentkitSchema.parse(JSON.parse(text));
      return { body: data, receipt: paymentProof };
    },
  };
}
