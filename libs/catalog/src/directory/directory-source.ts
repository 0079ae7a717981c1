/** Configuration of one discovery directory. */
export interface DirectorySource {
  /** Name that is shown to people and stored with listings. The name must stay the same when the URL changes. */
  readonly name: string;
  /**
   * Base URL of the facilitator. The path `/discovery/resources` is appended to a URL that does not end in
   * `/resources`.
   */
  readonly url: string;
  /** Requested number of items per page; 1,000 by default. */
  readonly pageSize?: number | undefined;
}

/**
 * Public directories, as of November 2026. All except the first return at most 100 items per page. Directories that
 * require a key (thirdweb) or serve no list (x402.org) are not included.
 */
export const PUBLIC_DIRECTORIES: readonly DirectorySource[] = [
  { name: 'CDP', url: 'https://api.cdp.coinbase.com/platform/v2/x402', pageSize: 1_000 },
  { name: 'PayAI', url: 'https://facilitator.payai.network', pageSize: 100 },
  { name: 'AnySpend', url: 'https://mainnet.anyspend.com/x402', pageSize: 100 },
  { name: 'Questflow', url: 'https://facilitator.questflow.ai', pageSize: 100 },
  { name: 'AurraCloud', url: 'https://x402-facilitator.aurracloud.com', pageSize: 100 },
  { name: 'Ultravioleta DAO', url: 'https://facilitator.ultravioletadao.xyz', pageSize: 100 },
  { name: 'Fluxa', url: 'https://facilitator.fluxapay.xyz', pageSize: 100 },
  { name: 'Relai', url: 'https://facilitator.x402.fi', pageSize: 100 },
  { name: 'Dexter', url: 'https://x402.dexter.cash', pageSize: 100 },
  {
    name: 'Binance',
    url: 'https://www.binance.com/bapi/ramp/v1/public/ramp/b402/bazaar/resources',
    pageSize: 100,
  },
];

const NAMED_SOURCE = /^([^=\s/?#]{1,60})=(https?:\/\/.*)$/i;
const PAGE_SIZE = /^(?:1000|[1-9]\d{0,2})$/;

/**
 * Parses the configuration of one directory: a URL, with an optional name (`mine=https://…`) and an optional page size
 * (`?limit=100`). For a public directory, name and page size default to the known values.
 *
 * @param text - Configuration value for one directory.
 * @returns The directory; null when the URL is not http or https, or the page size is not from 1 to 1,000.
 */
export function parseDirectorySource(text: string): DirectorySource | null {
  const [, name, address = text] = NAMED_SOURCE.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const limit = url.searchParams.get('limit');
  if (limit !== null && !PAGE_SIZE.test(limit)) return null;
  url.searchParams.delete('limit');
  url.hash = '';
  const base = url.href.replace(/\/+$/, '');
  const known = PUBLIC_DIRECTORIES.find((directory) => directory.url === base);
  return {
    name: name ?? known?.name ?? base,
    url: base,
    pageSize: limit === null ? known?.pageSize : Number(limit),
  };
}

/**
 * Returns the URL of one page of a directory. The URL requests only items of type `http`, because an MCP tool is not an
 * HTTP endpoint. An invalid base URL is returned unchanged, so that the request fails.
 */
export function toPageUrl(base: string, page: { readonly limit: number; readonly offset: number }): string {
  const url = URL.parse(base);
  if (url === null) return base;
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/resources') ? path : `${path}/discovery/resources`;
  url.searchParams.set('type', 'http');
  url.searchParams.set('limit', String(page.limit));
  url.searchParams.set('offset', String(page.offset));
  return url.href;
}
