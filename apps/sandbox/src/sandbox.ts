import { mkdir } from 'node:fs/promises';
import type { Server } from 'node:http';
import { openCertificates } from './certificate-store.ts';
import { createClock } from './clock.ts';
import type { Clock } from './clock.ts';
import type { SandboxConfig } from './config.ts';
import { createControlServer } from './control-server.ts';
import { createDirectoryServer } from './directory-server.ts';
import { createEndpointServer } from './endpoint-server.ts';
import { loadScenario } from './load-scenario.ts';
import { listenOnLoopback, LOOPBACK } from './loopback.ts';
import { openEconomy } from './payments/open-economy.ts';
import type { Economy } from './payments/open-economy.ts';
import { welcomeVisitor } from './payments/visitor.ts';
import { readRecordedListings } from './recorded-listings.ts';
import { holdRefusingPort } from './refusing-port.ts';
import { residentsOf } from './resident.ts';
import type { Resident, WorldOptions } from './resident.ts';
import type { SandboxReady } from './sandbox-ready.ts';
import type { Scenario } from './scenario-schema.ts';
import { reasonOf, StartupError } from './startup-error.ts';
import { openWorld } from './world.ts';

export interface Sandbox {
  readonly ready: SandboxReady;
  /** Cuts every connection and frees every port. */
  readonly close: () => void;
}

/** What was opened so far; all of it is closed when the start fails half way. */
class Opened {
  readonly #closers: (() => void)[] = [];

  add(close: () => void): void {
    this.#closers.push(close);
  }

  /** Listens on a port that an environment variable chose; see {@link listenOnLoopback}. */
  async listen(server: Server, setting: string, port: number): Promise<number> {
    const listening = await listenOnLoopback(server, setting, port);
    this.add(() => {
      server.close();
      server.closeAllConnections();
    });
    return listening;
  }

  closeAll(): void {
    for (const close of this.#closers.splice(0)) close();
  }
}

const makeFolder = async (dataDir: string): Promise<void> => {
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    throw new StartupError(`SANDBOX_DATA_DIR: cannot make ${dataDir}: ${reasonOf(error)}`);
  }
};

interface Parts extends WorldOptions {
  readonly config: SandboxConfig;
  readonly residents: readonly Resident[];
  readonly clock: Clock;
}

/** Lets go of the chain when the sandbox closes, and says so when it ends by itself. */
const openMoney = async (
  opened: Opened,
  { config, ...parts }: Parts,
): Promise<Economy | { none: string }> => {
  if (!config.chain) return { none: 'no chain: SANDBOX_CHAIN is off' };
  const warn = (message: string) => void process.stderr.write(`sandbox: ${message}\n`);
  const money = await openEconomy({ ...parts, dataDir: config.dataDir, now: parts.clock.now, warn });
  if ('none' in money) {
    warn(money.none);
    return money;
  }
  let closing = false;
  opened.add(() => {
    closing = true;
    money.chain.stop();
  });
  void money.chain.ended.then(() => {
    if (!closing) warn('the chain ended by itself; nothing is paid until the next start');
  });
  await welcomeVisitor(config.dataDir, money.chain);
  return money;
};

const openServers = async (opened: Opened, parts: Parts): Promise<SandboxReady> => {
  const { config, residents, clock } = parts;
  const recorded = config.listingsFile === null ? [] : await readRecordedListings(config.listingsFile);
  const certificates = await openCertificates(config.dataDir);
  const refusing = await holdRefusingPort();
  opened.add(refusing.release);
  const opening = await openMoney(opened, parts);
  const money = 'none' in opening ? null : opening;

  const cashier = money?.cashier ?? null;
  const endpointServer = createEndpointServer({ residents, certificates, clock, cashier });
  const tlsPort = await opened.listen(endpointServer, 'SANDBOX_TLS_PORT', config.tlsPort);
  const directory = createDirectoryServer({ ...parts, recorded });
  const directoryPort = await opened.listen(directory, 'SANDBOX_DIRECTORY_PORT', config.directoryPort);
  const facilitatorPort = money && (await opened.listen(money.facilitatorServer, 'facilitator', 0));
  const agents = money?.bringAgents({ tlsPort, ca: certificates.ca }) ?? null;
  if (agents) opened.add(agents.stop);
  const ports = { tlsPort, refusingPort: refusing.port };
  const control = createControlServer({ residents, clock, ports, agents });
  const controlPort = await opened.listen(control, 'SANDBOX_CONTROL_PORT', config.controlPort);
  return {
    type: 'ready',
    directoryUrl: `http://${LOOPBACK}:${directoryPort}`,
    controlUrl: `http://${LOOPBACK}:${controlPort}`,
    caFile: certificates.caFile,
    tlsPort,
    epoch: new Date(parts.epoch).toISOString(),
    endpoints: residents.length,
    chainRpcUrl: money?.chain.url ?? null,
    facilitatorUrl: facilitatorPort === null ? null : `http://${LOOPBACK}:${facilitatorPort}`,
    ledgerFile: money?.ledger.file ?? null,
    chainMissing: 'none' in opening ? opening.none : null,
  };
};

/**
 * Opens a whole x402 world: its endpoints behind TLS, its directory and its control server.
 * @param scenario the endpoints that live in it; by default the market the sandbox comes with
 * @throws StartupError saying in one line why it cannot start; nothing stays open then
 */
export const createSandbox = async (
  config: SandboxConfig,
  scenario: Scenario = loadScenario(),
): Promise<Sandbox> => {
  await makeFolder(config.dataDir);
  const { seed, epoch } = await openWorld(config.dataDir, config);
  const world: WorldOptions = { scenario, seed, epoch: Date.parse(epoch) };
  const opened = new Opened();
  try {
    const ready = await openServers(opened, {
      ...world,
      config,
      residents: residentsOf(world),
      clock: createClock(),
    });
    return { ready, close: () => opened.closeAll() };
  } catch (error) {
    opened.closeAll();
    throw error;
  }
};
