import { formatTimestamp, formatTimestampOrNull } from '@touchstone/common';
import type { ExampleRequest } from '@touchstone/x402';
import { z } from 'zod';
import { callForRow, type Db } from '../client/client.ts';
import { createRowSchema } from '../client/rows.ts';
import { timestampSchema } from '../client/values.ts';
import type { PayOn } from '../snapshots/snapshot.ts';

/** An endpoint as listed by a directory, which is a public list of x402 endpoints. */
export interface ListedEndpoint {
  readonly id: string;
  readonly resource: string;
  /** URL to probe; null for a URL template without example values for its parameters. */
  readonly probeUrl: string | null;
  readonly host: string;
  readonly slug: string;
  readonly templated: boolean;
  readonly serviceName: string | null;
  readonly description: string | null;
  /** Tags in lower case, which are claims of the provider. */
  readonly tags: readonly string[];
  readonly method: string | null;
  /** Example of a request; null if the listing has none. */
  readonly exampleRequest: ExampleRequest | null;
  readonly options: readonly PayOn[];
  readonly version: 1 | 2 | null;
  readonly intervalSeconds: number;
  readonly offsetSeconds: number;
  /** True if the endpoint is probed on a schedule; false if it is only stored in the catalog. */
  readonly scheduled: boolean;
}

/** Progress of a discovery run: the offset of the next page, and the numbers of pages and items read so far. */
interface DiscoveryPosition {
  readonly offset: number;
  /** Number of items per page; null before the first page. */
  readonly pageSize: number | null;
  readonly pages: number;
  readonly items: number;
  /** Total number of items that the directory reports; null without such a number. */
  readonly total: number | null;
}

/** One page of a directory: its valid endpoints, each once, and the numbers of duplicate and rejected items. */
export interface ListedPage {
  /** Offset of this page in the directory; `next` is the progress after this page. */
  readonly offset: number;
  readonly next: DiscoveryPosition;
  readonly items: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly resource: string; readonly reason: string }[];
  readonly endpoints: readonly ListedEndpoint[];
}

const runSchema = createRowSchema({
  id: z.number().int(),
  startedAt: timestampSchema,
  /** End of the run; null while the run is active or paused. */
  finishedAt: timestampSchema.nullable(),
  /** Earliest time at which the directory accepts the next request; null if the directory set no such time. */
  resumeAt: timestampSchema.nullable(),
  nextOffset: z.number(),
  pageSize: z.number().nullable(),
  pages: z.number(),
  total: z.number().nullable(),
  complete: z.boolean(),
  note: z.string().nullable(),
  items: z.number(),
  accepted: z.number(),
  duplicates: z.number(),
  rejected: z.number(),
  rejects: z.array(z.object({ resource: z.string(), reason: z.string() })),
  listed: z.number(),
  relisted: z.number(),
  delisted: z.number(),
}).transform(({ nextOffset: offset, pageSize, pages, total, ...run }) => ({
  ...run,
  /** Progress at which the run resumes; null before the first page. */
  position: pages === 0 ? null : { offset, pageSize, pages, items: run.items, total },
}));

/** One run over all pages of a directory. The run may be paused and resumed. Times are milliseconds since the epoch. */
export type DiscoveryRun = z.infer<typeof runSchema>;

/**
 * Starts a discovery run of a directory, or resumes the latest run of the directory if this run was interrupted
 * recently.
 */
export async function startDiscovery(db: Db, directory: string, at: number): Promise<DiscoveryRun> {
  const run = await callForRow(db, 'start_discovery', { directory, at: formatTimestamp(at) });
  return runSchema.parse(run);
}

/**
 * Records one page of a directory: adds new endpoints to the catalog, schedules their probes, relists delisted
 * endpoints, and stores the tags. Recording the same page again changes nothing.
 */
export async function recordListings(
  db: Db,
  run: { readonly id: number; readonly at: number },
  page: ListedPage,
): Promise<{ listed: number; relisted: number }> {
  const { endpoints, next, ...counts } = page;
  return callForRow(db, 'record_listings', {
    runId: run.id,
    at: formatTimestamp(run.at),
    page: { ...counts, nextOffset: next.offset, pageSize: next.pageSize, total: next.total },
    items: endpoints,
  });
}

export interface DiscoveryEnd {
  /** Final state of the run, or `paused` if the run resumes later. */
  readonly end: 'complete' | 'incomplete' | 'paused';
  /** Reason why the run is not complete; null for a complete run. */
  readonly note: string | null;
  /** Earliest time of the next request to the directory, in milliseconds since the epoch. */
  readonly resumeAt?: number | null;
}

/**
 * Finishes or pauses a discovery run. A complete run delists endpoints that were missing from two complete runs in a
 * row. A run that found far fewer listings than before is stored as incomplete, so it delists nothing. A run that is
 * already finished is returned unchanged.
 */
export async function finishDiscovery(
  db: Db,
  run: { readonly id: number; readonly at: number },
  { end, note, resumeAt = null }: DiscoveryEnd,
): Promise<DiscoveryRun> {
  const finished = await callForRow(db, 'finish_discovery', {
    runId: run.id,
    at: formatTimestamp(run.at),
    end,
    note,
    resumeAt: formatTimestampOrNull(resumeAt),
  });
  return runSchema.parse(finished);
}
