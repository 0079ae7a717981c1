import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseZone, zoneResolver, type Resolver } from '@touchstone/probe';
import { z } from 'zod';
import { CliError } from '../cli-error.ts';

const noteSchema = z.object({ controlUrl: z.url(), caFile: z.string() });

export interface Sandbox {
  /** Leads its names to this machine, as they resolve at present. */
  readonly resolver: Resolver;
  /** Certificate authority of its endpoints, PEM. */
  readonly ca: string;
  /** What its hosts end with. */
  readonly hostSuffix: string;
}

/**
 * Finds the sandbox of a service that runs on this machine.
 *
 * @param dataDir the service's data folder, where it says where its sandbox is
 * @throws CliError when none runs there, with the reason
 */
export async function openSandbox(dataDir: string): Promise<Sandbox> {
  const folder = resolve(dataDir);
  const { controlUrl, caFile } = await orNone(folder, 'it holds no readable sandbox.json', () =>
    noteSchema.parse(JSON.parse(readFileSync(join(folder, 'sandbox.json'), 'utf8'))),
  );
  // A service that is killed cannot take its note away.
  const left = `its sandbox.json names ${controlUrl}, where nobody answers, so its service has ended`;
  return orNone(folder, left, async () => {
    const answer = await fetch(new URL('/zone', controlUrl), { signal: AbortSignal.timeout(5_000) });
    const zone = parseZone(await answer.json());
    return {
      resolver: zoneResolver(() => zone),
      ca: readFileSync(caFile, 'utf8'),
      hostSuffix: `.${zone.suffix}`,
    };
  });
}

async function orNone<T>(folder: string, reason: string, read: () => T | Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new CliError(
      `No sandbox runs with the data folder ${folder}: ${reason}. ` +
        'Start one there with npm start, or name the folder of one that runs with --data-dir.',
      { cause },
    );
  }
}
