import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { openCertificates } from './certificates/certificates.ts';
import type { SandboxConfig } from './config.ts';
import { createClock, type Clock } from './control/clock.ts';
import { createControlServer } from './control/control-server.ts';
import { openSimulationSettings } from './data-folder/simulation-settings.ts';
import { createDirectoryServer, readRecordedListings } from './directory/directory-server.ts';
import { createEndpointServer } from './endpoints/endpoint-server.ts';
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
import { openDemoWallet } from './payments/wallets.ts';
import { createReceiverServer } from './receiver/receiver-server.ts';
import { createReceiver } from './receiver/receiver.ts';
import { loadScenario } from './scenario/load-scenario.ts';
import type { Scenario } from './scenario/scenario-schema.ts';
import type { SandboxReady } from './start-sandbox.ts';
import { StartupError, toErrorMessage } from './startup-error.ts';

export interface Sandbox {
  readonly ready: SandboxReady;
  /** Closes every connection and frees every port. */
  readonly close: () => void;
}

/** Resources opened so far. All of them are closed when the start fails or the sandbox closes. */
class OpenResources {
  readonly #closers: (() => void)[] = [];

  add(close: () => void): void {
    this.#closers.push(close);
  }

  /** Listens on the port that an environment variable configures; see {@link listenOnLoopback}. */
  async listen(server: Server, setting: string, port: number): Promise<number> {
    const actualPort = await listenOnLoopback(server, setting, port);
    this.add(() => {
      server.close();
      server.closeAllConnections();
    });
    return actualPort;
  }

  closeAll(): void {
    for (const close of this.#closers.splice(0)) close();
  }
}

function warnOnStderr(message: string): void {
  process.stderr.write(`sandbox: ${message}\n`);
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
  /** Reports a fault, or its end, in one line. */
  readonly warn: (message: string) => void;
}

/** Opens the payment system. The chains stop when the sandbox closes. */
async function openPayments(
  resources: OpenResources,
  { config, warn, ...parts }: Parts,
): Promise<PaymentSystem | PaymentsUnavailable> {
  if (!config.chain) return { unavailable: 'no chain: SANDBOX_CHAIN is off' };
  const { dataDir, chainPorts, salesNetwork } = config;
  const chains = { dataDir, chainPorts, salesNetwork };
  const payments = await openPaymentSystem({ ...parts, ...chains, now: parts.clock.now, warn });
  if ('unavailable' in payments) {
    warn(payments.unavailable);
    return payments;
  }
  resources.add(() => {
    for (const chain of payments.chains) chain.stop();
  });
  await openDemoWallet(config.dataDir, payments.chains);
  return payments;
}

async function openServers(resources: OpenResources, parts: Parts): Promise<SandboxReady> {
  const { config, endpoints, clock } = parts;
  const recorded = config.listingsFile === null ? [] : await readRecordedListings(config.listingsFile);
  const certificates = await openCertificates(config.dataDir);
  const refusing = await reserveRefusingPort();
  resources.add(refusing.release);
  const opened = await openPayments(resources, parts);
  const payments = 'unavailable' in opened ? null : opened;

  const handlePayment = payments?.handlePayment ?? null;
  const receiver = createReceiver();
  const endpointServer = createEndpointServer({ endpoints, certificates, clock, handlePayment, receiver });
  const tlsPort = await resources.listen(endpointServer, 'SANDBOX_TLS_PORT', config.tlsPort);
  const directory = createDirectoryServer({ ...parts, recorded });
  const directoryPort = await resources.listen(directory, 'SANDBOX_DIRECTORY_PORT', config.directoryPort);
  const facilitatorPort =
    payments &&
    (await resources.listen(payments.facilitatorServer, 'SANDBOX_FACILITATOR_PORT', config.facilitatorPort));
  const agents = payments?.startAgents({ tlsPort, ca: certificates.ca }) ?? null;
  if (agents) resources.add(agents.stop);
  const ports = { tlsPort, refusingPort: refusing.port };
  const control = createControlServer({ endpoints, clock, ports, agents });
  const controlPort = await resources.listen(control, 'SANDBOX_CONTROL_PORT', config.controlPort);
  const receiverServer = createReceiverServer(receiver);
  const receiverPort = await resources.listen(receiverServer, 'SANDBOX_RECEIVER_PORT', config.receiverPort);
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
 * @param scenario definitions of the endpoints; the default is `scenario.json`
 * @param warn reports faults of the running sandbox; the default writes them to stderr
 * @throws StartupError with a reason in one line, after all open resources are closed
 */
export async function createSandbox(
  config: SandboxConfig,
  scenario: Scenario = loadScenario(),
  warn = warnOnStderr,
): Promise<Sandbox> {
  await createFolder(config.dataDir);
  const { seed, epoch } = await openSimulationSettings(config.dataDir, config);
  const simulation: SimulationOptions = { scenario, seed, epoch: Date.parse(epoch) };
  const resources = new OpenResources();
  try {
    const ready = await openServers(resources, {
      ...simulation,
      config,
      endpoints: createSimulatedEndpoints(simulation),
      clock: createClock(),
      warn,
    });
    return { ready, close: () => resources.closeAll() };
  } catch (error) {
    resources.closeAll();
    throw error;
  }
}
