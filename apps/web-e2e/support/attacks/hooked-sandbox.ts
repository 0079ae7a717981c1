import { existsSync, readFileSync } from 'node:fs';

/**
 * Creates environment variables that load `sandbox-hooks.ts` into a service. The sandbox of the service then records
 * the requests to its facilitator, and never responds to some URLs.
 *
 * @param file path of the record
 */
export function createHookVariables(file: string): Readonly<Record<string, string>> {
  const hooks = new URL('./sandbox-hooks.ts', import.meta.url).href;
  return {
    NODE_OPTIONS: `${process.env['NODE_OPTIONS'] ?? ''} --import=${hooks}`.trim(),
    FACILITATOR_REQUESTS_FILE: file,
  };
}

/** Counts the recorded requests for a path of the facilitator. */
export function countFacilitatorRequests(file: string, path: '/verify' | '/settle'): number {
  if (!existsSync(file)) return 0;
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line === path).length;
}

/** Returns a URL of the sandbox that never responds and is not in the catalog. */
export const toSilentUrl = (name: string | number): string => `https://brightmap.sandbox.test/silent/${name}`;
