import type { x402Facilitator } from '@x402/core/facilitator';
import type { Server } from 'node:http';
import { getAddress } from 'viem';
import { anvilBinary } from '../chain/anvil-binary.ts';
import { balanceReader } from '../chain/balance.ts';
import { chainTransport } from '../chain/chain-transport.ts';
import { openChain } from '../chain/open-chain.ts';
import { NETWORK } from '../chain/network.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { mintCall } from '../chain/token-calls.ts';
import { reasonOf } from '../startup-error.ts';
import { walletAddress } from '../wallet.ts';
import { startAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { createBuyer, smartWalletSigner } from './buyer.ts';
import type { Buyer } from './buyer.ts';
import { createCashier } from './cashier.ts';
import type { Cashier } from './cashier.ts';
import { createFacilitatorServer } from './facilitator-server.ts';
import { createFacilitator } from './facilitator.ts';
import { openLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { buyersOf, sellerName } from './planned-calls.ts';
import type { PlanOptions } from './planned-calls.ts';
import { createRefunds } from './refunds.ts';
import { openWalletKeys } from './wallet-keys.ts';
import type { WalletKeys } from './wallet-keys.ts';

export interface EconomyOptions extends PlanOptions {
  readonly dataDir: string;
  /** File of the chain's program; by default the one that npm brought for this machine, null where it brought none. */
  readonly binary?: string | null;
  /** World time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

/** Chain, facilitator and ledger; agents come to life once the endpoints can be reached. */
export interface Economy {
  readonly chain: SandboxChain;
  readonly cashier: Cashier;
  readonly facilitatorServer: Server;
  readonly ledger: Ledger;
  readonly bringAgents: (endpoints: { readonly tlsPort: number; readonly ca: string }) => Agents;
}

/** What an agent begins with: 100,000 dollars, in atomic units, which none of them spends in years. */
const PURSE = 100_000_000_000n;
/** The chain begins a little before the world, so that there is time for its first blocks. */
const HEAD_START_SECONDS = 60;

const fund = async (chain: SandboxChain, buyers: readonly Buyer[]): Promise<void> => {
  const balanceOf = balanceReader(chain);
  const balances = await Promise.all(
    buyers.map(async ({ address }) => [address, await balanceOf(address)] as const),
  );
  const unsigned = balances.flatMap(([address, has]) => (has === 0n ? [mintCall(address, PURSE)] : []));
  if (unsigned.length > 0) await chain.mine({ at: 0, unsigned, signed: [] });
};

const buyersByName = (options: EconomyOptions, keys: WalletKeys): Map<string, Buyer> =>
  new Map(buyersOf(options).map((name) => [name, createBuyer(keys.accountOf(name))] as const));

/** Sellers who pay themselves, by the name they pay under. */
const sellersByName = ({ residents, seed }: EconomyOptions): Map<string, Buyer> => {
  const wallets = residents.flatMap(({ endpoint }) => (endpoint.selfPayments ? [endpoint.wallet] : []));
  return new Map(
    wallets.map((wallet) => {
      const address = getAddress(walletAddress(seed, wallet, NETWORK));
      return [sellerName(wallet), createBuyer(smartWalletSigner(address))] as const;
    }),
  );
};

const buyerIn =
  (buyers: ReadonlyMap<string, Buyer>) =>
  (name: string): Buyer => {
    const buyer = buyers.get(name);
    if (!buyer) throw new Error(`nobody is called ${name}`);
    return buyer;
  };

const openParts = async (options: EconomyOptions, binary: string): Promise<Economy> => {
  const { dataDir, epoch, now } = options;
  const keys = await openWalletKeys(dataDir);
  const [operator, relayer] = [keys.accountOf('facilitator'), keys.accountOf('facilitator of the past')];
  const genesis = Math.floor(epoch / 1_000) - HEAD_START_SECONDS;
  const sellers = sellersByName(options);
  const smartWallets = [...sellers.values()].map(({ address }) => address);
  const payers = [operator.address, relayer.address];
  const chain = await openChain({ binary, dataDir, genesis, payers, smartWallets });
  try {
    const buyers = buyersByName(options, keys);
    await fund(chain, [...buyers.values()]);
    const ledger = await openLedger(dataDir, chain);
    const facilitator: x402Facilitator = createFacilitator(chainTransport(chain, now), operator);
    const parts = {
      ...options,
      chain,
      ledger,
      relayer,
      buyer: buyerIn(new Map([...buyers, ...sellers])),
      refunds: createRefunds(epoch),
    };
    return {
      chain,
      ledger,
      cashier: createCashier(facilitator),
      facilitatorServer: createFacilitatorServer(facilitator),
      bringAgents: (endpoints) => startAgents({ ...parts, ...endpoints }),
    };
  } catch (error) {
    chain.stop();
    throw error;
  }
};

/**
 * Opens the sandbox's money: its chain, its facilitator and what its agents pay with.
 * @returns why there is none, where npm brought no chain for this machine or it does not run: then endpoints ask to be
 * paid as ever, and nobody can
 */
export const openEconomy = async (options: EconomyOptions): Promise<Economy | { readonly none: string }> => {
  const binary = options.binary === undefined ? anvilBinary() : options.binary;
  if (binary === null)
    return {
      none: `no chain: npm has no anvil for ${process.platform} on ${process.arch}, so nothing is paid here`,
    };
  try {
    return await openParts(options, binary);
  } catch (error) {
    return { none: `no chain, so nothing is paid here: ${reasonOf(error)}` };
  }
};
