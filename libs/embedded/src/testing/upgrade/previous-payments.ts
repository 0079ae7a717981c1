import { formatLiteral } from '../psql-session.ts';
import { at, toTime } from '../sql-time.ts';
import { toId, toJson, toObservation } from './previous-rows.ts';

const DAY = 24 * 3600;
const NETWORK = 'eip155:8453';

/** Returns the id of a watch with a number from 2 to 7. */
export const toWatchId = (n: number): string => `w_${String(n).repeat(26)}`;

const toKey = (nonce: string) => ({ network: NETWORK, asset: '0xusdc', payer: `payer of ${nonce}`, nonce });

/** Returns the SQL arguments with the key of a payment. Each payment has its own payer. */
export const toKeyArguments = (nonce: string): string =>
  Object.values(toKey(nonce)).map(formatLiteral).join(', ');

/** Returns the SQL of a claim of a payment by a request. */
export const claimPayment = (nonce: string, owner: string, seconds: number): string => `
  select * from public.claim_payment(${toJson({
    ...toKey(nonce),
    ...{ route: 'POST /v1/watch-endpoint-30d', requestHash: 'request', paymentHash: 'payment', owner },
    ...{ resource: 'https://watched.example/', payTo: '0xcc', amount: '1000', validBefore: toTime(DAY) },
  })}, ${at(seconds)}, 30, 45, 3)`;

const store = (nonce: string, seconds: number): string => `
  ${claimPayment(nonce, 'before', seconds)};
  select public.store_payment_result(${toKeyArguments(nonce)}, 'before', 'result of ${nonce}', ${at(seconds + 1)}, 45);`;
/** Returns the SQL of the settlement of a payment. */
export const settlePayment = (nonce: string, seconds: number, isAudited: boolean): string =>
  `select public.settle_payment(${toKeyArguments(nonce)}, '0x${nonce}', 'receipt', ${isAudited}, ${at(seconds)})`;

/** Returns the SQL of the purchase of a watch, which the settlement of its payment activates. */
const buyWatch = (nonce: string, n: number): string => `
  ${claimPayment(nonce, 'before', 1300)};
  select public.create_watch(${toJson({
    ...{ id: toWatchId(n), endpointId: toId('watched'), secretHash: 'secret', signingKey: 'encrypted' },
    ...{ events: ['price_change', 'liveness_down'], livenessSensitivityN: 2, expiresAt: toTime(30 * DAY) },
    destinations: [
      { channel: 'webhook', url: 'encrypted', label: 'webhook' },
      { channel: 'slack', url: 'encrypted', label: 'slack' },
    ],
  })}, ${toJson({ ...toKey(nonce), owner: 'before' })}, ${at(1301)});
  select public.store_payment_result(${toKeyArguments(nonce)}, 'before', 'result of ${nonce}', ${at(1302)}, 45);`;

/** Returns the SQL of a probe of the watched endpoint, which finds a new price. */
const changePrice = (seconds: number, price: string): string => `
  select * from public.claim_due_endpoints('before', ${at(seconds)}, 20, 60, 'watched.example');
  select * from public.record_observations('before', ${at(seconds + 2)}, ${toJson([
    { ...toObservation('watched', seconds + 1, price), slotAt: toTime(seconds) },
  ])});`;

/** SQL that delivers the first entry to the webhook, and fails to deliver it to the chat. */
const DELIVER = `
  select * from public.record_deliveries('before', ${at(1511)}, ${5 * DAY}, (
    select jsonb_agg(jsonb_build_object(
      'destinationId', c.destination_id, 'sequences', jsonb_path_query_array(c.entries, '$[*].sequence'),
      'at', ${at(1511)}, 'durationMs', 5, 'httpStatus', 200, 'nextAttemptAt', ${at(1600)},
      'outcome', case c.channel when 'webhook' then 'delivered' else 'retry' end
    ))
    from public.claim_deliveries('before', ${at(1510)}, 60, 20, 20) c));`;

/**
 * SQL that stores payments in all states, an active watch with delivered and queued entries, and a pending watch whose
 * payment is settling.
 */
export const PAYMENTS = `
  ${buyWatch('watch', 2)} ${settlePayment('watch', 1303, true)};
  ${buyWatch('settling', 3)}
  ${store('refused', 1310)}
  select public.refuse_payment(${toKeyArguments('refused')}, 'before', ${at(1312)});
  ${store('disputed', 1320)} ${settlePayment('disputed', 1322, false)};
  select public.audit_payment(${toKeyArguments('disputed')}, '', ${at(1400)});
  ${changePrice(1500, '20')}
  ${DELIVER}
  ${changePrice(1800, '30')}
  ${claimPayment('working', 'before', 2390)};`;
