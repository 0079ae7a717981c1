import { DAY_MS } from '@touchstone/common';
import { getAddress, type Hex, type Address } from 'viem';
import { createTransferCall, createBalanceReader, createMintCall } from '../chain/chain-access.ts';
import type { JournalBlock } from '../chain/journal.ts';
import type { ChainNetwork } from '../chain/network.ts';
import { openChain, type SandboxChain } from '../chain/open-chain.ts';
import type { SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import { deriveWalletAddress } from '../scenario/seeded-values.ts';
import { createBuyer, createSmartWalletSigner, type Buyer } from './buyer.ts';
import type { LedgerEntry } from './ledger.ts';
import { selectEndpointsPaidOn, listBuyerNames, toSellerName, type PlanOptions } from './planned-calls.ts';
import type { PaymentSystemOptions } from './payment-system.ts';
import { INITIAL_BALANCE, type WalletKeys } from './wallets.ts';

/** Refunds of wash trading on one network. The seller sends the payments back to the wallets that bought from the seller. */
export interface Refunds {
  /** Records settled payments. Wash payments are refunded later, except payments of a wallet to itself. */
  readonly record: (entries: readonly LedgerEntry[]) => void;
  /**
   * Returns and removes all open refunds if a new simulated day has begun since the last refunds. Otherwise returns an
   * empty list. `at` is the simulated time in milliseconds since 1970.
   */
  readonly takeDue: (at: number) => JournalBlock['unsigned'];
}

/** @param epoch start of the simulated time, in milliseconds since 1970; days count from it */
function createRefunds(network: ChainNetwork, epoch: number): Refunds {
  const owed = new Map<string, { from: Hex; to: Hex; value: bigint }>();
  let lastDay = 0;
  return {
    record: (entries) => {
      for (const { wash, payer, payTo, amount } of entries) {
        // A payment of a wallet to itself needs no refund.
        if (!wash || payer.toLowerCase() === payTo.toLowerCase()) continue;
        const value = (owed.get(payTo + payer)?.value ?? 0n) + BigInt(amount);
        owed.set(payTo + payer, { from: payTo, to: payer, value });
      }
    },
    takeDue: (at) => {
      const day = Math.floor((at - epoch) / DAY_MS);
      if (day <= lastDay) return [];
      lastDay = day;
      const calls = [...owed.values()].map((transfer) => createTransferCall(network, transfer));
      owed.clear();
      return calls;
    },
  };
}

export interface NetworkOptions extends PaymentSystemOptions {
  readonly binary: string;
  readonly keys: WalletKeys;
  /** Accounts that get native currency for gas. */
  readonly gasPayers: readonly Address[];
}

/** Chain of one network, with the endpoints and buyers that use it. */
export interface OpenNetwork {
  readonly chain: SandboxChain;
  /** Endpoints that agents pay on this network in at least one state. */
  readonly endpoints: readonly SimulatedEndpoint[];
  /** Returns the buyer with the given name. */
  readonly buyer: (name: string) => Buyer;
  readonly refunds: Refunds;
}

/**
 * Time between the genesis block and the epoch of the simulation, in seconds. The blocks that fund the wallets are
 * mined in this time.
 */
const GENESIS_LEAD_SECONDS = 60;

/** Gives every buyer with an empty wallet its initial balance. */
async function fund(chain: SandboxChain, buyers: readonly Buyer[]): Promise<void> {
  const readBalance = createBalanceReader(chain);
  const balances = await Promise.all(
    buyers.map(async ({ address }) => ({ address, balance: await readBalance(address) })),
  );
  const unsigned = balances.flatMap(({ address, balance }) =>
    balance === 0n ? [createMintCall(chain.network, address, INITIAL_BALANCE)] : [],
  );
  if (unsigned.length > 0) await chain.mine({ at: 0, unsigned, signed: [] });
}

function createBuyers(network: ChainNetwork, { keys, ...options }: NetworkOptions): Map<string, Buyer> {
  return new Map(
    listBuyerNames(options).map((name) => [name, createBuyer(keys.getAccount(name), network)] as const),
  );
}

/** Creates a buyer for each seller that pays itself. The keys of the map are buyer names. */
function createSelfPayers(
  network: ChainNetwork,
  { endpoints, seed }: Pick<PlanOptions, 'endpoints' | 'seed'>,
): Map<string, Buyer> {
  const wallets = endpoints.flatMap(({ definition }) => (definition.selfPayments ? [definition.wallet] : []));
  return new Map(
    wallets.map((wallet) => {
      const address = getAddress(deriveWalletAddress(seed, wallet, network.id));
      return [toSellerName(wallet), createBuyer(createSmartWalletSigner(address), network)] as const;
    }),
  );
}

function createBuyerLookup(buyers: ReadonlyMap<string, Buyer>) {
  return (name: string): Buyer => {
    const buyer = buyers.get(name);
    if (!buyer) throw new Error(`there is no buyer with the name ${name}`);
    return buyer;
  };
}

/**
 * Opens the chain of a network and gives the buyers on this network their initial balances.
 * @throws StartupError when anvil does not start or the journal is damaged
 */
export async function openNetwork(network: ChainNetwork, options: NetworkOptions): Promise<OpenNetwork> {
  const { binary, dataDir, epoch, gasPayers } = options;
  const endpoints = selectEndpointsPaidOn(options.endpoints, network);
  const buyers = createBuyers(network, { ...options, endpoints });
  const selfPayers = createSelfPayers(network, { ...options, endpoints });
  const smartWallets = [...selfPayers.values()].map(({ address }) => address);
  const genesis = Math.floor(epoch / 1_000) - GENESIS_LEAD_SECONDS;
  const chain = await openChain({
    ...{ network, binary, dataDir, genesis, gasPayers, smartWallets },
    port: options.chainPorts?.get(network.id) ?? 0,
    report: options.warn,
  });
  try {
    await fund(chain, [...buyers.values()]);
  } catch (error) {
    chain.stop();
    throw error;
  }
  const buyer = createBuyerLookup(new Map([...buyers, ...selfPayers]));
  return { chain, endpoints, buyer, refunds: createRefunds(network, epoch) };
}
