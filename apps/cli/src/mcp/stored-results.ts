import { randomUUID } from 'node:crypto';
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeStateFile } from '../state-files.ts';

/** Maximum number of stored results of each tool. An agent that polls a watch would store results without end. */
const MAX_STORED_RESULTS = 100;

interface StoreOptions {
  readonly stateFolder: string;
  /** Name of the tool. */
  readonly name: string;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/**
 * Stores a result that is too long for an MCP client, because the payment of this server cannot be sent again. Deletes
 * the oldest stored results of the tool. Returns a sentence with the path of the file.
 */
export function storeResult(body: object, { stateFolder, name, now }: StoreOptions): string {
  const folder = join(stateFolder, 'results');
  const time = new Date(now).toISOString().replaceAll(/[:.]/g, '-');
  // Two calls can end in the same millisecond.
  const file = join(folder, `${name}-${time}-${randomUUID().slice(0, 8)}.json`);
  try {
    writeStateFile(file, body);
  } catch (error) {
    return `The whole result could not be written to the file ${file}: ${String(error)}.`;
  }
  deleteOldest(folder, name);
  return `The whole result is in the file ${file}.`;
}

function deleteOldest(folder: string, name: string): void {
  // The names of the files of a tool have the order of their times.
  const names = readdirSync(folder)
    .filter((each) => each.startsWith(`${name}-`) && each.endsWith('.json'))
    .toSorted();
  for (const old of names.slice(0, -MAX_STORED_RESULTS)) {
    try {
      rmSync(join(folder, old));
    } catch {
      // Another server has deleted the file, or the next call deletes the file.
    }
  }
}
