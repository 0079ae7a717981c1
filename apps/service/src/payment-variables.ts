import { join } from 'node:path';
import { rpcSettingsSchema } from '@touchstone/pipeline';
import type { DataFolder } from './data-folder.ts';
import { openWallet } from './open-wallet.ts';
import type { Sandbox } from './start-sandbox.ts';

/** Environment variables of the site. */
export type Variables = Readonly<Record<string, string>>;

/**
 * How the site is paid in the sandbox: in made-up dollars, to a wallet of the data folder, whatever the operator set for
 * the real world. Where the sandbox has no chain, nothing is sold.
 */
export function sandboxPayments(
  folder: Pick<DataFolder, 'path'>,
  sandbox: Pick<Sandbox, 'chain'>,
): Variables {
  const { chain } = sandbox;
  return {
    X402_NETWORK: 'eip155:8453',
    X402_PAY_TO: chain === null ? '' : openWallet(folder),
    X402_FACILITATOR_URL: chain?.facilitatorUrl ?? '',
    CDP_API_KEY_ID: '',
    CDP_API_KEY_SECRET: '',
    RPC_URLS: chain === null ? '' : `eip155:8453=${chain.rpcUrl}`,
    SANDBOX_FILE: join(folder.path, 'sandbox.json'),
  };
}

/**
 * What an operator is told of what is sold, in one line.
 *
 * @param variables of the site
 */
export function paymentLine(variables: Readonly<Record<string, string | undefined>>): string {
  const payTo = variables['X402_PAY_TO'] ?? '';
  if (payTo === '') return 'paid routes are off: set X402_PAY_TO to the wallet that is to be paid';
  const network = variables['X402_NETWORK'] || 'eip155:8453';
  if (rpcSettingsSchema.safeParse(variables['RPC_URLS'] ?? '').data?.has(network) !== true) {
    return `paid routes are off: set RPC_URLS to a provider of ${network}, which says what was paid`;
  }
  const facilitator = URL.parse(variables['X402_FACILITATOR_URL'] ?? '')?.host ?? 'CDP';
  return `reports are sold for USDC on ${network} to ${payTo}, settled by ${facilitator}`;
}
