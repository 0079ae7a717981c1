import { join } from 'node:path';
import type { Command } from 'commander';
import { watchCreatedSchema, watchIdSchema } from '@touchstone/contract';
import { z } from 'zod';
import { assertOneService, findServiceUrl, type ServiceOptions } from '../service/service-options.ts';
import { CliError, toMessage } from '../cli-error.ts';
import type { Host } from '../command-tools.ts';
import { toPlainText } from '../terminal/plain-text.ts';
import { findStateFolder, readStateFile, readStateFiles, writeStateFile } from '../state-files.ts';

/** Environment variable with the secret of a watch. */
export const SECRET_VARIABLE = 'TOUCHSTONE_WATCH_SECRET';

/** A watch with the secret and the service to send it to. */
export interface OwnedWatch {
  readonly id: string;
  readonly secret: string;
  readonly service: URL;
}

/** Checks the id of a watch. @throws CliError for any other text */
export function readWatchId(text: string): string {
  const parsed = watchIdSchema.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new CliError(
    `"${toPlainText(text, 60)}" is not the id of a watch. An id is w_ and 26 characters. ` +
      'touchstone watch list prints the ids of your watches.',
  );
}

/**
 * Finds the secret and the service of a watch. The secret is from the variable or from the stored watch. The service is
 * from the options, from the stored watch, or from the variable, in this order. A stored secret is sent only to the
 * service that sold the watch.
 *
 * @throws CliError without a secret or a service
 */
export function findOwnedWatch(text: string, command: Command, { env }: Pick<Host, 'env'>): OwnedWatch {
  const id = readWatchId(text);
  const stored = findStoredWatch(env, id);
  const given = env[SECRET_VARIABLE]?.trim() ?? '';
  assertOneService(command);
  const options = command.optsWithGlobals<ServiceOptions>();
  const isGiven = command.getOptionValueSource('service') === 'cli';
  const service = findServiceUrl(
    isGiven || stored === null ? options : { ...options, service: stored.service },
  );
  if (given !== '') return { id, secret: readSecret(given), service };
  if (stored === null) {
    throw new CliError(
      `There is no secret of ${id}: ${getWatchFile(env, id)} cannot be read, and ${SECRET_VARIABLE} is not set.`,
    );
  }
  if (new URL(stored.service).origin !== service.origin) {
    throw new CliError(
      `The watch is of ${stored.service}, and its stored secret is not sent to ${service.origin}. ` +
        `Leave out --service and --sandbox. If the service has moved, set ${SECRET_VARIABLE}.`,
    );
  }
  return { id, secret: stored.secret, service };
}

/** Checks a secret. The message of the error never contains the secret. */
function readSecret(text: string): string {
  const parsed = watchCreatedSchema.shape.secret.safeParse(text);
  if (parsed.success) return parsed.data;
  throw new CliError(
    `${SECRET_VARIABLE} contains no secret of a watch. A secret is wsk_ and 43 characters, as shown at the purchase.`,
  );
}

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
type StoredWatch = z.infer<typeof storedWatchSchema>;

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
  try {
    writeStateFile(getWatchFile(env, watch.id), watch);
  } catch (cause) {
    throw new CliError(
      `The secret of the watch could not be stored: ${toMessage(cause)}. Store it yourself: it is shown only now. ` +
        'The same command, run again within 24 hours, gets the same watch with the same payment.',
      { cause },
    );
  }
}

/** Returns a stored watch; null without a readable file. @param id id of a watch, checked with `watchIdSchema` */
export function findStoredWatch(env: Host['env'], id: string): StoredWatch | null {
  return readStateFile(getWatchFile(env, id), storedWatchSchema);
}

/** Lists the stored watches in the order of their ids. Unreadable files are left out. */
export function listStoredWatches(env: Host['env']): readonly StoredWatch[] {
  return readStateFiles(findFolder(env), '', storedWatchSchema);
}
