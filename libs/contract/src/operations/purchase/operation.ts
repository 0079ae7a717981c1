import { createPayload, DATABASE, FREE_GET, type Operation } from '../operation-model.ts';
import { PURCHASE_ID_EXAMPLE, PURCHASE_SCHEMAS, purchaseIdSchema } from './schemas.ts';

/** Free operation that returns the signed record of a published test purchase. */
export const purchaseOperation: Operation = {
  ...FREE_GET,
  id: 'getPurchase',
  path: '/v1/purchases/{id}',
  parameters: [
    {
      in: 'path',
      name: 'id',
      required: true,
      description: 'Id of the purchase, as in a report or in the ledger.',
      schema: purchaseIdSchema,
      example: PURCHASE_ID_EXAMPLE,
    },
  ],
  summary: 'Signed record of one test purchase',
  description:
    'What this service bought, the transaction of its payment, what it got, and the outcome. `touchstone verify` checks the record. A purchase without delivery is published a day after its outcome is known; until then the response is 404.',
  tags: ['reference'],
  response: createPayload(PURCHASE_SCHEMAS, 'x402-purchase'),
  problems: ['unknown-resource', ...DATABASE],
};

/** Free operation that returns the public ledger of test purchases. */
export const deliveryLedgerOperation: Operation = {
  ...FREE_GET,
  id: 'getDeliveryLedger',
  path: '/delivery.json',
  summary: 'Ledger of test purchases',
  description:
    'Wallets, budget, sums, and the newest 200 test purchases of this service. The page /delivery shows the same purchases and the method.',
  tags: ['overview'],
  response: createPayload(PURCHASE_SCHEMAS, 'delivery-ledger'),
  problems: DATABASE,
};
