import { ExactEvmScheme } from '@x402/evm';
import { UptoEvmScheme } from '@x402/evm/upto/client';
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client';
import { wrapFetchWithPayment, x402Client } from '@x402/fetch';
import { privateKeyToAccount } from 'viem/accounts';
import { parseJson } from '@touchstone/common';
import { readMember, readText } from '@touchstone/x402/json';
import { createGuard } from '../guard.ts';
import type { Decision } from '../decision/decision.ts';
import type { PolicyOptions } from '../decision/policy.ts';
import { refuse } from './guarded-client.ts';
import { startSeller, type Seller, type Terms } from './seller.ts';
import { KEYS, startTouchstone, type Answer } from './touchstone.ts';

/** Published test key. It signs payments of test tokens only. */
const ACCOUNT = privateKeyToAccount(`0x${'01'.repeat(32)}`);
/** Signer whose payment channel does not exist on the chain yet. */
const SIGNER = { ...ACCOUNT, readContract: async () => [0n, 0n, 0n, 0n] };

/** Behavior of a seller, and requests of an agent that retries as agents do. */
export interface Attack {
  readonly offers?: readonly Terms[];
  /** Facts that Touchstone states about each URL; default: a known endpoint for $0.01. */
  readonly answer?: Answer;
  readonly deliver?: Seller['deliver'];
  readonly host?: string;
  /** Paths that the agent requests, one after the other; default one path. */
  readonly paths?: readonly string[];
  readonly policy?: PolicyOptions;
}

export interface AttackResult {
  /** Status of each response, or the codes of the reasons of each refusal. */
  readonly results: readonly string[];
  /** Codes of the warnings of payments that were allowed. */
  readonly warnings: readonly string[];
  /** Number of different signed payments that reached the seller. Only one of equal payments can be settled. */
  readonly payments: number;
  /** Sum of their signed amounts, in millionths of a US dollar. */
  readonly amount: number;
}

/** Creates an x402 client with the three schemes of the reference implementation, on every EVM network. */
function createClient(): x402Client {
  return new x402Client()
    .register('eip155:*', new ExactEvmScheme(SIGNER))
    .register('eip155:*', new UptoEvmScheme(SIGNER))
    .register('eip155:*', new BatchSettlementEvmScheme(SIGNER));
}

/** Lets an agent with the default policy and a stock client pay a seller, and counts what reached the seller. */
export async function attack(setup: Attack): Promise<AttackResult> {
  const { offers, answer = {}, deliver, host = 'api.example.com', paths = ['/v2/weather'] } = setup;
  const [touchstone, seller] = [await startTouchstone(() => answer), await startSeller(offers)];
  if (deliver !== undefined) seller.deliver = deliver;
  const decisions: Decision[] = [];
  const guard = createGuard({
    ...{ service: touchstone.url, keys: KEYS.published.keys, policy: setup.policy },
    onDecision: (decision) => decisions.push(decision),
  });
  const origin = `https://${host}`;
  const pay = wrapFetchWithPayment(guard.wrapFetch(createPublicFetch(origin, seller)), createClient());
  const results: string[] = [];
  for (const path of paths) results.push(await refuse(pay(`${origin}${path}`)).catch(() => 'no response'));
  const warned = decisions.filter(({ action }) => action === 'warn').flatMap(({ reasons }) => reasons);
  const signed = new Map(seller.payments.map(readSigned));
  return {
    results,
    warnings: [...new Set(warned.map(({ code }) => code))],
    payments: signed.size,
    amount: [...signed.values()].reduce((sum, amount) => sum + amount, 0),
  };
}

/** Creates a `fetch` function that requests a public host at the address of a local seller. */
function createPublicFetch(origin: string, seller: Seller): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const response = await fetch(new Request(request.url.replace(origin, seller.url), request));
    return Object.defineProperty(response, 'url', { value: response.url.replace(seller.url, origin) });
  };
}

/** Reads nonce and amount of a signed payment. */
export function readSigned(header: string): readonly [string, number] {
  const payload = readMember(parseJson(atob(header)), 'payload');
  const [authorization, permit, deposit] = ['authorization', 'permit2Authorization', 'deposit'].map((name) =>
    readMember(payload, name),
  );
  const nonce = readText(authorization ?? permit, 'nonce') ?? JSON.stringify(payload);
  const amount =
    readMember(authorization, 'value') ??
    readMember(readMember(permit, 'permitted'), 'amount') ??
    readMember(deposit, 'amount');
  return [nonce, Number(amount)];
}
