import { z } from 'zod';
import { toJson } from './json.ts';
import { unwrap, type Db } from './client.ts';
import { isoTime, timeSchema } from './time.ts';
import type { PayOn } from './snapshot.ts';

/** One endpoint as a directory lists it. */
export interface ListedEndpoint {
  readonly id: string;
  readonly resource: string;
  /** What is probed; null for a template without example values. */
  readonly probeUrl: string | null;
  readonly host: string;
  readonly slug: string;
  readonly templated: boolean;
  readonly serviceName: string | null;
  readonly description: string | null;
  readonly method: string | null;
  readonly options: readonly PayOn[];
  readonly version: 1 | 2 | null;
  readonly intervalSeconds: number;
  readonly offsetSeconds: number;
  /** False for an endpoint that is catalogued but not probed. */
  readonly scheduled: boolean;
}

/** Where the reading of a directory has got to. */
export interface DiscoveryPlace {
  readonly offset: number;
  /** Items a page; null before the first page was read. */
  readonly pageSize: number | null;
  readonly pages: number;
  readonly items: number;
  /** What the directory says that it has. */
  readonly total: number | null;
}

/** One page, as it is recorded. */
export interface ListedPage {
  /** Offset of the page itself; `next` is where the one after it begins. */
  readonly offset: number;
  readonly next: DiscoveryPlace;
  readonly items: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly rejects: readonly { readonly resource: string; readonly reason: string }[];
  readonly endpoints: readonly ListedEndpoint[];
}

const runSchema = z
  .object({
    id: z.number().int(),
    started_at: timeSchema,
    finished_at: timeSchema.nullable(),
    resume_at: timeSchema.nullable(),
    next_offset: z.number(),
    page_size: z.number().nullable(),
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
  })
  .transform(({ started_at, finished_at, resume_at, next_offset, page_size, pages, total, ...rest }) => ({
    ...rest,
    startedAt: started_at,
    /** Null while it is read, or waits to be gone on with. */
    finishedAt: finished_at,
    /** Until when the directory wants to be left alone. */
    resumeAt: resume_at,
    /** Where it goes on; null for one that begins at the first page. */
    place: pages === 0 ? null : { offset: next_offset, pageSize: page_size, pages, items: rest.items, total },
  }));

/** One reading of one directory, from its first page to its last, in however many sittings. Times in milliseconds. */
export type DiscoveryRun = z.infer<typeof runSchema>;

/** Begins to read a directory, or goes on with a reading that was interrupted not long ago. */
export async function startDiscovery(db: Db, directory: string, at: number): Promise<DiscoveryRun> {
  const answer = await db.rpc('start_discovery', { p_directory: directory, p_at: isoTime(at) });
  return onlyRun('begin a discovery run', answer);
}

/**
 * Records one page: new endpoints are catalogued and scheduled, delisted ones come back. Recording a page again
 * changes nothing.
 */
export async function recordListings(
  db: Db,
  run: { readonly id: number; readonly at: number },
  page: ListedPage,
): Promise<{ listed: number; relisted: number }> {
  const { endpoints, next, ...counts } = page;
  const answer = await db.rpc('record_listings', {
    p_run_id: run.id,
    p_at: isoTime(run.at),
    p_page: toJson({ ...counts, nextOffset: next.offset, pageSize: next.pageSize, total: next.total }),
    p_items: toJson(endpoints),
  });
  const [recorded] = unwrap('record listings', answer);
  return recorded ?? { listed: 0, relisted: 0 };
}

export interface DiscoveryEnd {
  /** `paused` when it is to be gone on with another time. */
  readonly end: 'complete' | 'incomplete' | 'paused';
  /** Why it is not complete. */
  readonly note: string | null;
  /** Milliseconds since the epoch; not before then does the directory want to be asked again. */
  readonly resumeAt?: number | null;
}

/**
 * Ends a run; a complete one delists what two runs in a row did not see. The answer says whether it counted as
 * complete: one that shrank too much does not. A run that has ended is answered as it was.
 */
export async function finishDiscovery(
  db: Db,
  run: { readonly id: number; readonly at: number },
  { end, note, resumeAt = null }: DiscoveryEnd,
): Promise<DiscoveryRun> {
  const answer = await db.rpc('finish_discovery', {
    p_run_id: run.id,
    p_at: isoTime(run.at),
    p_end: end,
    ...(note === null ? {} : { p_note: note }),
    ...(resumeAt === null ? {} : { p_resume_at: isoTime(resumeAt) }),
  });
  return onlyRun('finish a discovery run', answer);
}

function onlyRun(attempted: string, answer: Parameters<typeof unwrap<unknown>>[1]): DiscoveryRun {
  const [run] = z.tuple([runSchema]).parse(unwrap(attempted, answer));
  return run;
}
