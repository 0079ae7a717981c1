import { KEY_SET_PATH, SCHEMAS } from '@touchstone/contract';
import type { PurchaseRecord } from '@touchstone/contract/operations/purchase/schemas';
import { signDocument } from '@touchstone/trust';
import { describe, expect, it } from 'vitest';
import { createKeys } from '../testing/reports.ts';
import { jsonLines } from '../testing/run-command.ts';
import { runInProcess } from '../testing/run-in-process.ts';
import { startServer } from '../testing/serve.ts';

const EXAMPLE: PurchaseRecord = SCHEMAS['x402-purchase'].example;
const RESPONSE = EXAMPLE.response;
const FAILED = {
  response: RESPONSE && { ...RESPONSE, status: 502, schemaFindings: null },
  outcome: 'paid-not-delivered',
} as const;

/** Verifies a record without its signature. */
const verify = (change: Partial<PurchaseRecord>, ...args: readonly string[]) =>
  runInProcess(['verify', '--figures', ...args, '-'], JSON.stringify({ ...EXAMPLE, ...change }));

describe('touchstone verify of a purchase record', () => {
  it('says what the record states, and checks the signature of the service and the outcome', async () => {
    const bodies = new Map<string, unknown>();
    await using site = await startServer(({ url = '' }, response) => {
      response.end(JSON.stringify(bodies.get(url)));
    });
    const base = `http://127.0.0.1:${String(site.port)}`;
    const keys = await createKeys(base);
    const signed = await signDocument({ ...EXAMPLE, ...FAILED }, keys.signing);
    bodies
      .set(KEY_SET_PATH, keys.published)
      .set('/signed', signed)
      .set('/forged', { ...signed, outcome: 'late' });
    const run = (...args: readonly string[]) => runInProcess(['verify', '--allow-private', ...args]);

    const { code, stdout } = await run(`${base}/signed`);
    expect(code).toBe(0);
    const text = stdout.replace(/\s+/g, ' ');
    expect(text).toContain(
      `On 2026-05-30T10:00:07.000Z, Touchstone paid $0.01 to ${EXAMPLE.payment.payTo} on eip155:8453 in transaction ` +
        `${EXAMPLE.payment.transaction ?? ''}, and got status 502 with 412 bytes in 820 ms.`,
    );
    expect(text).toContain('Outcome agrees paid-not-delivered follows from the charge and the response');
    expect(text).toContain('The record was not changed since.');

    const forged = await run('--json', `${base}/forged`);
    expect(forged.code).toBe(1);
    expect(jsonLines(forged.stdout)).toMatchObject([
      { verdict: 'not-ok', outcome: 'late', computedOutcome: 'paid-not-delivered', signature: 'forged' },
    ]);
  });

  it.each<[string, Partial<PurchaseRecord>, string]>([
    ['free', { payment: { ...EXAMPLE.payment, charged: false, transaction: null } }, 'was never charged'],
    ['unclear', { response: null }, 'no response was recorded'],
    [
      'late',
      { response: RESPONSE && { ...RESPONSE, status: null, bytes: null, failure: 'timeout' } },
      'no whole response within 60 seconds',
    ],
    [
      'wrong-body',
      { response: RESPONSE && { ...RESPONSE, schemaFindings: ['The body differs at "#/a".'] } },
      'The body differs at "#/a".',
    ],
  ])('recomputes the outcome %s', async (outcome, change, sentence) => {
    const { code, stdout } = await verify({ ...change, outcome: outcome as PurchaseRecord['outcome'] });
    expect([code, stdout.replace(/\s+/g, ' ')]).toEqual([0, expect.stringContaining(sentence)]);
    expect((await verify({ ...change, outcome: 'pay-again' })).code).toBe(1);
  });

  it('names the first fault of a record that does not match the schema', async () => {
    const { code, stdout } = await verify({ id: 'p_1' });
    expect([code, stdout]).toEqual([2, expect.stringContaining('id: must be the id of a purchase')]);
  });
});
