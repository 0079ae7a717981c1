import { describe, expect, it } from 'vitest';
import { readSavedResponse } from './read-saved-response.ts';

const validResponse = {
  url: 'https://api.example.com/',
  method: 'get',
  status: 402,
  headers: { A: 'b' },
  body: '{}',
};

function findFault(json: unknown): string | null {
  const saved = readSavedResponse(json);
  return saved.ok ? null : saved.fault;
}
function readResponse(change: Readonly<Record<string, unknown>>) {
  const saved = readSavedResponse({ ...validResponse, ...change });
  if (!saved.ok) throw new Error(saved.fault);
  return saved.response;
}
function readContext(change: Readonly<Record<string, unknown>>) {
  const saved = readSavedResponse({ ...validResponse, ...change });
  if (!saved.ok) throw new Error(saved.fault);
  return saved.context;
}

describe('readSavedResponse', () => {
  it('ignores unknown members', () => {
    expect(readResponse({ id: 'unknown member' })).toEqual({
      url: 'https://api.example.com/',
      method: 'GET',
      status: 402,
      headers: [['A', 'b']],
      body: '{}',
    });
  });

  it.each([
    [
      'an object',
      { A: 'b', C: 4 },
      [
        ['A', 'b'],
        ['C', '4'],
      ],
    ],
    [
      'an object with repeated fields',
      { A: ['b', 'c'] },
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
    ],
    [
      'a list of pairs',
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
    ],
    [
      'a list of objects, as in HTTP archives',
      [
        { name: 'A', value: 'b', comment: '' },
        { name: 'A', value: 'c' },
      ],
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
    ],
    ['an empty object', {}, []],
    ['an empty list', [], []],
  ])('accepts headers as %s', (_, headers, pairs) => {
    expect(readResponse({ headers }).headers).toEqual(pairs);
  });

  it.each([
    ['text', 'x', 'x'],
    ['null', null, null],
    ['undefined', undefined, null],
    ['object', { x402Version: 1, accepts: [] }, '{"x402Version":1,"accepts":[]}'],
    ['list', [1], '[1]'],
  ])('accepts a body of type %s', (_, body, text) => {
    expect(readResponse({ body }).body).toBe(text);
  });

  it('reads bodyTruncated', () => {
    expect(readResponse({ bodyTruncated: true }).bodyTruncated).toBe(true);
    expect(readResponse({ bodyTruncated: false })).not.toHaveProperty('bodyTruncated');
    expect(findFault({ ...validResponse, bodyTruncated: 'yes' })).toContain('"bodyTruncated" must be true');
  });

  it('accepts a response without a method', () => {
    expect(readResponse({ method: null }).method).toBeNull();
    expect(readResponse({ method: undefined }).method).toBeNull();
  });

  it('reads the time of the response', () => {
    const noon = Date.parse('2026-07-01T12:00:00Z');
    expect(readContext({ at: '2026-07-01T12:00:00Z' }).receivedAt).toBe(noon);
    expect(readContext({ capturedAt: '2026-07-01T14:00:00.000+02:00', at: null }).receivedAt).toBe(noon);
    expect(readContext({ capturedAt: '2026-07-01' }).receivedAt).toBe(Date.parse('2026-07-01T00:00:00Z'));
    expect(readContext({}).receivedAt).toBeUndefined();
  });

  it('reads the listing of a directory', () => {
    expect(
      readContext({ listing: { resource: 'https://api.example.com/', accepts: [] } }).listing,
    ).toMatchObject({
      resource: 'https://api.example.com/',
    });
    expect(readContext({ listing: null }).listing).toBeUndefined();
    expect(findFault({ ...validResponse, listing: {} })).toBe(
      '"listing" cannot be read: the item has no resource',
    );
  });
});

describe('the fault of an invalid saved response', () => {
  it.each([
    [{ url: '' }, '"url" must be the requested URL'],
    [{ method: 'GET /' }, '"method" must be the method of the request, such as "GET", or null'],
    [{ status: '402' }, '"status" must be a whole number from 100 to 999'],
    [{ status: 402.5 }, '"status" must be a whole number from 100 to 999'],
    [{ status: 0 }, '"status" must be a whole number from 100 to 999'],
    [
      { headers: undefined },
      '"headers" must be an object of names and values, a list of [name, value] pairs or a list of {name, value} objects; {} for none',
    ],
    [
      { headers: { A: null } },
      '"headers" must be an object of names and values, a list of [name, value] pairs or a list of {name, value} objects; {} for none',
    ],
    [
      { headers: [['A']] },
      '"headers" must be an object of names and values, a list of [name, value] pairs or a list of {name, value} objects; {} for none',
    ],
    [{ body: 5 }, '"body" must be the body as text, a JSON object or list, or null'],
    [{ at: 'yesterday' }, '"at" must be an ISO 8601 time with a time zone, such as "2026-07-01T12:00:00Z"'],
    [
      { at: '2026-07-01T12:00:00' },
      '"at" must be an ISO 8601 time with a time zone, such as "2026-07-01T12:00:00Z"',
    ],
    [{ at: '2026-13-41' }, '"at" must be an ISO 8601 time with a time zone, such as "2026-07-01T12:00:00Z"'],
  ])('names the expected value for %j', (change, fault) => {
    expect(findFault({ ...validResponse, ...change })).toBe(fault);
  });

  it('lists every mistake', () => {
    expect(findFault({})).toMatch(/^"url" .+; "status" .+; "headers" /);
  });

  it.each([[[validResponse]], ['text'], [null], [5]])('names the expected type for %j', (json) => {
    expect(findFault(json)).toMatch(/^(this is a list|must be a JSON object)/);
  });

  it('names a body that is nested too deeply', () => {
    const body: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(findFault({ ...validResponse, body })).toBe('"body" is nested too deeply; write it as text');
  });
});
