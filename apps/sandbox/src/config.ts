import { z } from 'zod';
import { BASE, SALES_NETWORK_IDS, type SalesNetworkId } from './chain/network.ts';
import type { RequestedSettings } from './data-folder/simulation-settings.ts';
import { createWholeNumberSchema } from './parsing.ts';
import { StartupError } from './startup-error.ts';

export interface SandboxConfig extends RequestedSettings {
  readonly dataDir: string;
  /** True when the sandbox runs a chain on which endpoints can be paid. */
  readonly chain: boolean;
  /**
   * CAIP-2 id of the network on which the service sells. The sandbox runs a chain for this network, and chains for the
   * networks of the endpoints.
   */
  readonly salesNetwork: SalesNetworkId;
  /** File of recorded items of a discovery directory; null without recorded items. */
  readonly listingsFile: string | null;
  /** URL of the service that receives the outcomes of payments; null to send none. */
  readonly serviceUrl: string | null;
  /** Port of the endpoints' TLS server. In all port settings, 0 selects any free port. */
  readonly tlsPort: number;
  readonly directoryPort: number;
  readonly controlPort: number;
  readonly facilitatorPort: number;
  /** Port of each chain by the CAIP-2 id of its network. A chain without an entry gets any free port. */
  readonly chainPorts: ReadonlyMap<string, number>;
  /** Port of the page that shows received webhooks and chat messages. */
  readonly receiverPort: number;
}

const port = createWholeNumberSchema(0, 65_535).default(0);

const CHAIN_PORT = /^(eip155:\d+)=(\d{1,5})$/;
/** Ports of the chains, such as `eip155:8453=4001,eip155:137=4002`. */
const chainPorts = z
  .string()
  .default('')
  .transform((text, context) => {
    const ports = new Map<string, number>();
    for (const entry of text.split(',').filter((part) => part !== '')) {
      const [, network, number] = CHAIN_PORT.exec(entry) ?? [];
      if (network === undefined || Number(number) > 65_535) {
        const message = `must have entries such as eip155:8453=4001, separated by commas; received ${text}`;
        context.addIssue({ code: 'custom', message });
        return z.NEVER;
      }
      ports.set(network, Number(number));
    }
    return ports;
  });

const environmentSchema = z.object({
  SANDBOX_DATA_DIR: z.string('is required: set it to the data folder'),
  SANDBOX_SEED: z.string().optional(),
  SANDBOX_EPOCH: z.iso
    .datetime({
      offset: true,
      error: ({ input }) => `must be an ISO 8601 time with a time zone; received ${String(input)}`,
    })
    .optional(),
  SANDBOX_HISTORY_DAYS: createWholeNumberSchema(0, 3_650).default(14),
  SANDBOX_CHAIN: z
    .enum(['on', 'off'], { error: ({ input }) => `must be on or off; received ${String(input)}` })
    .default('on'),
  SANDBOX_NETWORK: z
    .enum(SALES_NETWORK_IDS, {
      error: ({ input }) => `must be ${SALES_NETWORK_IDS.join(' or ')}; received ${String(input)}`,
    })
    .default(BASE.id),
  SANDBOX_LISTINGS: z.string().optional(),
  SANDBOX_SERVICE_URL: z
    .url({ protocol: /^https?$/, error: ({ input }) => `must be an HTTP URL; received ${String(input)}` })
    .optional(),
  SANDBOX_TLS_PORT: port,
  SANDBOX_DIRECTORY_PORT: port,
  SANDBOX_CONTROL_PORT: port,
  SANDBOX_FACILITATOR_PORT: port,
  SANDBOX_CHAIN_PORTS: chainPorts,
  SANDBOX_RECEIVER_PORT: port,
});

/**
 * Reads the configuration from environment variables. An empty variable counts as unset.
 * @throws StartupError that lists every missing or invalid variable
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): SandboxConfig {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = environmentSchema.safeParse(set);
  if (!parsed.success)
    throw new StartupError(
      parsed.error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`).join('; '),
    );
  return {
    dataDir: parsed.data.SANDBOX_DATA_DIR,
    seed: parsed.data.SANDBOX_SEED ?? null,
    epoch: parsed.data.SANDBOX_EPOCH ?? null,
    historyDays: parsed.data.SANDBOX_HISTORY_DAYS,
    chain: parsed.data.SANDBOX_CHAIN === 'on',
    salesNetwork: parsed.data.SANDBOX_NETWORK,
    listingsFile: parsed.data.SANDBOX_LISTINGS ?? null,
    serviceUrl: parsed.data.SANDBOX_SERVICE_URL ?? null,
    tlsPort: parsed.data.SANDBOX_TLS_PORT,
    directoryPort: parsed.data.SANDBOX_DIRECTORY_PORT,
    controlPort: parsed.data.SANDBOX_CONTROL_PORT,
    facilitatorPort: parsed.data.SANDBOX_FACILITATOR_PORT,
    chainPorts: parsed.data.SANDBOX_CHAIN_PORTS,
    receiverPort: parsed.data.SANDBOX_RECEIVER_PORT,
  };
}
