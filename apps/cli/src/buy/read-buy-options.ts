import type { Command } from 'commander';
import { findCanonicalUsdc } from '@touchstone/x402';
import { CliError } from '../cli-error.ts';
import type { Host } from '../run.ts';
import { DEFAULT_NETWORK, type BuyOptions } from './buy-options.ts';
import type { PurchaseConditions } from './purchase.ts';
import { parseUsd } from './quote/usdc-amount.ts';
import { findService } from './service/find-service.ts';

/** Service and conditions of a purchase, from the options of a command. */
export interface BuySettings extends PurchaseConditions {
  readonly service: URL;
}

/**
 * Reads the options of a command that buys something.
 *
 * @param defaultService URL of the service if no option and no variable names one
 * @throws CliError for an invalid option
 */
export function readBuyOptions(
  command: Command,
  { env }: Pick<Host, 'env'>,
  defaultService?: string,
): BuySettings {
  const options = command.optsWithGlobals<BuyOptions>();
  const { sandbox, dataDir, maxUsd, network, yes, service = defaultService } = options;
  if (sandbox === true && command.getOptionValueSource('service') === 'cli')
    throw new CliError('Give --service or --sandbox, not both.');
  const limit = parseUsd(maxUsd);
  if (limit === null) {
    throw new CliError(
      `--max-usd ${maxUsd} is not an amount. Use US dollars with at most six decimals, such as 0.05.`,
    );
  }
  if (network !== undefined && (!network.startsWith('eip155:') || findCanonicalUsdc(network) === null)) {
    throw new CliError(
      `--network ${network} is not supported. Use an EVM network with USDC, such as ${DEFAULT_NETWORK}.`,
    );
  }
  const found = findService({ service, sandbox: sandbox === true, dataDir, env });
  return { ...found, networks: [network ?? found.defaultNetwork], limit, yes: yes === true };
}
