import { TOOLS, TRUST_REPORT_EXAMPLE } from '@touchstone/contract';
import { describe, expect, it, vi } from 'vitest';
import { connectClient, REVISIONS } from './testing/connect-client.ts';
import { CallError } from './register-tools.ts';

const RESOURCE = 'https://api.example.com/v1/weather';
const NEXT_STEP = 'Ask the user to raise the limit.';

it.each([
  [
    'The price is above the limit.',
    true,
    `The price is above the limit.\nNext: ${NEXT_STEP}\nNothing was charged.`,
  ],
  // The error already says that nothing was charged.
  [
    'Too dear. Nothing was signed or charged.',
    true,
    `Too dear. Nothing was signed or charged.\nNext: ${NEXT_STEP}`,
  ],
  // It is not known if the payer was charged.
  ['No response.', false, `No response.\nNext: ${NEXT_STEP}`],
])('a call error becomes a result with its next step: %s', async (message, notCharged, text) => {
  const error = new CallError(message, { code: 'limit-exceeded', nextStep: NEXT_STEP, notCharged });
  await using server = await connectClient('2026-07-28', { send: () => Promise.reject(error) });
  expect(await server.callTool('x402_ecosystem_stats', {})).toMatchObject({
    isError: true,
    structured: {
      ...{ code: 'limit-exceeded', detail: message },
      ...(notCharged ? { notCharged: true } : {}),
    },
    texts: [text],
  });
});

describe('progress', () => {
  it.each(REVISIONS)(
    'is reported at the start and every second of a slow call, with MCP %s',
    async (revision) => {
      const { promise, resolve } = Promise.withResolvers<Response>();
      await using server = await connectClient(revision, { send: () => promise });
      const progress: number[] = [];
      const messages: (string | undefined)[] = [];
      vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
      try {
        const call = server.callTool(
          'x402_trust_score',
          { resource: RESOURCE },
          {
            onprogress: (event) => {
              progress.push(event.progress);
              messages.push(event.message);
            },
          },
        );
        await vi.waitFor(() => expect(progress).toEqual([0]));
        await vi.advanceTimersByTimeAsync(2_000);
        await vi.waitFor(() => expect(progress).toEqual([0, 1, 2]));
        resolve(Response.json(TRUST_REPORT_EXAMPLE));
        expect((await call).isError).toBe(false);
        await vi.advanceTimersByTimeAsync(5_000);
      } finally {
        vi.useRealTimers();
      }
      expect(progress).toEqual([0, 1, 2]);
      expect(messages.at(-1)).toBe('Trust report on an x402 endpoint: 2 s.');
    },
  );

  it('is not reported for a fast tool', async () => {
    const stats = TOOLS.find(({ name }) => name === 'x402_ecosystem_stats') ?? expect.fail();
    const send = () => Promise.resolve(Response.json(stats.operations[0]?.response.example));
    await using server = await connectClient('2026-07-28', { send });
    const onprogress = vi.fn();
    await server.callTool('x402_ecosystem_stats', {}, { onprogress });
    expect(onprogress).not.toHaveBeenCalled();
  });
});
