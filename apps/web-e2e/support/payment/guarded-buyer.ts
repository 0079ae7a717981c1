import { createGuard, fetchKeys, type Decision, type Guard, type GuardOptions } from '@touchstone/guard';
import { wrapAxiosWithPayment, x402Client as AxiosClient } from '@x402/axios';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import axios from 'axios';
import type { PrivateKeyAccount } from 'viem/accounts';
import { openSandboxNetwork, type SandboxNetwork } from '../sandbox-network.ts';

/** Request to an endpoint of the sandbox. */
export interface PaidRequest {
  readonly url: string;
  readonly method?: string;
  /** JSON of a POST request. */
  readonly input?: unknown;
}

/** Sends a request, pays if the endpoint asks for a payment, and returns the status of the last response. */
type Pay = (request: PaidRequest) => Promise<number>;

interface Wallet {
  readonly account: PrivateKeyAccount;
  readonly guard: Guard;
  readonly network: SandboxNetwork;
}

/** Methods of both x402 clients, whose types come from two versions of @x402/core. */
interface SchemeRegistry<Client> {
  register(network: `${string}:${string}`, scheme: ExactEvmScheme): Client;
  registerV1(network: string, scheme: ExactEvmSchemeV1): Client;
}

function registerSchemes<Client extends SchemeRegistry<Client>>(client: Client, account: PrivateKeyAccount) {
  const scheme = new ExactEvmScheme(account);
  return client
    .register('eip155:8453', scheme)
    .register('eip155:137', scheme)
    .registerV1('base', new ExactEvmSchemeV1(account));
}

/** Creates a client without limits of its own, so that only the guard can stop a payment. */
const createFetchClient = (account: PrivateKeyAccount): x402Client =>
  registerSchemes(new x402Client().setSpendControls(false), account);

/** Returns a `fetch` function that pays with a wallet, without a guard. */
export const createPayingFetch = (account: PrivateKeyAccount, fetch = globalThis.fetch) =>
  wrapFetchWithPayment(fetch, createFetchClient(account));

/** Maximum duration of a request, in milliseconds. Some endpoints of the sandbox never respond. */
const TIMEOUT_MS = 10_000;

function toInit({ method = 'GET', input }: Omit<PaidRequest, 'url'>): RequestInit {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (method === 'GET') return { signal };
  return { signal, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) };
}

const createAxios = (network: SandboxNetwork) => axios.create({ httpsAgent: network.agent, proxy: false });

const payWithAxios =
  (api: ReturnType<typeof createAxios>): Pay =>
  async ({ url, method = 'GET', input }) =>
    (await api.request<unknown>({ url, method, data: input, signal: AbortSignal.timeout(TIMEOUT_MS) }))
      .status;

/** Ways to put the guard in front of a payment. */
const CLIENTS = {
  '@x402/fetch with wrapFetch': ({ account, guard, network }: Wallet): Pay => {
    const payingFetch = createPayingFetch(account, guard.wrapFetch(network.fetch));
    return async ({ url, ...init }) => (await payingFetch(url, toInit(init))).status;
  },
  '@x402/fetch with the hook': ({ account, guard, network }: Wallet): Pay => {
    const client = createFetchClient(account).onBeforePaymentCreation(guard.beforePayment);
    const payingFetch = wrapFetchWithPayment(network.fetch, client);
    return async ({ url, ...init }) => (await payingFetch(url, toInit(init))).status;
  },
  '@x402/axios with the hook': ({ account, guard, network }: Wallet): Pay => {
    const client = registerSchemes(new AxiosClient(), account).onBeforePaymentCreation(guard.beforePayment);
    return payWithAxios(wrapAxiosWithPayment(createAxios(network), client));
  },
  '@x402/axios with wrapAxios': ({ account, guard, network }: Wallet): Pay => {
    const client = registerSchemes(new AxiosClient(), account);
    return payWithAxios(wrapAxiosWithPayment(guard.wrapAxios(createAxios(network)), client));
  },
};

export type ClientName = keyof typeof CLIENTS;
// `Object.keys` returns string[] for every object.
export const CLIENT_NAMES = Object.keys(CLIENTS) as readonly ClientName[];

export interface GuardedBuyer {
  readonly guard: Guard;
  readonly pay: Pay;
  /** Decisions of the guard so far, oldest first. */
  readonly decisions: readonly Decision[];
}

/**
 * Creates a buyer of sandbox endpoints whose payments are checked by a guard.
 *
 * @param options service and keys are those of the shared service by default
 */
export async function createGuardedBuyer(
  account: PrivateKeyAccount,
  name: ClientName = '@x402/fetch with wrapFetch',
  options: Partial<GuardOptions> = {},
): Promise<GuardedBuyer> {
  const site = process.env['TOUCHSTONE_URL'] ?? '';
  const decisions: Decision[] = [];
  const guard = createGuard({
    service: site,
    keys: options.keys ?? (await fetchKeys(site)),
    onDecision: (decision) => void decisions.push(decision),
    // On a busy machine, a lookup can take longer than the default of three seconds.
    timeoutMs: 20_000,
    ...options,
  });
  const network = await openSandboxNetwork();
  return { guard, pay: CLIENTS[name]({ account, guard, network }), decisions };
}
