import type { Hex } from 'viem';
import { type Provider, RpcFailure } from '../rpc/provider.ts';
import type { Providers } from '../rpc/providers.ts';
import { type NonceQuery, type NonceReading, readNonce } from './read-nonce.ts';

/** A transfer that its payer authorized (EIP-3009), and the start of the search on the chain. */
export interface AuthorizationQuery extends Omit<NonceQuery, 'confirmations' | 'until'> {
  readonly payTo: Hex;
  /** Atomic units. */
  readonly amount: bigint;
  /** True if `paid` needs a second provider as well, because the state accuses the receiver. */
  readonly needsAgreement?: boolean;
}

/**
 * State of an EIP-3009 authorization on the chain.
 *
 * - `unused`: the authorization was not used up to the last block. `headAt` is the time of that block, in milliseconds.
 * - `canceled`: the payer canceled the authorization.
 * - `paid`: the nonce of the authorization was used for exactly the requested transfer, in `block`, which `confirmations`
 *   blocks follow.
 * - `paid-otherwise`: the nonce was used for a transfer of another amount to the requested wallet.
 * - `used-otherwise`: the nonce was used for another transfer.
 * - `used-before`: the nonce was used before the start of the search, or its use was not searched.
 */
export type AuthorizationState =
  | { readonly state: 'unused'; readonly headAt: number }
  | { readonly state: 'canceled' | 'used-before' }
  | {
      readonly state: 'paid';
      readonly transaction: Hex;
      readonly block: number;
      readonly confirmations: number;
    }
  | { readonly state: 'paid-otherwise' | 'used-otherwise'; readonly transaction: Hex };

function toState(reading: NonceReading, { payTo, amount }: AuthorizationQuery): AuthorizationState {
  if (reading.state === 'unused') return { state: 'unused', headAt: reading.at };
  if (reading.state !== 'used') return { state: reading.state };
  const { transfer, block, confirmations } = reading;
  const transaction = reading.receipt.transactionHash;
  if (transfer?.payTo !== payTo) return { state: 'used-otherwise', transaction };
  if (transfer.amount !== amount) return { state: 'paid-otherwise', transaction };
  return { state: 'paid', transaction, block, confirmations };
}

/** Returns what the first responding provider shows; null when no provider responds. */
export async function readFromOthers<T>(
  others: readonly Provider[],
  read: (other: Provider) => Promise<T>,
): Promise<T | null> {
  for (const other of others) {
    try {
      return await read(other);
    } catch (error) {
      if (!(error instanceof RpcFailure)) throw error;
    }
  }
  return null;
}

/**
 * Returns true for a state that is believed of one provider. If `paid` is false, a payer of this service gets a result for
 * free, and reconciliation finds it; a query whose `paid` accuses a receiver sets `needsAgreement`. `used-before` says
 * nothing about the money.
 */
const isHarmless = ({ state }: AuthorizationState, { needsAgreement = false }: AuthorizationQuery): boolean =>
  state === 'used-before' || (state === 'paid' && !needsAgreement);

/** State that proves nothing: the authorization may have been used after the time 0. */
const UNKNOWN: AuthorizationState = { state: 'unused', headAt: 0 };

/** Returns the common state of two providers. */
function combine(first: AuthorizationState, second: AuthorizationState): AuthorizationState {
  if (first.state === 'unused' && second.state === 'unused')
    return { state: 'unused', headAt: Math.min(first.headAt, second.headAt) };
  // One of the providers may be a block behind. As a failure, this would pause both providers for all queries.
  if (first.state !== second.state) return UNKNOWN;
  if (first.state !== 'paid' || second.state !== 'paid') return first;
  return first.transaction === second.transaction && first.block === second.block ? first : UNKNOWN;
}

/**
 * Reads the state of an authorization from the chain. Only the chain has this state, because anyone who holds the
 * authorization can use it, and the payer can cancel it. A state in which no money moved as the query asks is returned
 * only when a second provider agrees or no other provider responds. With `needsAgreement`, `paid` is returned only when a
 * second provider agrees or only one provider is configured. When two providers return `unused`, `headAt` is the
 * earlier time of their last blocks; when two providers disagree, the state is `unused` at the time 0, which proves
 * nothing. Source: EIP-3009.
 * @throws ChainUnreadableError when no provider can be read
 */
export async function readAuthorizationState(
  providers: Providers,
  query: AuthorizationQuery,
): Promise<AuthorizationState> {
  const read = async (provider: Provider): Promise<AuthorizationState> =>
    toState(await readNonce({ provider, network: providers.network }, query), query);
  return providers.use(async (provider, others) => {
    const first = await read(provider);
    if (isHarmless(first, query)) return first;
    const second = await readFromOthers(others, read);
    if (second === null) return first.state === 'paid' && others.length > 0 ? UNKNOWN : first;
    return isHarmless(second, query) ? second : combine(first, second);
  });
}
