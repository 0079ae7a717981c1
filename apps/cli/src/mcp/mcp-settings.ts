import type { Command } from 'commander';
import { findCanonicalUsdc } from '@touchstone/x402';
import { DEFAULT_NETWORK, type ServiceOptions } from '../buy/buy-options.ts';
import { parseUsd } from '../buy/quote/usdc-amount.ts';
import { findService, type ServiceAndWallet } from '../buy/service/find-service.ts';
import { KEY_VARIABLE } from '../buy/service/open-wallet.ts';
import { CliError } from '../cli-error.ts';
import type { Host } from '../run.ts';
import type { SpendingLimits } from './spending.ts';

/** Options of `touchstone mcp`. */
interface McpOptions extends ServiceOptions {
  readonly maxUsd: string;
  readonly maxTotalUsd: string;
  readonly maxCalls: string;
  readonly network?: readonly string[];
}

/** Service, wallet and limits of the MCP server. */
export interface McpSettings extends ServiceAndWallet {
  /** CAIP-2 ids of the networks on which the server may pay. */
  readonly networks: readonly string[];
  readonly limits: SpendingLimits;
  /** False when no key is configured. Paid tools then return their quote. */
  readonly hasWallet: boolean;
}

/** Reads the options of `touchstone mcp`. @throws CliError for an invalid option */
export function readMcpSettings(command: Command, { env }: Pick<Host, 'env'>): McpSettings {
  const { sandbox, dataDir, service, network, ...options } = command.optsWithGlobals<McpOptions>();
  if (sandbox === true && command.getOptionValueSource('service') === 'cli')
    throw new CliError('Give --service or --sandbox, not both.');
  const found = findService({ service, sandbox: sandbox === true, dataDir, env });
  return {
    ...found,
    networks: (network ?? [found.defaultNetwork]).map(readNetwork),
    limits: {
      perCall: readAmount('--max-usd', options.maxUsd),
      total: readAmount('--max-total-usd', options.maxTotalUsd),
      calls: readCalls(options.maxCalls),
    },
    hasWallet: found.isSandbox || (env[KEY_VARIABLE]?.trim() ?? '') !== '',
  };
}

function readNetwork(network: string): string {
  if (network.startsWith('eip155:') && findCanonicalUsdc(network) !== null) return network;
  throw new CliError(
    `--network ${network} is not supported. Use EVM networks with USDC, such as ${DEFAULT_NETWORK}.`,
  );
}

function readAmount(option: string, text: string): bigint {
  const amount = parseUsd(text);
  if (amount !== null) return amount;
  throw new CliError(
    `${option} ${text} is not an amount. Use US dollars with at most six decimals, such as 0.05.`,
  );
}

function readCalls(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text);
  throw new CliError(`--max-calls must be a whole number from 0 to 999999; received ${text}.`);
}
