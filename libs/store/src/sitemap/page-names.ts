import { z } from 'zod';
import { unwrap, type Db } from '../client/client.ts';

/** Kind of a page: the page of an endpoint is named by the endpoint id, and the page of a provider by its host. */
export type PageKind = 'endpoint' | 'host';

/** Part of the list of page names. */
export interface PageNameRange {
  readonly kind: PageKind;
  /** Name before the first one of the range; empty for the first range. */
  readonly after: string;
  /** Maximum number of names. */
  readonly limit: number;
}

/** Reads the names of pages in their order. */
export async function readPageNames(
  db: Db,
  { kind, after, limit }: PageNameRange,
): Promise<readonly string[]> {
  const response = await db.rpc('page_names', { p_kind: kind, p_after: after, p_limit: limit });
  return z.array(z.string()).parse(unwrap('read the names of pages', response));
}
