import { EmbedderError, MAX_TEXTS_PER_CALL, type Embedder } from '@touchstone/search';
import {
  isRefusedValue,
  markRefused,
  readPendingTexts,
  saveEmbeddings,
  skipRefusedItems,
  type Db,
} from '@touchstone/store';
import { runUntilAborted } from '../steps.ts';
import type { SearchJobContext } from './search-context.ts';

/**
 * Maximum number of new texts per batch. Sixteen texts take up to 5 s on a slow core, so a batch takes at most 20 s and
 * fits into one step of Inngest.
 */
const BATCH_SIZE = 64;
type PendingText = Awaited<ReturnType<typeof readPendingTexts>>[number];

export interface EmbeddedBatch {
  readonly embedded: number;
  /** Hashes of the texts that could not be embedded, although the embedder works. */
  readonly refused: readonly string[];
  /** True when more texts may be pending. */
  readonly more: boolean;
  /** Reason why the batch ended early; absent when the embedder worked. */
  readonly failure?: string;
}

/**
 * Embeds pending texts, and saves the vectors after each call of the embedder. The vector space is checked first,
 * because the embedder may have been replaced since the last batch. A text that the embedder refuses is skipped for 24
 * hours, so it does not block the other texts. Two runs at the same time embed the same texts and save the same vectors.
 *
 * At the deadline, the batch ends with a failure. The remaining texts stay pending for the next run.
 */
export async function embedBatch({
  db,
  embedder: configured = null,
  now,
  signal,
}: Omit<SearchJobContext, 'onChanged'>): Promise<EmbeddedBatch> {
  if (configured === null) return { embedded: 0, refused: [], more: false };
  const embedder = limitEmbedder(configured, signal);
  const texts = await readPendingTexts(db, { model: embedder.model, limit: BATCH_SIZE, now: now() });
  const refused: string[] = [];
  let embedded = 0;
  try {
    if (texts.length > 0) await embedder.check();
    for (let start = 0; start < texts.length; start += MAX_TEXTS_PER_CALL) {
      const some = texts.slice(start, start + MAX_TEXTS_PER_CALL);
      const textHashes = await embedTexts(db, embedder, some);
      if (textHashes.length > 0) await markRefused(db, { textHashes, now: now() });
      refused.push(...textHashes);
      embedded += some.length - textHashes.length;
    }
  } catch (error) {
    if (!(error instanceof EmbedderError)) throw error;
    return { embedded, refused, more: signal?.aborted === true, failure: error.message };
  }
  return { embedded, refused, more: texts.length === BATCH_SIZE };
}

/** Returns an embedder whose calls reject when the signal is aborted. Without a signal, returns the given embedder. */
function limitEmbedder(embedder: Embedder, signal: AbortSignal | undefined): Embedder {
  if (signal === undefined) return embedder;
  const limit = <Result>(run: () => Promise<Result>): Promise<Result> =>
    runUntilAborted(
      run,
      signal,
      () =>
        new EmbedderError('The batch reached its time limit before all texts were embedded.', {
          isTimeout: true,
        }),
    );
  return {
    model: embedder.model,
    embed: (texts) => limit(() => embedder.embed(texts)),
    embedEndpoints: (texts) => limit(() => embedder.embedEndpoints(texts)),
    check: () => limit(() => embedder.check()),
  };
}

/**
 * Returns true if the embedder or the database refuses a text. A timeout does not count as a refusal, because more
 * calls would only add to the work of a slow embedder.
 */
const isRefused = (error: unknown): error is Error =>
  isRefusedValue(error) || (error instanceof EmbedderError && !error.isTimeout);

/**
 * Embeds and saves texts. After a failed text, the embedder is checked: the text counts as refused only if the embedder
 * still works.
 *
 * @returns hashes of refused texts
 * @throws EmbedderError when the embedder does not work
 */
async function embedTexts(
  db: Db,
  embedder: Embedder,
  texts: readonly PendingText[],
): Promise<readonly string[]> {
  const embed = async (some: readonly PendingText[]): Promise<readonly never[]> => {
    const embedded = await embedder.embedEndpoints(some.map(({ text }) => text));
    const embeddings = some.flatMap(({ textHash }, index) => {
      const result = embedded[index];
      return result === undefined ? [] : [{ textHash, ...result }];
    });
    await saveEmbeddings(db, { model: embedder.model, embeddings });
    return [];
  };
  const refused: string[] = [];
  const onRefused = ({ textHash }: PendingText): void => void refused.push(textHash);
  await skipRefusedItems(texts, embed, { onRefused, isRefused });
  if (refused.length > 0) await embedder.check();
  return refused;
}
