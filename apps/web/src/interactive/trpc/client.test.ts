import { type Problem, createProblem } from '@touchstone/contract';
import { TRPCClientError } from '@trpc/client';
import { describe, expect, it } from 'vitest';
import { isTemporary, toCallError } from './client.ts';

/** Creates the error that the client throws for an error response. */
function createError(status: number, text: string, problem: Partial<Problem> = {}): unknown {
  const { code, errors = [] } = { ...createProblem('unauthorized', text), ...problem };
  const data = { code: 'X', httpStatus: status, problem: { code, errors } };
  return TRPCClientError.from({ error: { code: -32_000, message: text, data } } as never);
}

describe('toCallError', () => {
  it('returns the text, the status and the mistakes of an error response', () => {
    const mistakes = [{ path: 'delivery.webhook_urls.0', message: 'responded with 404.' }];
    expect(toCallError(createError(422, 'A test failed.', { errors: mistakes }))).toEqual({
      text: 'A test failed.',
      status: 422,
      mistakes,
    });
  });

  it('explains a failed connection test without members of the request', () => {
    const error = createError(422, 'Correct the URLs in `errors`.', { code: 'delivery-unreachable' });
    expect(toCallError(error).text).toBe(
      'A URL failed its connection test. Nothing was changed. Correct the URL and save again.',
    );
  });

  it('explains that there was no response, which is temporary', () => {
    const error = TRPCClientError.from(new TypeError('Failed to fetch'));
    expect(isTemporary(error)).toBe(true);
    expect(toCallError(error)).toEqual({
      text: 'The service could not be reached. Check your connection.',
      status: null,
      mistakes: [],
    });
  });
});

describe('isTemporary', () => {
  it.each([
    [400, false],
    [401, false],
    [429, false],
    [500, true],
    [503, true],
  ])('of the status %i is %s', (status, expected) => {
    expect(isTemporary(createError(status, 'x'))).toBe(expected);
  });
});
