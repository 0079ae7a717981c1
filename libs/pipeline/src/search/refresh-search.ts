import { countBatch, COUNT_BATCH_SIZE, type CountedBatch } from './count-batch.ts';
import { embedBatch, type EmbeddedBatch } from './embed-batch.ts';
import type { SearchJobContext } from './search-context.ts';

/** Maximum number of batches of texts per run: 50 batches of 64 texts are 3,200 texts. The next run embeds the rest. */
const MAX_EMBED_BATCHES = 50;
/**
 * Maximum number of batches of counts per run: 30 batches of 50 are 1,500 endpoints per minute. One million endpoints
 * with one count per day need 694 per minute; the rest is for changed verdicts.
 */
const MAX_COUNT_BATCHES = 30;
/** Maximum number of refused texts per run. The run embeds no more texts after that number. */
const MAX_REFUSED = 100;

export interface SearchSummary {
  /** Number of texts that were embedded. */
  readonly embedded: number;
  /** Number of texts that could not be embedded, although the embedder works. The next run tries them again. */
  readonly refused: number;
  /** Number of endpoints whose better alternatives were counted, and number of those whose count changed. */
  readonly counted: number;
  readonly changed: number;
  /** Reason why the embedder did not work; absent when it worked. The next run tries again. */
  readonly failure?: string;
}

/** Functions that run one batch. `number` is that of the batch in the run, from 1. */
export interface SearchBatches {
  /** @param skipped - hashes of the texts that earlier batches of this run could not embed */
  readonly embed: (number: number, skipped: readonly string[]) => Promise<EmbeddedBatch>;
  readonly count: (number: number) => Promise<CountedBatch>;
}

/**
 * Embeds pending texts, and then counts the better alternatives of endpoints whose count is missing or older than 24
 * hours. The pages of endpoints with a changed count are refreshed. Each run is limited; the next run continues. Does
 * nothing without an embedder.
 *
 * An embedder that does not work ends only the embedding: stored vectors are still compared.
 *
 * @throws StoreError when the database fails
 */
export function refreshSearch(context: SearchJobContext): Promise<SearchSummary> {
  return refreshInBatches({
    embed: (_, skipped) => embedBatch(context, skipped),
    count: () => countBatch(context),
  });
}

/** Does the work of `refreshSearch`; the caller runs each batch. */
export async function refreshInBatches(batches: SearchBatches): Promise<SearchSummary> {
  const embedding = await embedPending(batches);
  return { ...embedding, ...(await countPending(batches)) };
}

async function embedPending({ embed }: SearchBatches): Promise<Omit<SearchSummary, keyof CountedBatch>> {
  const refused: string[] = [];
  let embedded = 0;
  for (let number = 1; number <= MAX_EMBED_BATCHES && refused.length < MAX_REFUSED; number += 1) {
    const batch = await embed(number, refused);
    embedded += batch.embedded;
    refused.push(...batch.refused);
    if (batch.failure !== undefined) return { embedded, refused: refused.length, failure: batch.failure };
    if (!batch.more) break;
  }
  return { embedded, refused: refused.length };
}

async function countPending({ count }: SearchBatches): Promise<CountedBatch> {
  let [counted, changed] = [0, 0];
  for (let number = 1; number <= MAX_COUNT_BATCHES; number += 1) {
    const batch = await count(number);
    counted += batch.counted;
    changed += batch.changed;
    if (batch.counted < COUNT_BATCH_SIZE) break;
  }
  return { counted, changed };
}
