import type { Server } from 'node:https';
import { openCertificates } from '../certificates/certificates.ts';
import { BASE, type ChainNetwork } from '../chain/network.ts';
import type { SandboxChain } from '../chain/open-chain.ts';
import { createClock } from '../scenario/clock.ts';
import { createEndpointServer } from '../endpoint-server.ts';
import { createSimulatedEndpoints, type SimulatedEndpoint } from '../endpoints/simulated-endpoint.ts';
import { listenOnLoopback } from '../http/loopback.ts';
import { createBuyer } from '../payments/buyer.ts';
import type { LedgerEntry } from '../payments/ledger.ts';
import { payOverHttp } from '../payments/pay-over-http.ts';
import { openPaymentSystem, type PaymentSystem } from '../payments/payment-system.ts';
import { openWalletKeys } from '../payments/wallets.ts';
import { createReceiver } from '../receiver/receiver.ts';
import { loadScenario } from '../scenario/scenario-schema.ts';
import { createTemporaryFolder } from './test-sandbox.ts';

export const TEST_SEED = 'touchstone';
/**
 * Clock of a simulation that began 15 minutes ago and follows real time. The v1 client makes each payment valid from
 * ten minutes before the real time. At an earlier simulated time, the token would reject the payment.
 */
const RECENT = { epoch: Date.now() - 900_000, now: Date.now };

function failOnWarning(message: string) {
  throw new Error(message);
}

interface BuyOptions {
  readonly wallet?: string;
  readonly network?: ChainNetwork;
}

/** Payment system and endpoints of a test, without the other servers of the sandbox. */
export interface TestPaymentSystem {
  readonly system: PaymentSystem;
  readonly tlsPort: number;
  readonly ca: string;
  readonly findEndpoint: (name: string) => SimulatedEndpoint;
  readonly getChain: (network: ChainNetwork) => SandboxChain;
  /**
   * Calls an endpoint and pays for the call; by default on Base. `endpoint` is the name of the endpoint in the
   * scenario.
   */
  readonly buy: (endpoint: string, options?: BuyOptions) => Promise<LedgerEntry | null>;
  readonly close: () => Promise<void>;
}

function closeServer(server: Server): void {
  server.close();
  server.closeAllConnections();
}

/**
 * Opens the payment system in a temporary folder. @param time start and current time of the simulation, in milliseconds
 * since 1970
 */
export async function openTestPaymentSystem({ epoch, now } = RECENT): Promise<TestPaymentSystem> {
  const folder = await createTemporaryFolder();
  const clock = createClock(now);
  const endpoints = createSimulatedEndpoints({ scenario: loadScenario(), seed: TEST_SEED, epoch });
  const options = { endpoints, seed: TEST_SEED, epoch, dataDir: folder.path };
  const system = await openPaymentSystem({ ...options, now: clock.now, warn: failOnWarning });
  if ('unavailable' in system) throw new Error(system.unavailable);
  const certificates = await openCertificates(folder.path);
  const { handlePayment } = system;
  const receiver = createReceiver();
  const server = createEndpointServer({
    ...{ endpoints, certificates, clock, handlePayment, receiver, files: new Map() },
  });
  const tlsPort = await listenOnLoopback(server, 'SANDBOX_TLS_PORT', 0);
  const keys = await openWalletKeys(folder.path);
  const findEndpoint: TestPaymentSystem['findEndpoint'] = (name) => {
    const found = endpoints.find(({ definition }) => definition.name === name);
    if (!found) throw new Error(`the scenario has no endpoint with the name ${name}`);
    return found;
  };
  const getChain: TestPaymentSystem['getChain'] = ({ id }) => {
    const chain = system.chains.find(({ network }) => network.id === id);
    if (!chain) throw new Error(`the payment system has no chain for ${id}`);
    return chain;
  };
  return {
    system,
    tlsPort,
    ca: certificates.ca,
    findEndpoint,
    getChain,
    buy: async (name, { wallet = 'agent 1', network = BASE } = {}) => {
      const call = { endpoint: findEndpoint(name), at: clock.now(), buyer: wallet, wash: false };
      const buyer = (each: string) => createBuyer(keys.getAccount(each), network);
      const { ledger } = system;
      const options = { chain: getChain(network), ledger, buyer, tlsPort, ca: certificates.ca };
      return (await payOverHttp(call, options))?.entry ?? null;
    },
    close: async () => {
      closeServer(server);
      for (const { stop } of system.chains) stop();
      await Promise.all(system.chains.map(({ ended }) => ended));
      await folder.remove();
    },
  };
}
