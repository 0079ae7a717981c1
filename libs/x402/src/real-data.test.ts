import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readChallenge } from './read-challenge.ts';
import { readListing } from './read-listing.ts';
import type { Challenge } from './types.ts';

const folder = process.env['REAL_DATA_DIR'] ?? '';
const listingsFile = join(folder, 'real-listings.jsonl');
const capturesFile = join(folder, 'real-402.jsonl');

function linesOf(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}

function isMissing(file: string): boolean {
  return folder === '' || !existsSync(file);
}

if (isMissing(listingsFile) || isMissing(capturesFile)) {
  process.stdout.write('Recorded data is not tested against: REAL_DATA_DIR does not lead to it.\n');
}

describe.skipIf(isMissing(listingsFile))(
  'recorded listings (skipped: REAL_DATA_DIR has no real-listings.jsonl)',
  () => {
    test('each is a listing or has a reason, and nearly all are listings with a price', () => {
      const results = linesOf(listingsFile).map(readListing);
      const listings = results.flatMap((result) => (result.ok ? [result.listing] : []));
      const options = listings.flatMap((listing) => listing.options);
      expect(results.length).toBeGreaterThan(100);
      expect(listings.length / results.length).toBeGreaterThan(0.99);
      expect(options.length / listings.length).toBeGreaterThan(0.9);
      expect(options.filter(({ amountUsd }) => amountUsd !== null).length / options.length).toBeGreaterThan(
        0.95,
      );
      expect(
        options.filter(({ network }) => /^(eip155|solana):/.test(network)).length / options.length,
      ).toBeGreaterThan(0.95);
      expect(listings.filter(({ method }) => method !== null).length / listings.length).toBeGreaterThan(0.5);
      expect(
        listings.filter(({ lastUpdated }) => lastUpdated !== null).length / listings.length,
      ).toBeGreaterThan(0.5);
    });
  },
);

const Capture = z.object({
  id: z.string(),
  url: z.string(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
});

describe.skipIf(isMissing(capturesFile))(
  'recorded answers (skipped: REAL_DATA_DIR has no real-402.jsonl)',
  () => {
    const read = (): Map<string, Challenge> =>
      new Map(
        linesOf(capturesFile).map((line) => {
          const { id, headers, ...response } = Capture.parse(line);
          return [id, readChallenge({ ...response, headers: Object.entries(headers) })];
        }),
      );

    test('every one is read, and those with another status are not payable', () => {
      const challenges = [...read().values()];
      expect(challenges.length).toBeGreaterThan(5);
      const wrongVerb = challenges.filter(({ checks }) =>
        checks.some(({ id, result }) => id === 'http-status-402' && result === 'fail'),
      );
      expect(wrongVerb.every(({ verdict }) => verdict === 'unpayable')).toBe(true);
      expect(challenges.some(({ verdict }) => verdict === 'pass')).toBe(true);
    });

    test('the known-good one is payable by both clients and free of errors', ({ skip }) => {
      const challenge = read().get('toolshed-md-html');
      if (challenge === undefined)
        return skip('the capture toolshed-md-html is not in this copy of the data');
      expect(challenge.payable).toEqual({ v1: true, v2: true });
      expect(['pass', 'warnings']).toContain(challenge.verdict);
      expect(challenge.options[0]?.amountUsd).toBe('0.001000');
    });
  },
);
