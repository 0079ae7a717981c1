import { DAY_MS, formatTimestamp } from '@touchstone/common';
import { call, StoreError, type Db } from '../client/client.ts';

/** Text of one or more endpoints without an embedding. */
export interface PendingText {
  readonly textHash: string;
  readonly text: string;
}

/**
 * Returns up to `limit` texts of public endpoints without an embedding of the vector space `model`. Texts that were
 * refused in the last 24 hours are left out.
 */
export async function readPendingTexts(
  db: Db,
  { model, limit, now }: { readonly model: string; readonly limit: number; readonly now: number },
): Promise<readonly PendingText[]> {
  const refusedUntil = formatTimestamp(now - DAY_MS);
  const response = await call(db, 'pending_search_texts', { model, refusedUntil, limit });
  return response.map(({ text_hash: textHash, text }) => ({ textHash, text }));
}

/**
 * Stores embeddings and jobs. Texts that were deleted in the meantime are ignored.
 * @throws StoreError when a vector does not have 384 finite numbers, or all 384 numbers are 0. Then nothing is stored.
 */
export async function saveEmbeddings(
  db: Db,
  {
    model,
    embeddings,
  }: {
    readonly model: string;
    readonly embeddings: readonly {
      readonly textHash: string;
      readonly embedding: readonly number[];
      /** Id of the job that the text describes; null if it describes no job that other endpoints do. */
      readonly job: string | null;
    }[];
  },
): Promise<void> {
  await call(db, 'save_embeddings', { model, rows: embeddings });
}

/** Marks texts as refused by the embedder. Refused texts are not pending for the next 24 hours. */
export async function markRefused(
  db: Db,
  { textHashes, now }: { readonly textHashes: readonly string[]; readonly now: number },
): Promise<void> {
  await call(db, 'mark_refused_texts', { now: formatTimestamp(now), hashes: textHashes });
}

/**
 * Deletes up to `limit` texts that no endpoint uses, and up to `limit` search words that no endpoint contains. Returns
 * the number of deleted texts.
 */
export async function deleteUnusedTexts(db: Db, { limit }: { readonly limit: number }): Promise<number> {
  return call(db, 'delete_unused_texts', { limit });
}

/**
 * Calls the edge function `embed` of the Supabase project and returns its parsed JSON response.
 * @param signal - Cancels the call. The call has no other timeout.
 * @throws StoreError when the function does not respond or responds with an error status.
 */
export async function invokeEmbedFunction(
  db: Db,
  body: { readonly texts: readonly string[] },
  signal: AbortSignal,
): Promise<unknown> {
  const response = await db.functions.invoke<unknown>('embed', { body, signal });
  const error: unknown = response.error;
  if (error instanceof Error) throw new StoreError('call the edge function embed', error);
  return response.data;
}
