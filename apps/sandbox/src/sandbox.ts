import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { openCertificates } from './certificates/certificates.ts';
import type { SandboxConfig } from './config.ts';
import { createClock, type Clock } from './scenario/clock.ts';
import { createControlServer } from './control/control-server.ts';
import { openSimulationSettings } from './data-folder/simulation-settings.ts';
import { createDirectoryServer, readRecordedListings } from './directory/directory-server.ts';
import { createEndpointServer } from './endpoint-server.ts';
import {
  createSimulatedEndpoints,
  type SimulatedEndpoint,
  type SimulationOptions,
} from './endpoints/simulated-endpoint.ts';
import { reserveRefusingPort, listenOnLoopback, LOOPBACK } from './http/loopback.ts';
import {
  openPaymentSystem,
  type PaymentsUnavailable,
  type PaymentSystem,
} from './payments/payment-system.ts';
import { openOperatorWallets } from './payments/wallets.ts';
import { createReceiverServer } from './receiver/receiver-server.ts';
import { createReceiver } from './receiver/receiver.ts';
import { loadScenario } from './scenario/scenario-schema.ts';
import type { SandboxReady } from './start-sandbox.ts';
import { StartupError, toErrorMessage } from './startup-error.ts';

/** Functions that receive a message about the running sandbox, in one line. */
export interface SandboxReports {
  /** Receives the description of a fault, or of the end of a fault. */
  readonly warn: (message: string) => void;
  /**
   * Receives a message when a chain process has ended. The sandbox then takes no payments until it is started again.
   */
  readonly fail: (message: string) => void;
}

export interface Sandbox {
  readonly ready: SandboxReady;
  /** Closes every connection and frees every port. */
  readonly close: () => void;
}

/**
 * Listens on the port in an environment variable; see {@link listenOnLoopback}. The server closes when `resources` are
 * disposed.
 */
async function listen(
  resources: DisposableStack,
  server: Server,
  [setting, port]: readonly [string, number],
): Promise<number> {
  const actualPort = await listenOnLoopback(server, setting, port);
  resources.defer(() => {
    server.close();
    server.closeAllConnections();
  });
  return actualPort;
}

async function createFolder(dataDir: string): Promise<void> {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartupError(`SANDBOX_DATA_DIR: cannot create ${dataDir}: ${toErrorMessage(error)}`);
  }
}

interface Parts extends SimulationOptions {
  readonly config: SandboxConfig;
  readonly endpoints: readonly SimulatedEndpoint[];
  readonly clock: Clock;
  readonly reports: SandboxReports;
}

async function openPayments(
  resources: DisposableStack,
  { config, reports, ...parts }: Parts,
): Promise<PaymentSystem | PaymentsUnavailable> {
  if (!config.chain) return { unavailable: 'no chain: SANDBOX_CHAIN is off' };
  const { dataDir, chainPorts, salesNetwork, serviceUrl } = config;
  const chains = { dataDir, chainPorts, salesNetwork, serviceUrl };
  const { warn, fail } = reports;
  const payments = await openPaymentSystem({ ...parts, ...chains, now: parts.clock.now, warn });
  if ('unavailable' in payments) {
    warn(payments.unavailable);
    return payments;
  }
  for (const { network, ended, stop } of payments.chains) {
    resources.defer(stop);
    void ended.then((reason) => {
      if (!resources.disposed) fail(`the chain of ${network.id} ended (${reason})`);
    });
  }
  await openOperatorWallets(config.dataDir, payments.chains);
  return payments;
}

async function openServers(resources: DisposableStack, parts: Parts): Promise<SandboxReady> {
  const { config, endpoints, clock } = parts;
  const recorded = config.listingsFile === null ? [] : await readRecordedListings(config.listingsFile);
  const certificates = await openCertificates(config.dataDir);
  const refusing = await reserveRefusingPort();
  resources.defer(refusing.release);
  const opened = await openPayments(resources, parts);
  const payments = 'unavailable' in opened ? null : opened;

  const handlePayment = payments?.handlePayment ?? null;
  const receiver = createReceiver();
  const files = new Map<string, string>();
  const served = { endpoints, clock, files };
  const endpointServer = createEndpointServer({ ...served, certificates, handlePayment, receiver });
  const tlsPort = await listen(resources, endpointServer, ['SANDBOX_TLS_PORT', config.tlsPort]);
  const directory = createDirectoryServer({ endpoints, clock, recorded });
  const directoryPort = await listen(resources, directory, ['SANDBOX_DIRECTORY_PORT', config.directoryPort]);
  const facilitatorPort =
    payments &&
    (await listen(resources, payments.facilitatorServer, [
      'SANDBOX_FACILITATOR_PORT',
      config.facilitatorPort,
    ]));
  const agents = payments?.startAgents({ tlsPort, ca: certificates.ca }) ?? null;
  if (agents) resources.defer(agents.stop);
  const ports = { tlsPort, refusingPort: refusing.port };
  const control = createControlServer({ ...served, ports, agents });
  const controlPort = await listen(resources, control, ['SANDBOX_CONTROL_PORT', config.controlPort]);
  const receiverServer = createReceiverServer(receiver);
  const receiverPort = await listen(resources, receiverServer, [
    'SANDBOX_RECEIVER_PORT',
    config.receiverPort,
  ]);
  return {
    type: 'ready',
    directoryUrl: `http://${LOOPBACK}:${directoryPort}`,
    controlUrl: `http://${LOOPBACK}:${controlPort}`,
    receiverUrl: `http://${LOOPBACK}:${receiverPort}`,
    caFile: certificates.caFile,
    tlsPort,
    epoch: new Date(parts.epoch).toISOString(),
    endpoints: endpoints.length,
    chainRpcUrls:
      payments && Object.fromEntries(payments.chains.map(({ network, url }) => [network.id, url] as const)),
    facilitatorUrl: facilitatorPort === null ? null : `http://${LOOPBACK}:${facilitatorPort}`,
    ledgerFile: payments?.ledger.file ?? null,
    chainMissing: 'unavailable' in opened ? opened.unavailable : null,
  };
}

/**
 * Opens a complete x402 environment: endpoints behind TLS, their directory, the chains and the control server.
 * @param reports receive messages about the running sandbox
 * @throws StartupError with a reason in one line, after all open resources are closed
 */
export async function createSandbox(config: SandboxConfig, reports: SandboxReports): Promise<Sandbox> {
  await createFolder(config.dataDir);
  const { seed, epoch } = await openSimulationSettings(config.dataDir, config);
  const simulation: SimulationOptions = { scenario: loadScenario(), seed, epoch: Date.parse(epoch) };
  const resources = new DisposableStack();
  try {
    const ready = await openServers(resources, {
      ...simulation,
      config,
      endpoints: createSimulatedEndpoints(simulation),
      clock: createClock(),
      reports,
    });
    return { ready, close: () => resources.dispose() };
  } catch (error) {
    resources.dispose();
    throw error;
  }
}
