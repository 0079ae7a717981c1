import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFacilitator } from '../index.ts';
import { createPayment, post } from '../testing/buyer.ts';
import { BODY, openTestService, type TestService } from '../testing/test-service.ts';

/** Timeouts of the facilitator client in milliseconds. They are long because this machine runs all processes. */
const LONG_TIMEOUTS = { verifyMs: 60_000, settleMs: 60_000 };

let service: TestService;
beforeAll(async () => {
  service = await openTestService();
});
afterAll(() => service.close());

/** Sends the headers of a request and half of its body. Returns when the server has started to handle the request. */
const sendHalf = async (url: string, payment: string) => {
  const text = JSON.stringify(BODY);
  const stalled = request(url, {
    method: 'POST',
    headers: {
      'payment-signature': payment,
      'content-type': 'application/json',
      'content-length': text.length,
      expect: '100-continue',
    },
  });
  stalled.on('error', () => undefined);
  stalled.flushHeaders();
  await once(stalled, 'continue');
  stalled.write(text.slice(0, text.length / 2));
  return stalled;
};

test('expired payments whose bodies never end do not delay a result that is sent again', async () => {
  const seller = await service.openSeller({
    facilitator: createFacilitator({ url: service.proxy.url, timeouts: LONG_TIMEOUTS }),
  });
  const { payment } = await createPayment(service.payer, seller.trust, BODY);
  const first = await post(seller.trust, BODY, { payment });
  expect(first.status).toBe(200);
  service.behavior.clockOffsetMs = 400_000;
  const stalled = await Promise.all(Array.from({ length: 20 }, () => sendHalf(seller.trust, payment)));
  const again = await post(seller.trust, BODY, { payment });
  expect([again.status, again.text]).toEqual([200, first.text]);
  for (const each of stalled) each.destroy();
});

test('a payment that expires while its body is sent is refused before the facilitator is called', async () => {
  service.behavior.clockOffsetMs = 0;
  const seller = await service.openSeller();
  const { payment, nonce } = await createPayment(service.payer, seller.trust, BODY);
  service.proxy.calls.length = 0;
  const stalled = await sendHalf(seller.trust, payment);
  // The payment is valid for 300 seconds, and must be valid for 60 seconds at its purchase.
  service.behavior.clockOffsetMs = 250_000;
  const text = JSON.stringify(BODY);
  stalled.end(text.slice(text.length / 2));
  const [response] = (await once(stalled, 'response')) as [IncomingMessage];
  expect(response.statusCode).toBe(402);
  expect(service.proxy.calls).toEqual([]);
  expect(await service.findPaymentRow(nonce)).toBeUndefined();
});
