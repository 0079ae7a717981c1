import { afterAll, beforeAll, expect, it } from 'vitest';
import { createKeys } from './serve.ts';
import type { EmbeddedDatabase } from './start.ts';
import { startNew } from './testing/start-migrated.ts';

/**
 * The tests of libs/store run on PostgreSQL if PostgreSQL is installed. The tests of this file show that the SQL also
 * runs on PGlite.
 */
const keys = createKeys();
const NOW = '2026-11-01T00:00:00Z';
const ID = 'searched22';
let database: EmbeddedDatabase;
beforeAll(async () => {
  database = await startNew({ keys });
});
afterAll(() => database.close());

/** Calls a function of the database through its API. */
async function call(name: string, body: object, key = keys.secret): Promise<unknown> {
  const response = await fetch(`${database.url}/rest/v1/rpc/${name}`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.json();
}

it('claims a payment once, stores its result, and settles it', async () => {
  const key = { network: 'eip155:8453', asset: '0xusdc', payer: '0xpayer', nonce: '0x1' };
  const payment = {
    ...{
      ...key,
      route: 'POST /v1/x402-trust',
      request_hash: 'request',
      payment_hash: 'payment',
      owner: 'one',
    },
    ...{ resource: 'https://one.example/', pay_to: '0xshop', amount: `${2n ** 200n}`, valid_before: NOW },
  };
  const claim = (owner: string) =>
    call('claim_payment', {
      ...{ p_payment: { ...payment, owner }, p_now: NOW, p_lease_seconds: 30, p_max_refusals: 3 },
    });
  expect(await Promise.all([claim('one'), claim('two')])).toMatchObject([
    [{ outcome: 'claimed' }],
    [{ outcome: 'busy' }],
  ]);
  const of = { p_network: key.network, p_asset: key.asset, p_payer: key.payer, p_nonce: key.nonce };
  const result = { p_owner: 'one', p_result: 'report', p_now: NOW, p_lease_seconds: 30 };
  expect(await call('store_payment_result', { ...of, ...result })).toBe('stored');
  const settlement = { p_transaction: '0xhash', p_receipt: 'receipt', p_audited: true, p_now: NOW };
  expect(await call('settle_payment', { ...of, ...settlement })).toBe('receipt');
  expect(await claim('two')).toMatchObject([{ outcome: 'settled', result: 'report' }]);
});

it('finds an endpoint by its vector and by its words, and refuses the functions of the service to the public', async () => {
  const vector = JSON.stringify(Array.from({ length: 384 }, (_, i) => (i === 0 ? 1 : 0)));
  await database.connection.driver.exec(`
    insert into search_texts (text_hash, text, model, embedding) values ('hash', 'weather', 'space', '${vector}');
    insert into endpoints (id, resource, host, slug, templated, first_seen_at)
    values ('${ID}', 'https://weather.example/', 'weather.example', '${ID}', false, '${NOW}');
    insert into endpoint_states (endpoint_id) values ('${ID}');
    insert into snapshots (
      endpoint_id, slug, resource, host, templated, score, score_low, score_high, grade, recommendation, confidence,
      probes_30d, pay_on, first_seen, listing_status, computed_at, content_hash, content_changed_at, days_tracked,
      error_flags, warning_flags, text_hash
    ) values (
      '${ID}', '${ID}', 'https://weather.example/', 'weather.example', false, 90, 90, 90, 'A', 'proceed', 1, 1, '[]',
      '${NOW}', 'listed', '${NOW}', 'content', '${NOW}', 1, 0, 0, 'hash'
    )`);
  const query = { p_model: 'space', p_embedding: vector, p_limit: 5 };
  const match = { endpointId: ID, similarity: 1 };
  expect(await call('search_by_embedding', query)).toMatchObject({ matches: [match] });
  const words = { p_text: 'https://weather.example/', p_filters: {}, p_sort: 'relevance', p_limit: 5 };
  expect(await call('explore', words, keys.publishable)).toMatchObject({
    rows: [{ snapshot: { endpoint_id: ID } }],
  });
  expect(await call('search_by_embedding', query, keys.publishable)).toMatchObject({ code: '42501' });
});
