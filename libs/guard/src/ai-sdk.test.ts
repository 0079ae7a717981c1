import { wrapFetchWithPayment } from '@x402/fetch';
import { generateText, isStepCount, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { PaymentRefusedError } from './decision/decision.ts';
import { setUp, type Setup } from './testing/guarded-client.ts';
import { closeServersAfterEach } from './testing/listen.ts';

closeServersAfterEach();

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** Lets a model of the Vercel AI SDK buy the weather, and returns the messages of its second step. */
async function buyWithModel(setup: Setup = {}) {
  const { guard, client, seller } = await setUp(setup);
  const fetchAndPay = wrapFetchWithPayment(guard.wrapFetch(fetch), client);
  // The tool of the sample in docs/guard.md.
  const buyWeather = tool({
    description: 'Buys the weather of a city.',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => {
      try {
        const response = await fetchAndPay(`${seller.url}/v2/weather?city=${encodeURIComponent(city)}`);
        return await response.text();
      } catch (error) {
        if (!(error instanceof PaymentRefusedError)) throw error;
        return { refused: error.decision.reasons.map(({ message }) => message) };
      }
    },
  });
  const call = { toolCallId: '1', toolName: 'buyWeather', input: '{"city":"Berlin"}' };
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: 'tool-call', ...call }],
        ...{ finishReason: { unified: 'tool-calls', raw: undefined }, usage, warnings: [] },
      },
      {
        content: [{ type: 'text', text: 'done' }],
        ...{ finishReason: { unified: 'stop', raw: undefined }, usage, warnings: [] },
      },
    ],
  });
  await generateText({ model, tools: { buyWeather }, stopWhen: isStepCount(2), prompt: 'The weather?' });
  return { messages: JSON.stringify(model.doGenerateCalls[1]?.prompt), seller };
}

it('gives the bought response to the model', async () => {
  const { messages, seller } = await buyWithModel();
  expect(messages).toContain('the weather');
  expect(seller.payments).toHaveLength(1);
});

it('gives the reasons of a refusal to the model, and pays nothing', async () => {
  const answer = () => ({ endpoint: { recommendation: 'avoid' } }) as const;
  const { messages, seller } = await buyWithModel({ answer });
  expect(messages).toContain('recommendation for this endpoint is \\"avoid\\"');
  expect(seller.payments).toEqual([]);
});
