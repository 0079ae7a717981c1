import type { Server } from 'node:http';
import type { x402Facilitator } from '@x402/core/facilitator';
import { getAddress } from 'viem';
import { findAnvilBinary } from '../chain/anvil-binary.ts';
import { createBalanceReader } from '../chain/balance.ts';
import { createChainTransport } from '../chain/chain-transport.ts';
import { NETWORK } from '../chain/network.ts';
import { openChain } from '../chain/open-chain.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { createMintCall } from '../chain/token-calls.ts';
import { deriveWalletAddress } from '../scenario/seeded-wallet.ts';
import { toErrorMessage } from '../startup-error.ts';
import { startAgents } from './agents.ts';
import type { Agents } from './agents.ts';
import { createBuyer, createSmartWalletSigner } from './buyer.ts';
import type { Buyer } from './buyer.ts';
import { createFacilitatorServer } from './facilitator-server.ts';
import { createFacilitator } from './facilitator.ts';
import { openLedger } from './ledger.ts';
import type { Ledger } from './ledger.ts';
import { createPaymentHandler } from './payment-handler.ts';
import type { PaymentHandler } from './payment-handler.ts';
import { listBuyerNames, toSellerName } from './planned-calls.ts';
import type { PlanOptions } from './planned-calls.ts';
import { INITIAL_BALANCE, openWalletKeys } from './wallet-keys.ts';
import type { WalletKeys } from './wallet-keys.ts';
import { createRefunds } from './wash-trade-refunds.ts';

export interface PaymentSystemOptions extends PlanOptions {
  readonly dataDir: string;
  /**
   * Path of the anvil executable. The default is the executable that npm installed; null means that npm has no anvil
   * for this platform.
   */
  readonly binary?: string | null;
  /** Returns the simulated time, in milliseconds since 1970. */
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

/**
 * Chain, facilitator, ledger and agents of the sandbox. `startAgents` must be called after the endpoints' server
 * listens.
 */
export interface PaymentSystem {
  readonly chain: SandboxChain;
  readonly handlePayment: PaymentHandler;
  readonly facilitatorServer: Server;
  readonly ledger: Ledger;
  readonly startAgents: (endpoints: { readonly tlsPort: number; readonly ca: string }) => Agents;
}

/** Reason why the sandbox has no payment system, in one line. */
export interface PaymentsUnavailable {
  readonly unavailable: string;
}

/**
 * Time between the genesis block and the epoch of the simulation, in seconds. The blocks that fund the wallets are
 * mined in this time.
 */
const GENESIS_LEAD_SECONDS = 60;

/** Gives every buyer with an empty wallet its initial balance. */
const fund = async (chain: SandboxChain, buyers: readonly Buyer[]): Promise<void> => {
  const readBalance = createBalanceReader(chain);
  const balances = await Promise.all(
    buyers.map(async ({ address }) => ({ address, balance: await readBalance(address) })),
  );
  const unsigned = balances.flatMap(({ address, balance }) =>
    balance === 0n ? [createMintCall(address, INITIAL_BALANCE)] : [],
  );
  if (unsigned.length > 0) await chain.mine({ at: 0, unsigned, signed: [] });
};

const createBuyers = (options: PaymentSystemOptions, keys: WalletKeys): Map<string, Buyer> =>
  new Map(listBuyerNames(options).map((name) => [name, createBuyer(keys.getAccount(name))] as const));

/** Creates a buyer for each seller that pays itself. The keys of the map are buyer names. */
const createSelfPayers = ({ endpoints, seed }: PaymentSystemOptions): Map<string, Buyer> => {
  const wallets = endpoints.flatMap(({ definition }) => (definition.selfPayments ? [definition.wallet] : []));
  return new Map(
    wallets.map((wallet) => {
      const address = getAddress(deriveWalletAddress(seed, wallet, NETWORK));
      return [toSellerName(wallet), createBuyer(createSmartWalletSigner(address))] as const;
    }),
  );
};

const createBuyerLookup =
  (buyers: ReadonlyMap<string, Buyer>) =>
  (name: string): Buyer => {
    const buyer = buyers.get(name);
    if (!buyer) throw new Error(`there is no buyer with the name ${name}`);
    return buyer;
  };

const openParts = async (options: PaymentSystemOptions, binary: string): Promise<PaymentSystem> => {
  const { dataDir, epoch, now } = options;
  const keys = await openWalletKeys(dataDir);
  // Private keys are derived from these names, so a wallet with another name would have another address.
  const operator = keys.getAccount('facilitator');
  const relayer = keys.getAccount('facilitator of the past');
  const genesis = Math.floor(epoch / 1_000) - GENESIS_LEAD_SECONDS;
  const selfPayers = createSelfPayers(options);
  const smartWallets = [...selfPayers.values()].map(({ address }) => address);
  const gasPayers = [operator.address, relayer.address];
  const chain = await openChain({ binary, dataDir, genesis, gasPayers, smartWallets });
  try {
    const buyers = createBuyers(options, keys);
    await fund(chain, [...buyers.values()]);
    const ledger = await openLedger(dataDir, chain);
    const facilitator: x402Facilitator = createFacilitator(createChainTransport(chain, now), operator);
    const parts = {
      ...options,
      chain,
      ledger,
      relayer,
      buyer: createBuyerLookup(new Map([...buyers, ...selfPayers])),
      refunds: createRefunds(epoch),
    };
    return {
      chain,
      ledger,
      handlePayment: createPaymentHandler(facilitator),
      facilitatorServer: createFacilitatorServer(facilitator),
      startAgents: (endpoints) => startAgents({ ...parts, ...endpoints }),
    };
  } catch (error) {
    chain.stop();
    throw error;
  }
};

/**
 * Opens the payment system of the sandbox.
 * @returns the payment system, or the reason why there is none: npm has no anvil for this platform, or the chain does
 * not start. Endpoints then still send challenges, but cannot be paid.
 */
export const openPaymentSystem = async (
  options: PaymentSystemOptions,
): Promise<PaymentSystem | PaymentsUnavailable> => {
  const binary = options.binary === undefined ? findAnvilBinary() : options.binary;
  if (binary === null) {
    const platform = `${process.platform} on ${process.arch}`;
    return { unavailable: `no chain: npm has no anvil for ${platform}, so endpoints cannot be paid` };
  }
  try {
    return await openParts(options, binary);
  } catch (error) {
    return { unavailable: `no chain, so endpoints cannot be paid: ${toErrorMessage(error)}` };
  }
};
