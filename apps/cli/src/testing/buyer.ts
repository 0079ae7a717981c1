import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import type { CommandResult } from './run-command.ts';
import { runInProcess } from './run-in-process.ts';

export const RESOURCE = 'https://api.example.com/v1/weather';

/** A buyer with a new wallet and an empty state folder. */
export interface TestBuyer {
  readonly key: string;
  readonly address: string;
  /** Folder that is both the state folder and the data folder of the buyer. */
  readonly home: string;
  /** Returns the file names of the stored payments. */
  readonly listStoredPayments: () => readonly string[];
  /** Runs a command as this buyer. `input` is typed on a terminal; without `input` there is no terminal. */
  readonly run: (
    args: readonly string[],
    input?: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<CommandResult>;
  readonly [Symbol.dispose]: () => void;
}

/** Creates a buyer. @param env additional environment variables; an empty string counts as not set */
export function openBuyer(env: Readonly<Record<string, string>> = {}): TestBuyer {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-buyer-'));
  const key = generatePrivateKey();
  return {
    key,
    address: privateKeyToAccount(key).address,
    home,
    listStoredPayments: () => {
      try {
        return readdirSync(join(home, 'touchstone', 'payments'));
      } catch {
        return [];
      }
    },
    run: async (args, input, more = {}) =>
      runInProcess([...args, '--data-dir', home], input ?? '', {
        env: { XDG_STATE_HOME: home, TOUCHSTONE_KEY: key, ...env, ...more },
        isTTY: input !== undefined,
      }),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
