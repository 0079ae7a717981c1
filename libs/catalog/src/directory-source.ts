/** A discovery directory, as an operator names it. */
export interface DirectorySource {
  /** Listings are remembered under it, and it is shown: it stays when the address changes. */
  readonly name: string;
  /** Base URL of the facilitator, to which `/discovery/resources` is appended, or one that ends in `/resources`. */
  readonly url: string;
  /** Items asked for at once; 1,000 unless given. */
  readonly pageSize?: number | undefined;
}

/**
 * The public directories, as of November 2026. All but the first give a hundred items a page. Those that want a key
 * (thirdweb) or do not serve a list (x402.org) are not among them.
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

const withName = /^([^=\s/?#]{1,60})=(https?:\/\/.*)$/i;
const pageSizes = /^(?:1000|[1-9]\d{0,2})$/;

/**
 * Reads how an operator names a directory: its URL, with a name before it (`mine=https://…`) if it is to have one, and
 * with `?limit=100` if its pages are smaller than a thousand items. A public directory has its own name and page size.
 *
 * @param text - One word of a configuration.
 * @returns The directory, or null when there is no http or https URL in it, or no page size from 1 to 1,000.
 */
export function readDirectorySource(text: string): DirectorySource | null {
  const [, name, address = text] = withName.exec(text) ?? [];
  const url = URL.parse(address);
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null;
  const limit = url.searchParams.get('limit');
  if (limit !== null && !pageSizes.test(limit)) return null;
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
 * The address of one page of a directory. Only `http` items are wanted: an MCP tool is no HTTP endpoint. What is no
 * address at all stays as it is, for the request to fail on.
 */
export function pageAddress(base: string, page: { readonly limit: number; readonly offset: number }): string {
  const url = URL.parse(base);
  if (url === null) return base;
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/resources') ? path : `${path}/discovery/resources`;
  url.searchParams.set('type', 'http');
  url.searchParams.set('limit', String(page.limit));
  url.searchParams.set('offset', String(page.offset));
  return url.href;
}
