import { describe, expect, it } from 'vitest';
import { readSaved } from './saved-answer.ts';

const answer = {
  url: 'https://api.example.com/',
  method: 'get',
  status: 402,
  headers: { A: 'b' },
  body: '{}',
};

function faultOf(json: unknown): string | null {
  const saved = readSaved(json);
  return saved.ok ? null : saved.fault;
}
function responseOf(change: Readonly<Record<string, unknown>>) {
  const saved = readSaved({ ...answer, ...change });
  if (!saved.ok) throw new Error(saved.fault);
  return saved.response;
}
function contextOf(change: Readonly<Record<string, unknown>>) {
  const saved = readSaved({ ...answer, ...change });
  if (!saved.ok) throw new Error(saved.fault);
  return saved.context;
}

describe('a saved answer', () => {
  it('is taken as it is', () => {
    expect(responseOf({ id: 'unknown members are passed over' })).toEqual({
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
      'a list of objects, as HTTP archives have it',
      [
        { name: 'A', value: 'b', comment: '' },
        { name: 'A', value: 'c' },
      ],
      [
        ['A', 'b'],
        ['A', 'c'],
      ],
    ],
    ['an object that holds none', {}, []],
    ['a list that holds none', [], []],
  ])('may have its headers as %s', (_, headers, pairs) => {
    expect(responseOf({ headers }).headers).toEqual(pairs);
  });

  it.each([
    ['text', 'x', 'x'],
    ['null', null, null],
    ['nothing', undefined, null],
    ['an object', { x402Version: 1, accepts: [] }, '{"x402Version":1,"accepts":[]}'],
    ['a list', [1], '[1]'],
  ])('may have as its body %s', (_, body, text) => {
    expect(responseOf({ body }).body).toBe(text);
  });

  it('may say that the end of its body is missing', () => {
    expect(responseOf({ bodyTruncated: true }).bodyTruncated).toBe(true);
    expect(responseOf({ bodyTruncated: false })).not.toHaveProperty('bodyTruncated');
    expect(faultOf({ ...answer, bodyTruncated: 'yes' })).toContain('"bodyTruncated" must be true');
  });

  it('need not say the method', () => {
    expect(responseOf({ method: null }).method).toBeNull();
    expect(responseOf({ method: undefined }).method).toBeNull();
  });

  it('may say when it came', () => {
    const noon = Date.parse('2026-07-01T12:00:00Z');
    expect(contextOf({ at: '2026-07-01T12:00:00Z' }).at).toBe(noon);
    expect(contextOf({ capturedAt: '2026-07-01T14:00:00.000+02:00', at: null }).at).toBe(noon);
    expect(contextOf({ capturedAt: '2026-07-01' }).at).toBe(Date.parse('2026-07-01T00:00:00Z'));
    expect(contextOf({}).at).toBeUndefined();
  });

  it('may come with what a directory says', () => {
    expect(
      contextOf({ listing: { resource: 'https://api.example.com/', accepts: [] } }).listing,
    ).toMatchObject({
      resource: 'https://api.example.com/',
    });
    expect(contextOf({ listing: null }).listing).toBeUndefined();
    expect(faultOf({ ...answer, listing: {} })).toBe('"listing" cannot be read: the item has no resource');
  });
});

describe('what has to be changed', () => {
  it.each([
    [{ url: '' }, '"url" must be the URL that was asked'],
    [{ method: 'GET /' }, '"method" must be the method of the request, such as "GET", or null'],
    [{ status: '402' }, '"status" must be a whole number from 100 to 999'],
    [{ status: 402.5 }, '"status" must be a whole number from 100 to 999'],
    [{ status: 0 }, '"status" must be a whole number from 100 to 999'],
    [
      { headers: undefined },
      '"headers" must be an object of names and values ({} for none) or a list of [name, value] pairs or {name, value} objects',
    ],
    [
      { headers: { A: null } },
      '"headers" must be an object of names and values ({} for none) or a list of [name, value] pairs or {name, value} objects',
    ],
    [
      { headers: [['A']] },
      '"headers" must be an object of names and values ({} for none) or a list of [name, value] pairs or {name, value} objects',
    ],
    [{ body: 5 }, '"body" must be the text of the body, a JSON object in its place, or null'],
    [{ at: 'yesterday' }, '"at" must be an ISO 8601 time with its zone, such as "2026-07-01T12:00:00Z"'],
    [
      { at: '2026-07-01T12:00:00' },
      '"at" must be an ISO 8601 time with its zone, such as "2026-07-01T12:00:00Z"',
    ],
    [{ at: '2026-13-41' }, '"at" must be an ISO 8601 time with its zone, such as "2026-07-01T12:00:00Z"'],
  ])('is said of %j', (change, fault) => {
    expect(faultOf({ ...answer, ...change })).toBe(fault);
  });

  it('is all said at once', () => {
    expect(faultOf({})).toMatch(/^"url" .+; "status" .+; "headers" /);
  });

  it.each([[[answer]], ['text'], [null], [5]])('is said of %j, which is no object', (json) => {
    expect(faultOf(json)).toMatch(/^it (is a list|must be a JSON object)/);
  });

  it('is said of a body that is nested without end', () => {
    const body: unknown = JSON.parse(`${'['.repeat(200_000)}${']'.repeat(200_000)}`);
    expect(faultOf({ ...answer, body })).toBe('"body" is nested too deep: give it as text');
  });
});
