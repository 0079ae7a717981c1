import type { Server } from 'node:https';
import { openCertificates } from '../certificate-store.ts';
import { createClock } from '../clock.ts';
import { createEndpointServer } from '../endpoint-server.ts';
import { loadScenario } from '../load-scenario.ts';
import { listenOnLoopback } from '../loopback.ts';
import { residentsOf } from '../resident.ts';
import { temporaryFolder } from '../test-world.ts';
import { createBuyer } from './buyer.ts';
import type { LedgerEntry } from './ledger.ts';
import { openEconomy } from './open-economy.ts';
import type { Economy } from './open-economy.ts';
import { payPresent } from './pay-present.ts';
import type { PlannedCall } from './planned-calls.ts';
import { openWalletKeys } from './wallet-keys.ts';

export const MARKET_SEED = 'touchstone';
/** A young world in real time, because version 1's client signs payments that are good from ten minutes ago on. */
const YOUNG = { epoch: Date.now() - 900_000, now: Date.now };
const WARN = (message: string) => {
  throw new Error(message);
};

/** Endpoints with a chain behind them, on the first day of a world. */
export interface TestMarket {
  readonly economy: Economy;
  readonly tlsPort: number;
  readonly ca: string;
  readonly resident: (name: string) => PlannedCall['resident'];
  /** Has a wallet call an endpoint, by its name in the scenario, and pay what it asks. */
  readonly buy: (endpoint: string, wallet?: string) => Promise<LedgerEntry | null>;
  readonly close: () => Promise<void>;
}

const closed = (server: Server): void => {
  server.close();
  server.closeAllConnections();
};

/** @param time the world's first moment, and its time now, in milliseconds since 1970 */
export const openTestMarket = async ({ epoch, now } = YOUNG): Promise<TestMarket> => {
  const folder = await temporaryFolder();
  const clock = createClock(now);
  const residents = residentsOf({ scenario: loadScenario(), seed: MARKET_SEED, epoch });
  const place = { residents, seed: MARKET_SEED, epoch, dataDir: folder.path };
  const economy = await openEconomy({ ...place, now: clock.now, warn: WARN });
  if ('none' in economy) throw new Error(economy.none);
  const certificates = await openCertificates(folder.path);
  const server = createEndpointServer({ residents, certificates, clock, cashier: economy.cashier });
  const tlsPort = await listenOnLoopback(server, 'SANDBOX_TLS_PORT', 0);
  const keys = await openWalletKeys(folder.path);
  const resident: TestMarket['resident'] = (name) => {
    const found = residents.find(({ endpoint }) => endpoint.name === name);
    if (!found) throw new Error(`the scenario has no ${name}`);
    return found;
  };
  return {
    economy,
    tlsPort,
    ca: certificates.ca,
    resident,
    buy: (name, wallet = 'agent 1') => {
      const call = { resident: resident(name), at: clock.now(), buyer: wallet, wash: false };
      const buyer = (each: string) => createBuyer(keys.accountOf(each));
      return payPresent(call, { ledger: economy.ledger, buyer, tlsPort, ca: certificates.ca });
    },
    close: async () => {
      closed(server);
      economy.chain.stop();
      await economy.chain.ended;
      await folder.remove();
    },
  };
};
