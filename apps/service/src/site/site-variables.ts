import { join } from 'node:path';
import { rpcSettingsSchema } from '@touchstone/pipeline';
import { DEFAULT_NETWORK } from '@touchstone/x402/networks';
import type { LiveConfig } from '../config/live-config.ts';
import type { DataFolder } from '../data-folder/data-folder.ts';
import { openSellerWallet, SANDBOX_BUDGET } from '../data-folder/keys.ts';
import type { Sandbox } from '../sandbox/start-sandbox.ts';

/** Environment variables of the site. */
export type SiteVariables = Readonly<Record<string, string>>;

/**
 * Creates the site's payment variables for the sandbox. Buyers pay made-up USDC to the wallet of the data folder. The
 * variables override the operator's variables for real payments. Without a chain, sales are disabled.
 */
export function createSandboxPaymentVariables(
  folder: Pick<DataFolder, 'path'>,
  sandbox: Pick<Sandbox, 'chains' | 'network'>,
): SiteVariables {
  const { chains, network } = sandbox;
  return {
    X402_NETWORK: network,
    X402_PAY_TO: chains === null ? '' : openSellerWallet(folder),
    X402_FACILITATOR_URL: chains?.facilitatorUrl ?? '',
    CDP_API_KEY_ID: '',
    CDP_API_KEY_SECRET: '',
    RPC_URLS: Object.entries(chains?.rpcUrls ?? {})
      .map(([id, url]) => `${id}=${url}`)
      .join(' '),
    DELIVERY_KEY: '',
    DELIVERY_BUDGET: chains === null ? '' : SANDBOX_BUDGET,
    SANDBOX_FILE: join(folder.path, 'sandbox.json'),
  };
}

/**
 * Creates the site's environment variables for live probes, so that the site probes with the same settings as the
 * service.
 */
export function createLiveVariables(
  live: Pick<LiveConfig, 'userAgent' | 'canaries' | 'nameServers' | 'allowPrivate'>,
): SiteVariables {
  return {
    PROBE_USER_AGENT: live.userAgent,
    CANARY_URLS: live.canaries.join(' '),
    NAME_SERVERS: (live.nameServers ?? []).join(' '),
    ALLOW_PRIVATE: live.allowPrivate ? 'for-tests' : '',
    // The service buys, so the site needs no key.
    DELIVERY_KEY: '',
    // Clears a SANDBOX_FILE of the operator's shell. With this variable, reports would describe sandbox endpoints.
    SANDBOX_FILE: '',
  };
}

/**
 * Formats the payment settings as one line for the operator, without keys.
 *
 * @param variables environment variables of the site
 */
export function formatPaymentStatus(variables: Readonly<Record<string, string | undefined>>): string {
  const payTo = variables['X402_PAY_TO'] ?? '';
  if (payTo === '') return 'paid routes are disabled: set X402_PAY_TO to the wallet that receives payments';
  const network = variables['X402_NETWORK'] || DEFAULT_NETWORK;
  if (rpcSettingsSchema.safeParse(variables['RPC_URLS'] ?? '').data?.has(network) !== true) {
    return `paid routes are disabled: set RPC_URLS to a provider of ${network}, which confirms settlements`;
  }
  const facilitator = URL.parse(variables['X402_FACILITATOR_URL'] ?? '')?.host ?? 'CDP';
  return `paid routes accept USDC on ${network} to ${payTo}, settled by ${facilitator}`;
}

/** Formats the command that backs up a data folder. */
export function formatBackupCommand({ path }: Pick<DataFolder, 'path'>): string {
  return `DATA_DIR="${path}" npx --no-install touchstone backup FILE`;
}
