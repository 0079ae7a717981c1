import { canonicalize } from '@touchstone/catalog';
import { MAX_RESOURCE_CHARS } from '@touchstone/common';
import {
  createOpenApiDocument,
  findJsonSchema,
  historyRequestSchema,
  OPERATIONS,
  trustRequestSchema,
} from '@touchstone/contract';
import { readListing } from '@touchstone/x402';
import { describe, expect, it } from 'vitest';

const BASE = 'https://touchstone.example';
const PREFIX = 'https://api.example.com/';
const createUrl = (length: number): string => PREFIX + 'a'.repeat(length - PREFIX.length);

/** Returns every `maxLength` of a member `resource` in the properties of a JSON document. */
function findLimits(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]: [string, unknown]) =>
    name === 'resource' && typeof member === 'object' && member !== null && 'maxLength' in member
      ? [member.maxLength]
      : findLimits(member),
  );
}

describe('the maximum length of a resource', () => {
  it.each([
    [MAX_RESOURCE_CHARS, true],
    [MAX_RESOURCE_CHARS + 1, false],
  ])('accepts %d characters: %s, in requests, in the catalog and in directories', (length, isAccepted) => {
    const resource = createUrl(length);
    expect(trustRequestSchema.safeParse({ resource }).success).toBe(isAccepted);
    expect(historyRequestSchema.safeParse({ resource }).success).toBe(isAccepted);
    expect(canonicalize(resource).ok).toBe(isAccepted);
    expect(readListing({ resource, accepts: [] }).ok).toBe(isAccepted);
  });

  it('is the same number in every published document', () => {
    const schemas = OPERATIONS.flatMap(({ requestBody, response }) =>
      [requestBody?.schemaName ?? null, response.schemaName].flatMap((name) =>
        name === null ? [] : [findJsonSchema(`/schemas/${name}/1.0.0.json`, BASE)],
      ),
    );
    const limits = findLimits([createOpenApiDocument(BASE, { network: 'eip155:8453' }), ...schemas]);
    expect(limits.length).toBeGreaterThan(4);
    expect([...new Set(limits)]).toEqual([MAX_RESOURCE_CHARS]);
  });
});
