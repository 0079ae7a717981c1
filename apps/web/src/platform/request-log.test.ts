import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { logError, withRequestId } from './request-log.ts';

const getId = (received: string) => withRequestId(received, (id) => id);

describe('withRequestId', () => {
  it.each(['a', '4bf92f3577b34da6a3ce929d0e0e4736', 'req_1.2-3', 'x'.repeat(64)])('keeps the id %s', (id) => {
    expect(getId(id)).toBe(id);
  });

  it.each(['', 'x'.repeat(65), 'a b', '{"a":1}', 'ä'])('replaces the id %j', (id) => {
    expect(getId(id)).toMatch(/^[\da-f-]{36}$/);
    expect(getId(id)).not.toBe(getId(id));
  });

  it('gives a request that is created for another request the id of the other one', () => {
    expect(withRequestId('outer', () => getId('inner'))).toBe('outer');
    expect(getId('inner')).toBe('inner');
  });
});

describe('logError', () => {
  it('names the request that is being handled, also when several are handled at the same time', async () => {
    const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const handle = (id: string, milliseconds: number) =>
      withRequestId(id, async () => {
        await sleep(milliseconds);
        logError({ failed: id }, new Error('no\nanswer'));
      });
    await Promise.all([handle('slow', 20), handle('fast', 1)]);
    logError({ failed: 'timer' }, 'late');
    const lines = written.mock.calls.map(([line]) => line);
    written.mockRestore();
    expect(lines).toEqual([
      '{"failed":"fast","cause":"no\\nanswer","requestId":"fast"}\n',
      '{"failed":"slow","cause":"no\\nanswer","requestId":"slow"}\n',
      '{"failed":"timer","cause":"late"}\n',
    ]);
  });
});
