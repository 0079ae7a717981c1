import type { Command } from 'commander';
import { canonicalUsdc } from '@touchstone/x402';
import { CliError } from '../cli-error.ts';
import type { Host } from '../run.ts';
import { DEFAULT_NETWORK, type BuyOptions } from './options.ts';
import type { Conditions } from './purchase.ts';
import { openShop } from './shop.ts';
import { readUsd } from './usd.ts';

/** The service and the conditions that options ask for. */
export interface Terms extends Conditions {
  readonly service: URL;
}

/**
 * Reads the options of a command that buys something.
 *
 * @throws CliError saying which one cannot be used
 */
export function readTerms(command: Command, { env }: Pick<Host, 'env'>): Terms {
  const { service, sandbox, dataDir, maxUsd, network, yes } = command.optsWithGlobals<BuyOptions>();
  if (sandbox === true && command.getOptionValueSource('service') === 'cli')
    throw new CliError('Give --service or --sandbox, not both.');
  const limit = readUsd(maxUsd);
  if (limit === null)
    throw new CliError(`--max-usd ${maxUsd}: give US dollars with six decimals at most, such as 0.05.`);
  if (!network.startsWith('eip155:') || canonicalUsdc(network) === null)
    throw new CliError(
      `--network ${network}: this command pays in USDC on EVM networks, such as ${DEFAULT_NETWORK}.`,
    );
  const shop = openShop({ service, sandbox: sandbox === true, dataDir, env });
  return { ...shop, network, limit, yes: yes === true };
}
