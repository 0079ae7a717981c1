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
function read(change: Readonly<Record<string, unknown>>) {
  const saved = readSavedResponse({ ...validResponse, ...change });
  if (!saved.ok) throw new Error(saved.fault);
  return saved;
}
const readResponse = (change: Readonly<Record<string, unknown>>) => read(change).response;
const readContext = (change: Readonly<Record<string, unknown>>) => read(change).context;
const readRemarks = (change: Readonly<Record<string, unknown>>) => read(change).remarks;

describe('readSavedResponse', () => {
  it('ignores unknown members with one remark', () => {
    expect(readRemarks({})).toEqual([]);
    expect(readRemarks({ id: 7, notes: null })).toEqual([
      'The saved response has unknown members, which are ignored: "id", "notes".',
    ]);
    const many = Object.fromEntries(Array.from({ length: 8 }, (_, index) => [`x${String(index)}`, index]));
    expect(readRemarks(many)[0]).toMatch(/"x0", "x1", "x2" and 5 more\.$/);
    expect(readResponse({ id: 'unknown member' })).toMatchObject({
      url: 'https://api.example.com/',
      method: 'GET',
      status: 402,
      headers: [['A', 'b']],
      body: '{}',
    });
  });

  it.each([
    ['an object', { A: 'b', C: 4 }, 'A=b C=4'],
    ['an object with repeated fields', { A: ['b', 'c'] }, 'A=b A=c'],
    [
      'a list of pairs',
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
      'A=b A=c',
    ],
    ['a list of objects, as in HTTP archives', [{ name: 'A', value: 'b', comment: '' }], 'A=b'],
    ['an empty object', {}, ''],
    ['an empty list', [], ''],
  ])('accepts headers as %s', (_, headers, pairs) => {
    const fields = readResponse({ headers }).headers.map((pair) => pair.join('='));
    expect(fields.join(' ')).toBe(pairs);
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

  it.each([
    [{ bodyTruncated: true }, 'size-limit'],
    [{ bodyTruncated: false }, 'complete'],
    [{ bodyTruncated: 'yes' }, 'complete'],
    [{ bodyEnd: 'deadline' }, 'deadline'],
  ])('reads the end of the body: %o', (change, bodyEnd) => {
    expect(readResponse(change).bodyEnd).toBe(bodyEnd);
  });

  it('reads redirects and interim responses', () => {
    const change = {
      redirects: [{ status: 308, url: 'https://api.example.com/v2' }],
      interimStatuses: [100],
    };
    expect(readResponse(change)).toMatchObject(change);
    expect(
      readRemarks({ redirects: [{ status: 308, url: '/v2' }], interimStatuses: [200], bodyEnd: 'cut' }),
    ).toEqual([
      expect.stringContaining('"bodyEnd" must be one of complete, size-limit'),
      expect.stringContaining('"redirects" must be a list'),
      expect.stringContaining('"interimStatuses" must be a list'),
    ]);
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
    expect(readContext({ listing: {} }).listing).toBeUndefined();
  });
});

const TIME = 'must be an ISO 8601 time with a time zone, such as "2026-07-01T12:00:00Z". It is ignored.';

describe('the remark on an invalid optional member', () => {
  it.each([
    [
      { method: 'GET /' },
      '"method" must be the method of the request, such as "GET", or null. It is ignored.',
    ],
    [
      { bodyTruncated: 'yes' },
      '"bodyTruncated" must be true when the end of the body is missing, otherwise false. It is ignored.',
    ],
    [{ at: 'yesterday' }, `"at" ${TIME}`],
    [{ at: '2026-07-01T12:00:00' }, `"at" ${TIME}`],
    [{ at: '2026-13-41' }, `"at" ${TIME}`],
    [{ capturedAt: 1_782_907_200 }, `"capturedAt" ${TIME}`],
    [{ listing: {} }, '"listing" cannot be read: the item has no resource. It is ignored.'],
  ])('names the expected value for %j', (change, remark) => {
    expect(readRemarks(change)).toEqual([remark]);
  });

  it('does not affect the other members', () => {
    const change = { method: 5, at: 'noon', capturedAt: '2026-07-01', bodyTruncated: true };
    expect(readRemarks(change)).toHaveLength(2);
    expect(readResponse(change)).toMatchObject({ method: null, bodyEnd: 'size-limit', status: 402 });
    expect(readContext(change).receivedAt).toBe(Date.parse('2026-07-01T00:00:00Z'));
  });
});

const HEADERS =
  '"headers" must be an object of names and values, a list of [name, value] pairs or a list of {name, value} objects; {} for none';

describe('the fault of an invalid saved response', () => {
  it.each([
    [{ url: '' }, '"url" must be the requested URL'],
    [{ status: '402' }, '"status" must be a whole number from 100 to 999'],
    [{ status: 402.5 }, '"status" must be a whole number from 100 to 999'],
    [{ status: 0 }, '"status" must be a whole number from 100 to 999'],
    [{ headers: undefined }, HEADERS],
    [{ headers: { A: null } }, HEADERS],
    [{ headers: [['A']] }, HEADERS],
    [{ body: 5 }, '"body" must be the body as text, a JSON object or list, or null'],
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
