import console from 'node:console';
import { afterEach, expect, it, vi } from 'vitest';
import { logMessagesOnly } from './serve.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

it('writes the message of an error without the parameters of its statement', () => {
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  // The function under test replaces `console.error`. Because of this spy, the original function is restored after the
  // test.
  vi.spyOn(console, 'error');
  logMessagesOnly();
  console.error(Object.assign(new Error('out of range'), { params: ['the body of a report'] }));
  expect(write.mock.calls).toEqual([['embedded database: out of range\n']]);
});
