type Network = 'eip155:8453' | 'eip155:84532' | 'eip155:137';

/**
 * A sandbox process that all test files of one Vitest worker share: endpoints, a directory, chains and a facilitator.
 * Its clock follows the real time. Each test has its own wallets, and counts only the payments of these wallets. No
 * test stops the sandbox or its chains, or moves their time forward.
 */
export interface SharedSandbox {
  /** Data folder of the sandbox. */
  readonly dataDir: string;
  readonly directoryUrl: string;
  readonly controlUrl: string;
  readonly receiverUrl: string;
  /** File with the certificate authority of the endpoints, PEM. */
  readonly caFile: string;
  readonly tlsPort: number;
  /** Start of the simulated time, ISO 8601. */
  readonly epoch: string;
  readonly endpoints: number;
  /** URLs for JSON-RPC over HTTP, by the CAIP-2 id of the network. */
  readonly chainRpcUrls: Readonly<Record<Network, string>>;
  readonly facilitatorUrl: string;
  /** File with the settled payments of the simulated buyers, JSON Lines. */
  readonly ledgerFile: string;
}

/**
 * Returns the sandbox of this Vitest worker. The first call of a worker starts it; the end of the test run stops it.
 */
export async function openSharedSandbox(): Promise<SharedSandbox> {
  const { TEST_SANDBOXES: url, VITEST_POOL_ID: worker } = process.env;
  if (!url || !worker)
    throw new Error(
      'There are no shared sandboxes. Add tools/test/sandboxes.ts to globalSetup of this project.',
    );
  const response = await fetch(`${url}/${worker}`);
  if (!response.ok) throw new Error(`The shared sandbox does not start: ${await response.text()}`);
  // The cast is safe: tools/test/sandboxes.ts sends the ready message of the sandbox and its data folder.
  return (await response.json()) as SharedSandbox;
}
