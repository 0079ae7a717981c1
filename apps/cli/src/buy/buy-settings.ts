import { isLoopbackHost } from '@touchstone/common';
import { readFileSync } from 'node:fs';
import { DEFAULT_NETWORK, findCanonicalUsdc, parseNetwork } from '@touchstone/x402';
import type { Command } from 'commander';
import type { PrivateKeyAccount } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { z } from 'zod';
import { CliError, type Host } from '../command-tools.ts';
import { findSandboxFile, readSandboxFile } from '../network/sandbox-file.ts';
import { assertOneService, findServiceUrl, type ServiceOptions } from '../service/service-options.ts';
import { parseUsd } from '../terminal/text.ts';
import type { BuyOptions } from './buy-options.ts';
import type { PurchaseConditions } from './purchase.ts';

export interface BuySettings extends PurchaseConditions {
  readonly service: URL;
}

/** Reads the options of a command that buys something. @throws CliError for an invalid option */
export function readBuyOptions(
  command: Command,
  { env }: Pick<Host, 'env'>,
  defaultService?: string,
): BuySettings {
  assertOneService(command);
  const { maxUsd, network, yes, ...options } = command.optsWithGlobals<BuyOptions>();
  const limit = readAmount('--max-usd', maxUsd);
  const found = findService({ ...options, service: options.service ?? defaultService }, env);
  return { ...found, networks: [readNetwork(network ?? found.defaultNetwork)], limit, yes: yes === true };
}

/** Returns the CAIP-2 id of a value of --network. @throws CliError for a network on which the commands cannot pay */
export function readNetwork(network: string): string {
  const id = parseNetwork(network) ?? '';
  if (id.startsWith('eip155:') && findCanonicalUsdc(id) !== null) return id;
  throw new CliError(
    `--network ${network} is not supported. Use an EVM network with USDC, such as ${DEFAULT_NETWORK}.`,
  );
}

/** Parses the amount of an option in US dollars. @returns atomic units of USDC @throws CliError for other text */
export function readAmount(option: string, text: string): bigint {
  const amount = parseUsd(text);
  if (amount !== null) return amount;
  throw new CliError(
    `${option} ${text} is not an amount. Use US dollars with at most six decimals, such as 0.05.`,
  );
}

export interface ServiceAndWallet {
  readonly service: URL;
  readonly isSandbox: boolean;
  /** CAIP-2 id of the payment network if the command line names no network. */
  readonly defaultNetwork: string;
  /** Opens the wallet. @throws CliError without a valid key */
  readonly openWallet: () => PrivateKeyAccount;
}

/**
 * Finds the service and the wallet that pays the service. The demo wallet pays a sandbox, and the wallet in
 * TOUCHSTONE_KEY pays any other service. A real wallet must not pay a sandbox: the sandbox chain has the id of a real
 * chain, so the signature could also be valid on the real chain.
 *
 * @throws CliError without a service, or for the service of a sandbox without --sandbox
 */
export function findService(options: ServiceOptions, env: Host['env']): ServiceAndWallet {
  const service = findServiceUrl(options);
  if (options.sandbox === true) {
    const { demoWalletKeyFile, network } = readSandboxFile(options.dataDir);
    return {
      service,
      isSandbox: true,
      defaultNetwork: network,
      openWallet: () => openDemoWallet(demoWalletKeyFile),
    };
  }
  const sandboxFile = findSandboxFile(options.dataDir);
  if (sandboxFile !== null && isSameService(service, new URL(sandboxFile.serviceUrl))) {
    throw new CliError(
      `${service.origin} is the service of a sandbox. A real wallet must not be used there, ` +
        'because its signatures can be valid on the real chain. Use --sandbox to pay with made-up dollars.',
    );
  }
  return {
    service,
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

/** Environment variable with the private key of the wallet. */
export const KEY_VARIABLE = 'TOUCHSTONE_KEY';

const keySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-fA-F]{64}$/)]);

/**
 * Creates the wallet account of a private key. The account signs with the key, but has no member that returns the key.
 *
 * @param source name of the variable or file that contains the key, for error messages
 * @throws CliError for an invalid key; the message never contains the key
 */
function openWallet(text: string | undefined, source: string): PrivateKeyAccount {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') {
    throw new CliError(
      `No wallet is configured. Write its private key to ${source}. ` +
        'Use a separate wallet that holds no more than you want to spend.',
      { code: 'no-wallet', notCharged: true },
    );
  }
  const parsed = keySchema.safeParse(trimmed.startsWith('0x') ? trimmed : `0x${trimmed}`);
  if (!parsed.success) throw createInvalidKeyError(source, /^\$\{.*\}$/.test(trimmed));
  try {
    return privateKeyToAccount(parsed.data);
  } catch {
    // The key is zero or above the order of the curve. The original error is dropped, because it may contain the key.
    throw createInvalidKeyError(source, false);
  }
}

function createInvalidKeyError(source: string, isPlaceholder: boolean): CliError {
  const cause = isPlaceholder
    ? ' Its value is a placeholder, which the program that started touchstone did not replace.'
    : '';
  return new CliError(
    `${source} contains no valid private key.${cause} A key has 64 hexadecimal digits, with or without 0x.`,
    { code: 'no-wallet', notCharged: true },
  );
}
