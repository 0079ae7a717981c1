import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { watchCreatedSchema, watchIdSchema } from '@touchstone/contract';
import { z } from 'zod';
import { findStateFolder } from '../buy/payment/stored-payments.ts';
import { CliError } from '../cli-error.ts';
import type { Host } from '../run.ts';

const { secret, webhook_secret } = watchCreatedSchema.shape;

/** A bought watch with its secrets, as it is stored on this machine. */
const storedWatchSchema = z.object({
  /** Origin of the service that sold the watch. */
  service: z.url(),
  id: watchIdSchema,
  secret,
  webhook_secret,
  /** URL of the watched endpoint. */
  endpoint: z.string().max(3_000),
});
export type StoredWatch = z.infer<typeof storedWatchSchema>;

const findFolder = (env: Host['env']): string => join(findStateFolder(env), 'watches');

/** Returns the path of the file of a watch. */
export function getWatchFile(env: Host['env'], id: string): string {
  return join(findFolder(env), `${id}.json`);
}

/**
 * Stores a watch. Only the owner can read the file, because the secret is the only proof of ownership.
 *
 * @throws CliError when the watch cannot be stored
 */
export function storeWatch(env: Host['env'], watch: StoredWatch): void {
  const file = getWatchFile(env, watch.id);
  try {
    mkdirSync(findFolder(env), { recursive: true, mode: 0o700 });
    // Because of the rename, the file is never incomplete. Because of the flush, it survives a loss of power.
    writeFileSync(`${file}.new`, `${JSON.stringify(watch)}\n`, { mode: 0o600, flush: true });
    renameSync(`${file}.new`, file);
  } catch (cause) {
    const message = cause instanceof Error ? cause.message : String(cause);
    throw new CliError(
      `The secret of the watch could not be stored: ${message}. Store it yourself: it is shown only now. ` +
        'The same command, run again within 24 hours, gets the same watch with the same payment.',
      { cause },
    );
  }
}

/** Returns a stored watch; null without a readable file. @param id id of a watch, checked with `watchIdSchema` */
export function findStoredWatch(env: Host['env'], id: string): StoredWatch | null {
  return readWatchFile(getWatchFile(env, id));
}

/** Lists the stored watches in the order of their ids. Unreadable files are left out. */
export function listStoredWatches(env: Host['env']): readonly StoredWatch[] {
  let names: string[];
  try {
    names = readdirSync(findFolder(env));
  } catch {
    return [];
  }
  return names
    .filter((name) => name.endsWith('.json'))
    .toSorted()
    .flatMap((name) => readWatchFile(join(findFolder(env), name)) ?? []);
}

function readWatchFile(file: string): StoredWatch | null {
  try {
    return storedWatchSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    return null;
  }
}
