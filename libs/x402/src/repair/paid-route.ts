import type { RepairedOption } from './repair-terms.ts';

/** A paid route as the server libraries declare it. */
export interface PaidRoute {
  /** Method in capitals. */
  readonly method: string;
  /** Public URL of the route. Behind a proxy, a library would advertise the address of the inner server. */
  readonly url: string;
  readonly description: string | null;
  readonly mimeType: string | null;
  /** At least one option. */
  readonly options: readonly [RepairedOption, ...RepairedOption[]];
  /** True when pages of other origins must read the payment headers. */
  readonly isForBrowsers: boolean;
  /** Sentences on parts of the route that the code leaves out. */
  readonly remarks: readonly string[];
}

/** Response headers that a browser hides from pages of other origins, unless the server exposes them. */
export const EXPOSED_HEADERS = ['PAYMENT-REQUIRED', 'PAYMENT-RESPONSE'];

/** Writes a text as a literal of all four languages: they share the escapes of JSON. */
export const quote = (text: string): string => JSON.stringify(text.toWellFormed());

export const indent = (lines: readonly string[], by: string): string[] => lines.map((line) => by + line);

export function listNetworks({ options }: PaidRoute): readonly string[] {
  return [...new Set(options.map(({ network }) => network))];
}

export function isEvm(network: string): boolean {
  return network.startsWith('eip155:');
}

/** Pattern of the route: method and path, as in `GET /v1/weather`. */
export function formatPattern({ method, url }: PaidRoute): string {
  return quote(`${method} ${new URL(url).pathname}`);
}
