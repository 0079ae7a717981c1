import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts';
import { runHere } from './run-here.ts';
import type { Ended } from './command.ts';

export const RESOURCE = 'https://api.example.com/v1/weather';

/** Somebody with a wallet and a home of their own. */
export interface TestBuyer {
  readonly key: string;
  readonly address: string;
  /** Folder that holds everything of the buyer's. */
  readonly home: string;
  /** Files of payments that are kept. */
  readonly kept: () => readonly string[];
  /** Runs a command as this buyer; `input` is what is typed at a terminal, without one where it is left out. */
  readonly run: (
    args: readonly string[],
    input?: string,
    env?: Readonly<Record<string, string>>,
  ) => Promise<Ended>;
  readonly [Symbol.dispose]: () => void;
}

/** Makes a buyer; `env` is added to the environment, or takes something from it where it is empty. */
export function openBuyer(env: Readonly<Record<string, string>> = {}): TestBuyer {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-buyer-'));
  const key = generatePrivateKey();
  return {
    key,
    address: privateKeyToAccount(key).address,
    home,
    kept: () => {
      try {
        return readdirSync(join(home, 'touchstone', 'payments'));
      } catch {
        return [];
      }
    },
    run: async (args, input, more = {}) =>
      runHere([...args, '--data-dir', home], input ?? '', {
        env: { XDG_STATE_HOME: home, TOUCHSTONE_KEY: key, ...env, ...more },
        isTTY: input !== undefined,
      }),
    [Symbol.dispose]: () => rmSync(home, { recursive: true, force: true }),
  };
}
