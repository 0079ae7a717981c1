import { countAlternatives } from '@touchstone/store';
import { addCounts } from '../add-counts.ts';
import { SNAPSHOT_MAX_AGE_SECONDS } from '../context.ts';
import { toPageTags } from '../page-tags.ts';
import { embedBatch, type EmbeddedBatch } from './embed-batch.ts';
import { getModel, type SearchJobContext } from './search-context.ts';

/** Maximum number of batches of texts per run: 50 batches of 64 texts are 3,200 texts. The next run embeds the rest. */
const MAX_EMBED_BATCHES = 50;
/**
 * Maximum number of batches of counts per run: 30 batches of 50 are 1,500 endpoints per minute. One million endpoints
 * with one count per day need 694 per minute; the rest is for changed verdicts.
 */
const MAX_COUNT_BATCHES = 30;

/** Number of endpoints per batch. The embedded database cannot serve pages during a batch, so it is short. */
const COUNT_BATCH_SIZE = 50;

export interface SearchSummary {
  /** Number of texts that were embedded. */
  readonly embedded: number;
  /** Number of texts that could not be embedded, although the embedder works. They are tried again after 24 hours. */
  readonly refused: number;
  /** Hash of the first refused text, with which the text is found in the database; absent when no text was refused. */
  readonly firstRefused?: string;
  /** Number of endpoints whose better alternatives were counted, and number of those whose count changed. */
  readonly counted: number;
  readonly changed: number;
  /** Reason why the embedder did not work; absent when it worked. The next run tries again. */
  readonly failure?: string;
}

export interface CountedBatch {
  readonly counted: number;
  /** Number of counted endpoints whose count changed. */
  readonly changed: number;
}

/** Functions that run one batch. `number` is that of the batch in the run, from 1. */
export interface SearchBatches {
  readonly embed: (number: number) => Promise<EmbeddedBatch>;
  readonly count: (number: number) => Promise<CountedBatch>;
}

/**
 * Embeds pending texts, and then counts the better alternatives of endpoints whose count is missing or older than 24
 * hours. The pages of endpoints with a changed count are refreshed. Each run is limited; the next run continues.
 *
 * Without an embedder, or with one that does not work, only stored vectors are compared.
 *
 * @throws StoreError when the database fails
 */
export function refreshSearch(context: SearchJobContext): Promise<SearchSummary> {
  return refreshInBatches({
    embed: () => embedBatch(context),
    count: () => countBatch(context),
  });
}

/**
 * Does the work of `refreshSearch`; the caller runs each batch. While more texts are pending than one run embeds, nothing
 * is counted: the counts would be too low, and each stays for a day.
 */
export async function refreshInBatches(batches: SearchBatches): Promise<SearchSummary> {
  const { more, ...embedding } = await embedPending(batches);
  return { ...embedding, ...(more ? { counted: 0, changed: 0 } : await countPending(batches)) };
}

async function embedPending({
  embed,
}: SearchBatches): Promise<Omit<SearchSummary, keyof CountedBatch> & Pick<EmbeddedBatch, 'more'>> {
  const refused: string[] = [];
  let embedded = 0;
  let failure: string | undefined;
  let more = true;
  for (let number = 1; more && failure === undefined && number <= MAX_EMBED_BATCHES; number += 1) {
    const batch = await embed(number);
    embedded += batch.embedded;
    refused.push(...batch.refused);
    failure = batch.failure;
    more = batch.more;
  }
  const [firstRefused] = refused;
  return {
    more,
    embedded,
    refused: refused.length,
    ...(firstRefused === undefined ? {} : { firstRefused }),
    ...(failure === undefined ? {} : { failure }),
  };
}

async function countPending({ count }: SearchBatches): Promise<CountedBatch> {
  let total: CountedBatch = { counted: 0, changed: 0 };
  for (let number = 1; number <= MAX_COUNT_BATCHES; number += 1) {
    const batch = await count(number);
    total = addCounts(total, batch);
    if (batch.counted < COUNT_BATCH_SIZE) break;
  }
  return total;
}

/**
 * Counts the better alternatives of endpoints whose count is missing or older than a day, and refreshes the pages whose
 * count changed. Stored vectors are compared, so no embedder is needed.
 */
export async function countBatch({
  db,
  embedder = null,
  now,
  onChanged,
}: SearchJobContext): Promise<CountedBatch> {
  const { counted, changed } = await countAlternatives(db, {
    now: now(),
    model: getModel({ embedder }),
    maxAgeSeconds: SNAPSHOT_MAX_AGE_SECONDS,
    limit: COUNT_BATCH_SIZE,
  });
  // The page of a provider does not show the counts.
  if (changed.length > 0) await onChanged(toPageTags({ endpointIds: changed, hosts: [] }));
  return { counted, changed: changed.length };
}
