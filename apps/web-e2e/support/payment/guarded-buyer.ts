import { createGuard, fetchKeys, type Decision } from '@touchstone/guard';
import { ExactEvmScheme } from '@x402/evm';
import { ExactEvmSchemeV1 } from '@x402/evm/exact/v1/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import type { PrivateKeyAccount } from 'viem/accounts';
import { openSandboxNetwork } from '../sandbox-network.ts';

/** Request to an endpoint of the sandbox. */
export interface PaidRequest {
  readonly url: string;
  readonly method?: string;
  /** JSON of a POST request. */
  readonly input?: unknown;
}

/** Creates a client without payment limits. Only the guard can stop a payment. */
function createClient(account: PrivateKeyAccount): x402Client {
  const scheme = new ExactEvmScheme(account);
  return new x402Client()
    .setSpendControls(false)
    .register('eip155:8453', scheme)
    .register('eip155:137', scheme)
    .registerV1('base', new ExactEvmSchemeV1(account));
}

/** Returns a `fetch` function that pays with a wallet, without a guard. */
export const createPayingFetch = (account: PrivateKeyAccount, fetch = globalThis.fetch) =>
  wrapFetchWithPayment(fetch, createClient(account));

/** Maximum duration of a request, in milliseconds. Some endpoints of the sandbox never respond. */
const TIMEOUT_MS = 10_000;

function toInit({ method = 'GET', input }: Omit<PaidRequest, 'url'>): RequestInit {
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  if (method === 'GET') return { signal };
  return { signal, method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(input) };
}

/**
 * Creates a buyer of sandbox endpoints. A guard checks every payment of the buyer. `pay` returns the status of the
 * final response. `decisions` contains the decisions of the guard, oldest first.
 */
export async function createGuardedBuyer(account: PrivateKeyAccount) {
  const site = process.env['TOUCHSTONE_URL'] ?? '';
  const decisions: Decision[] = [];
  const guard = createGuard({
    service: site,
    keys: await fetchKeys(site),
    onDecision: (decision) => void decisions.push(decision),
    // On a busy machine, a lookup can take longer than the default of three seconds.
    timeoutMs: 20_000,
  });
  const network = await openSandboxNetwork();
  const payingFetch = createPayingFetch(account, guard.wrapFetch(network.fetch));
  const pay = async ({ url, ...request }: PaidRequest) => (await payingFetch(url, toInit(request))).status;
  return { guard, pay, decisions };
}
