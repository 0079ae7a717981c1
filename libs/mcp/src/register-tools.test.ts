import { expect, it } from 'vitest';
import { connectClient } from './testing/connect-client.ts';
import { CallError } from './register-tools.ts';

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
  expect(await server.callTool('x402_stats', {})).toMatchObject({
    isError: true,
    structured: {
      ...{ code: 'limit-exceeded', detail: message },
      ...(notCharged ? { notCharged: true } : {}),
    },
    texts: [text],
  });
});
