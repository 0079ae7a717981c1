import { readFileSync } from 'node:fs';
import type { PrivateKeyAccount } from 'viem';
import { CliError } from '../../cli-error.ts';
import { createNoSandboxError } from '../../network/open-sandbox.ts';
import type { Host } from '../../run.ts';
import { DEFAULT_NETWORK } from '../buy-options.ts';
import { KEY_VARIABLE, openWallet } from './open-wallet.ts';
import { isLoopbackHost, readServiceUrl } from './read-service-url.ts';
import { readSandboxFile } from './sandbox-file.ts';

/** The service to buy from and the wallet that pays. */
export interface ServiceAndWallet {
  readonly service: URL;
  readonly isSandbox: boolean;
  /** CAIP-2 id of the network to pay on if no option names one. */
  readonly defaultNetwork: string;
  /** Opens the wallet. @throws CliError without a valid key */
  readonly openWallet: () => PrivateKeyAccount;
}

export interface FindServiceOptions {
  /** URL of the service from --service or TOUCHSTONE_SERVICE; undefined when neither is set. */
  readonly service: string | undefined;
  readonly sandbox: boolean;
  /** Data folder of a service on this machine. */
  readonly dataDir: string;
  readonly env: Host['env'];
}

/**
 * Finds the service and the wallet that pays it. The demo wallet pays a sandbox, and the wallet in TOUCHSTONE_KEY pays
 * any other service. A real wallet must not pay a sandbox: the sandbox chain has the id of a real chain, so the
 * signature could be valid there, too.
 *
 * @throws CliError without a service, or for the service of a sandbox without --sandbox
 */
export function findService({ service, sandbox, dataDir, env }: FindServiceOptions): ServiceAndWallet {
  const sandboxFile = readSandboxFile(dataDir);
  if (sandbox) {
    if (sandboxFile === null) throw createNoSandboxError(dataDir);
    const { serviceUrl, demoWalletKeyFile, network } = sandboxFile;
    return {
      service: readServiceUrl(serviceUrl),
      isSandbox: true,
      defaultNetwork: network,
      openWallet: () => openDemoWallet(demoWalletKeyFile),
    };
  }
  if (service === undefined) {
    throw new CliError(
      'No service is configured. Give the URL of a Touchstone service with --service or TOUCHSTONE_SERVICE, ' +
        'or use --sandbox for the service of npm start.',
    );
  }
  const url = readServiceUrl(service);
  if (sandboxFile !== null && isSameService(url, new URL(sandboxFile.serviceUrl))) {
    throw new CliError(
      `${url.origin} is the service of a sandbox. A real wallet must not be used there, ` +
        'because its signatures can be valid on the real chain. Use --sandbox to pay with made-up dollars.',
    );
  }
  return {
    service: url,
    isSandbox: false,
    defaultNetwork: DEFAULT_NETWORK,
    openWallet: () => openWallet(env[KEY_VARIABLE], KEY_VARIABLE),
  };
}

/** Compares two service URLs. All loopback hosts count as one host. */
function isSameService(a: URL, b: URL): boolean {
  return (
    a.origin === b.origin || (a.port === b.port && isLoopbackHost(a.hostname) && isLoopbackHost(b.hostname))
  );
}

function openDemoWallet(file: string): PrivateKeyAccount {
  let key: string;
  try {
    key = readFileSync(file, 'utf8');
  } catch (cause) {
    throw new CliError(
      `The sandbox has no demo wallet: ${file} cannot be read. A sandbox without a chain has no wallets.`,
      { cause, code: 'no-wallet', notCharged: true },
    );
  }
  return openWallet(key, file);
}
