import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import type { ChallengeResponse } from '../types.ts';

const folder = process.env['REAL_DATA_DIR'] ?? '';

/**
 * Returns the path of a file in the folder REAL_DATA_DIR; null when the variable is not set or the file does not exist.
 */
export function findRecordedFile(name: string): string | null {
  const file = join(folder, name);
  return folder !== '' && existsSync(file) ? file : null;
}

export function readJsonLines(file: string): unknown[] {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): unknown => JSON.parse(line));
}

const Capture = z.object({
  id: z.string(),
  url: z.string(),
  method: z.string().nullish(),
  status: z.number(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable(),
});

/** Reads a file of recorded responses. Returns the responses by id. */
export function readCaptures(file: string): Map<string, ChallengeResponse> {
  return new Map(
    readJsonLines(file).map((line) => {
      const { id, headers, method, ...response } = Capture.parse(line);
      return [id, { ...response, method: method ?? null, headers: Object.entries(headers) }];
    }),
  );
}

const Item = z.object({
  resource: z.string(),
  x402Version: z.unknown(),
  accepts: z.unknown(),
  description: z.unknown().optional(),
  extensions: z.unknown().optional(),
});

/**
 * Converts an item of a discovery directory to a response with the same payment options. Version 2 options are in the
 * header, version 1 options in the body.
 */
export function toListingResponse(item: unknown): ChallengeResponse {
  const { resource, x402Version, accepts, description, extensions } = Item.parse(item);
  const isV2 = x402Version === 2;
  const v2 = { x402Version, resource: { url: resource, description }, accepts, extensions };
  const header = Buffer.from(JSON.stringify(v2)).toString('base64');
  return {
    url: resource,
    method: null,
    status: 402,
    headers: [
      ['content-type', 'application/json'],
      ['cache-control', 'no-store'],
      ...(isV2 ? [['payment-required', header] as const] : []),
    ],
    body: isV2 ? '{}' : JSON.stringify({ x402Version, error: 'Payment required', accepts }),
  };
}
