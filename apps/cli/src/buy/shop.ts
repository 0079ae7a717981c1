import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { PrivateKeyAccount } from 'viem';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';
import type { Host } from '../run.ts';
import { isThisMachine, readService } from './service.ts';
import { KEY_VARIABLE, openWallet } from './wallet.ts';

const noteSchema = z.object({ serviceUrl: z.url(), visitorKeyFile: z.string() });

/** Where something is bought, and by whom. */
export interface Shop {
  readonly service: URL;
  readonly isSandbox: boolean;
  /** @throws CliError where there is no key */
  readonly wallet: () => PrivateKeyAccount;
}

export interface ShopOptions {
  /** The service as it was given; undefined where it was not. */
  readonly service: string | undefined;
  readonly sandbox: boolean;
  /** Data folder of a service on this machine. */
  readonly dataDir: string;
  readonly env: Host['env'];
}

/**
 * Finds the service, and the wallet that pays it: the one of the environment, or in a sandbox that of its visitors. The
 * two are never mixed, because what a wallet signs for a sandbox can be good on the chain that it plays.
 *
 * @throws CliError where there is no service, or it is a sandbox's and the wallet may be real
 */
export function openShop({ service: given, sandbox, dataDir, env }: ShopOptions): Shop {
  const note = readNote(dataDir);
  if (sandbox) {
    if (note === null) {
      throw new CliError(
        `No sandbox runs with the data folder ${resolve(dataDir)}. ` +
          'Start one there with npm start, or name the folder of one that runs with --data-dir.',
      );
    }
    const service = readService(note.serviceUrl);
    return { service, isSandbox: true, wallet: () => visitorWallet(note.visitorKeyFile) };
  }
  if (given === undefined) {
    throw new CliError(
      'Say where to buy: give the address of a Touchstone service with --service or TOUCHSTONE_SERVICE, ' +
        'or --sandbox for the one that npm start runs.',
    );
  }
  const service = readService(given);
  if (note !== null && isSameService(service, new URL(note.serviceUrl))) {
    throw new CliError(
      `${service.origin} is the service of a sandbox, where no real wallet belongs: ` +
        'what it signs can be good on the real chain. Give --sandbox, which pays with made-up dollars.',
    );
  }
  return { service, isSandbox: false, wallet: () => openWallet(env[KEY_VARIABLE], KEY_VARIABLE) };
}

/** This machine has several names. */
function isSameService(a: URL, b: URL): boolean {
  return (
    a.origin === b.origin || (a.port === b.port && isThisMachine(a.hostname) && isThisMachine(b.hostname))
  );
}

/** What a running service says of its sandbox, or null where none says anything. */
function readNote(dataDir: string): z.infer<typeof noteSchema> | null {
  try {
    return noteSchema.parse(JSON.parse(readFileSync(join(resolve(dataDir), 'sandbox.json'), 'utf8')));
  } catch {
    return null;
  }
}

function visitorWallet(file: string): PrivateKeyAccount {
  let key: string;
  try {
    key = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliError(`The sandbox has no wallet for visitors, because it runs without a chain (${file}).`, {
      cause,
    });
  }
  return openWallet(key, file);
}
