import type { Server } from 'node:http';
import { getAddress, type Address } from 'viem';
import { findAnvilBinary } from '../chain/anvil.ts';
import { BASE, listChainNetworks, type ChainNetwork, type SalesNetworkId } from '../chain/network.ts';
import { openChain, type SandboxChain } from '../chain/open-chain.ts';
import { deriveWalletAddress } from '../scenario/seeded-values.ts';
import { toErrorMessage } from '../startup-error.ts';
import { combineAgents, startAgents, type Agents } from './agents.ts';
import { createBuyer, createSmartWalletSigner, type Buyer } from './buyer.ts';
import { createFacilitatorServer } from './facilitator-server.ts';
import { createFacilitator } from './facilitator.ts';
import { openLedger, type Ledger } from './ledger.ts';
import { createPaymentHandler, type PaymentHandler } from './payment-handler.ts';
import { selectEndpointsPaidOn, listBuyerNames, toSellerName, type PlanOptions } from './planned-calls.ts';
import { DELIVERY_WALLET, fundWallets, openWalletKeys, type WalletKeys } from './wallets.ts';

export interface PaymentSystemOptions extends PlanOptions {
  readonly dataDir: string;
  /**
   * Path of the anvil executable. The default is the executable that npm installed; null means that npm has no anvil
   * for this platform.
   */
  readonly binary?: string | null;
  /** CAIP-2 id of the network on which the service sells; Base by default. */
  readonly salesNetwork?: SalesNetworkId;
  /** Port of each chain by the CAIP-2 id of its network. A chain without an entry gets any free port. */
  readonly chainPorts?: ReadonlyMap<string, number>;
  /** URL of the service that receives the outcomes of payments; none are sent by default. */
  readonly serviceUrl?: string | null;
  /** Returns the simulated time, in milliseconds since 1970. */
  readonly now: () => number;
  /** Reports a fault, or its end, in one line. */
  readonly warn: (message: string) => void;
}

/**
 * Chains, facilitator, ledger and agents of the sandbox. `startAgents` must be called after the endpoints' server
 * listens.
 */
export interface PaymentSystem {
  /** One chain for each network, in the order of `listChainNetworks`. */
  readonly chains: readonly SandboxChain[];
  readonly handlePayment: PaymentHandler;
  readonly facilitatorServer: Server;
  readonly ledger: Ledger;
  readonly startAgents: (endpoints: { readonly tlsPort: number; readonly ca: string }) => Agents;
}

/** Reason why the sandbox has no payment system, in one line. */
export interface PaymentsUnavailable {
  readonly unavailable: string;
}

interface NetworkOptions extends PaymentSystemOptions {
  readonly binary: string;
  readonly keys: WalletKeys;
  /** Accounts that get native currency for gas. */
  readonly gasPayers: readonly Address[];
}

/**
 * Time from the genesis block to the epoch (start) of the simulation, in seconds. Blocks in this time give the wallets
 * their initial balances.
 */
const GENESIS_LEAD_SECONDS = 60;

/** Creates a buyer for each seller that pays its own endpoint. The keys of the map are buyer names. */
function createSelfPayers(network: ChainNetwork, { endpoints, seed }: PlanOptions): Map<string, Buyer> {
  const wallets = endpoints.flatMap(({ definition }) => (definition.selfPayments ? [definition.wallet] : []));
  return new Map(
    wallets.map((wallet) => {
      const address = getAddress(deriveWalletAddress(seed, wallet, network.id));
      return [toSellerName(wallet), createBuyer(createSmartWalletSigner(address), network)] as const;
    }),
  );
}

/**
 * Opens the chain of a network and gives the buyers on this network their initial balances.
 * @returns the chain, the endpoints that agents pay on this chain in at least one state, and functions that
 * find a buyer by name and by address
 * @throws StartupError when anvil does not start or the journal is damaged
 */
async function openNetwork(network: ChainNetwork, options: NetworkOptions) {
  const { binary, dataDir, epoch, gasPayers, keys, warn } = options;
  const endpoints = selectEndpointsPaidOn(options.endpoints, network);
  const buyers = new Map(
    listBuyerNames({ ...options, endpoints }).map(
      (name) => [name, createBuyer(keys.getAccount(name), network)] as const,
    ),
  );
  const selfPayers = createSelfPayers(network, { ...options, endpoints });
  const chain = await openChain({
    ...{ network, binary, dataDir, gasPayers, warn },
    genesis: Math.floor(epoch / 1_000) - GENESIS_LEAD_SECONDS,
    smartWallets: [...selfPayers.values()].map(({ address }) => address),
    port: options.chainPorts?.get(network.id) ?? 0,
  });
  try {
    await fundWallets(
      chain,
      [...buyers.values()].map(({ address }) => address),
    );
  } catch (error) {
    chain.stop();
    throw error;
  }
  const buyer = (name: string): Buyer => {
    const found = buyers.get(name) ?? selfPayers.get(name);
    if (!found) throw new Error(`there is no buyer with the name ${name}`);
    return found;
  };
  const findBuyer = (address: Address) =>
    [...buyers.values()].find((each) => each.address === getAddress(address));
  return { chain, endpoints, buyer, findBuyer };
}

/**
 * Opens all networks in parallel. When one network fails, the other networks are stopped.
 * @throws the error of the first network that failed
 */
async function openNetworks(networks: readonly ChainNetwork[], options: NetworkOptions) {
  const results = await Promise.allSettled(networks.map((network) => openNetwork(network, options)));
  const opened = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  const failed = results.find((result) => result.status === 'rejected');
  if (!failed) return opened;
  for (const { chain } of opened) chain.stop();
  throw failed.reason;
}

async function openParts(options: PaymentSystemOptions, binary: string): Promise<PaymentSystem> {
  const { dataDir, now, salesNetwork = BASE.id, serviceUrl = null } = options;
  const keys = await openWalletKeys(dataDir);
  // Private keys are derived from these names. If a name changed, the wallet would get another address.
  const operator = keys.getAccount('facilitator');
  const relayer = keys.getAccount('facilitator of the past');
  const gasPayers = [operator.address, relayer.address];
  const networkOptions = { ...options, binary, keys, gasPayers };
  const networks = await openNetworks(listChainNetworks(salesNetwork), networkOptions);
  const chains = networks.map(({ chain }) => chain);
  try {
    const ledger = await openLedger(dataDir, chains);
    const facilitator = createFacilitator({ chains, gasPayer: operator, now });
    return {
      chains,
      ledger,
      handlePayment: createPaymentHandler(facilitator, [keys.getAccount(DELIVERY_WALLET).address]),
      facilitatorServer: createFacilitatorServer(facilitator, chains),
      startAgents: (endpoints) =>
        combineAgents(
          networks.map((network) =>
            startAgents({ ...options, ...endpoints, serviceUrl, ledger, relayer, ...network }),
          ),
        ),
    };
  } catch (error) {
    for (const chain of chains) chain.stop();
    throw error;
  }
}

/**
 * Opens the payment system of the sandbox.
 * @returns the payment system, or the reason why the sandbox has no payment system: npm has no anvil for this platform,
 * or a chain does not start. Endpoints then still send challenges, but cannot be paid.
 */
export async function openPaymentSystem(
  options: PaymentSystemOptions,
): Promise<PaymentSystem | PaymentsUnavailable> {
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
}
