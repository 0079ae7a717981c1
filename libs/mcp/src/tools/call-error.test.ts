import { describe, expect, it } from 'vitest';
import { connectClient, REVISIONS } from '../testing/connect-client.ts';
import { CallError } from './call-error.ts';

const NEXT_STEP = 'Ask the user to raise the limit.';

async function callWithError(revision: (typeof REVISIONS)[number], message: string, notCharged: boolean) {
  const error = new CallError(message, { code: 'limit-exceeded', nextStep: NEXT_STEP, notCharged });
  await using server = await connectClient(revision, { send: () => Promise.reject(error) });
  const { isError, structured, texts } = await server.callTool('x402_stats', {});
  return { isError, structured, text: texts.join('\n---\n') };
}

describe.each(REVISIONS)('an error of the entrance with MCP %s', (revision) => {
  it('becomes an error result with its code and its next step', async () => {
    expect(await callWithError(revision, 'The price is above the limit.', true)).toEqual({
      isError: true,
      structured: { code: 'limit-exceeded', detail: 'The price is above the limit.', notCharged: true },
      text: `The price is above the limit.\nNext: ${NEXT_STEP}\nNothing was charged.`,
    });
  });

  it('says once that nothing was charged', async () => {
    const { text } = await callWithError(revision, 'Too dear. Nothing was signed or charged.', true);
    expect(text).toBe(`Too dear. Nothing was signed or charged.\nNext: ${NEXT_STEP}`);
  });

  it('says nothing on the charge if it is unknown', async () => {
    const { structured, text } = await callWithError(revision, 'No response.', false);
    expect(structured).toEqual({ code: 'limit-exceeded', detail: 'No response.' });
    expect(text).toBe(`No response.\nNext: ${NEXT_STEP}`);
  });
});
