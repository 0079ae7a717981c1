import type { PrivateKeyAccount } from 'viem/accounts';

/** Products that every client of the matrix buys, in this order. The renewal is for the bought watch. */
export const PRODUCTS = ['report', 'search', 'watch', 'renewal'] as const;
export type Product = (typeof PRODUCTS)[number];

/** Purchase of one product: over HTTP, over MCP and on the command line. */
export interface Order {
  /** Path of the HTTP operation. */
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** Name and input of the MCP tool. */
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** Arguments of the `touchstone` command. */
  readonly command: readonly string[];
  /** Price in atomic units of USDC. */
  readonly price: bigint;
}

/** Response with status 200, and the receipt of its payment as the client decodes the receipt. */
export interface Bought {
  readonly body: unknown;
  readonly receipt: unknown;
}

/** Client that is connected to the service. */
export interface Buyer {
  /** Requests the product, pays, and returns the response. Throws if the client did not pay or was refused. */
  buy(order: Order): Promise<Bought>;
  close?(): Promise<unknown>;
}

/** Imports a module of a client. The type argument is the type of the module. */
export type Load = <T>(name: string) => Promise<T>;

/** Options with which a client connects to the service. */
export interface BuyerOptions {
  readonly load: Load;
  /** URL of the service. */
  readonly url: string;
  readonly account: PrivateKeyAccount;
  readonly key: `0x${string}`;
}

/** Row of the client matrix. */
export interface Client {
  readonly name: string;
  /** Packages to install, and their versions. The first package is the client. Touchstone has no packages to install. */
  readonly packages: Readonly<Record<string, string>>;
  /** Version of x402 that the client pays with. */
  readonly x402Version: 1 | 2;
  readonly protocol: 'HTTP' | 'MCP' | 'command line';
  /** Products that the client buys. */
  readonly products: readonly Product[];
  /**
   * Runs that repeat the purchases. The nightly run is `npm run clients`. It installs the newest version of a client,
   * unless this text names "this version".
   */
  readonly checked: 'each test run' | 'nightly' | 'nightly, this version';
  /** True for a client that pays with the demo wallet of the sandbox. */
  readonly hasDemoWallet?: boolean;
  readonly connect: (options: BuyerOptions) => Promise<Buyer>;
}

/** Returns the name of the folder in which `npm run clients` installs a client. */
export const toFolderName = (name: string): string => name.replaceAll('/', '+');
