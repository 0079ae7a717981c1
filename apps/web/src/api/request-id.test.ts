import { describe, expect, it } from 'vitest';
import { getRequestId } from './request-id.ts';

const createRequest = (id?: string) =>
  new Request('http://localhost/', { headers: id === undefined ? {} : { 'x-request-id': id } });

describe('getRequestId', () => {
  it.each(['a', '4bf92f3577b34da6a3ce929d0e0e4736', 'req_1.2-3', 'x'.repeat(64)])('keeps the id %s', (id) => {
    expect(getRequestId(createRequest(id))).toBe(id);
  });

  it.each([undefined, '', 'x'.repeat(65), 'a b', '{"a":1}', 'ä'])('replaces the id %j', (id) => {
    const request = createRequest(id);
    expect(getRequestId(request)).toMatch(/^[\da-f-]{36}$/);
    expect(getRequestId(request)).toBe(getRequestId(request));
    expect(getRequestId(request)).not.toBe(getRequestId(createRequest(id)));
  });
});
