import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas';
import { describe, expect, test } from 'vitest';
import {
  expectResponse,
  requestStory,
  readChallengeHeader,
  getChallengeOnDay,
  decodeHeader,
  findStory,
} from '../testing/story-requests.ts';
import { useTestSandbox } from '../testing/test-sandbox.ts';

const sandbox = useTestSandbox(0.01);

test.each(['v1-only', 'dual-protocol', 'price-steps'])('the challenge of %s can be paid', async (story) => {
  const { url, protocol } = findStory(story);
  const { status, headers, body } = await expectResponse(requestStory(sandbox, story));
  expect(status).toBe(402);
  if (protocol !== 'v2') {
    const challenge = PaymentRequiredV1Schema.parse(JSON.parse(body));
    expect(challenge.accepts.map(({ resource }) => resource)).toEqual([url]);
  }
  if (protocol === 'v1') {
    expect(headers).not.toHaveProperty('payment-required');
    return;
  }
  const challenge = PaymentRequiredV2Schema.parse(decodeHeader(String(headers['payment-required'])));
  expect(challenge.resource.url).toBe(url);
  expect(headers['cache-control']).toBe('no-store');
  if (protocol === 'v2') expect(body).toBe('{}');
});

describe('a challenge with a fault', () => {
  test('bad base64 has characters outside the alphabet', async () => {
    expect(readChallengeHeader(await expectResponse(requestStory(sandbox, 'bad-base64')))).not.toMatch(
      /^[A-Za-z0-9+/]*={0,2}$/,
    );
  });

  test('base64url decodes and is not standard base64', async () => {
    const header = readChallengeHeader(await expectResponse(requestStory(sandbox, 'base64url')));
    expect(header).toMatch(/^[\w-]+$/);
    expect(header).toMatch(/[-_]/);
    const challenge: unknown = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'));
    expect(PaymentRequiredV2Schema.safeParse(challenge).success).toBe(true);
  });

  test('truncated JSON is valid base64', async () => {
    const header = readChallengeHeader(await expectResponse(requestStory(sandbox, 'truncated-json')));
    expect(header).toMatch(/^[A-Za-z0-9+/]*={0,2}$/);
    expect(() => decodeHeader(header)).toThrow(SyntaxError);
  });

  test('an HTML 402 page has no challenge', async () => {
    const { status, headers, body } = await expectResponse(requestStory(sandbox, 'html-402'));
    expect([status, headers['content-type'], headers['payment-required']]).toEqual([
      402,
      'text/html; charset=utf-8',
      undefined,
    ]);
    expect(body).toMatch(/^<!DOCTYPE html>/);
  });

  test('an offer has no EIP-712 domain, and a v1 offer has no MIME type', async () => {
    const v2 = PaymentRequiredV2Schema.parse(
      decodeHeader(readChallengeHeader(await expectResponse(requestStory(sandbox, 'no-eip712-domain')))),
    );
    expect(v2.accepts[0]).not.toHaveProperty('extra');
    const v1 = PaymentRequiredV1Schema.parse(
      JSON.parse((await expectResponse(requestStory(sandbox, 'v1-no-mime-type'))).body),
    );
    expect(v1.accepts[0]).not.toHaveProperty('mimeType');
  });

  test('an oversized header is a valid challenge of about 40 KiB', async () => {
    const header = readChallengeHeader(await expectResponse(requestStory(sandbox, 'oversized-header')));
    expect(header.length).toBeGreaterThan(36 * 1_024);
    expect(header.length).toBeLessThan(48 * 1_024);
    expect(PaymentRequiredV2Schema.safeParse(decodeHeader(header)).success).toBe(true);
  });

  test('a v2 challenge is only in the body', async () => {
    const { status, headers, body } = await expectResponse(requestStory(sandbox, 'v2-body-only'));
    expect([status, headers['payment-required']]).toEqual([402, undefined]);
    expect(PaymentRequiredV2Schema.safeParse(JSON.parse(body)).success).toBe(true);
  });

  test('a v2 challenge is in a header with another name', async () => {
    const { status, headers } = await expectResponse(requestStory(sandbox, 'renamed-header'));
    expect([status, headers['payment-required']]).toEqual([402, undefined]);
    expect(
      PaymentRequiredV2Schema.safeParse(decodeHeader(String(headers['x-payment-required']))).success,
    ).toBe(true);
  });
});

describe('payment terms that change', () => {
  test.each([
    ['payto-swap-early', 3],
    ['payto-swap-recent', 10],
  ])('%s pays another wallet from day %d', async (story, day) => {
    const payTo = async (at: number) =>
      PaymentRequiredV2Schema.parse(await getChallengeOnDay(sandbox, story, at)).accepts[0]?.payTo;
    const [first, last, swapped] = [await payTo(0), await payTo(day - 0.01), await payTo(day)];
    expect(last).toBe(first);
    expect(swapped).not.toBe(first);
  });
});
