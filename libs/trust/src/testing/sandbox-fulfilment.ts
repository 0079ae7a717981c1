import { createSales, NO_SALES } from './sandbox-sales.ts';
import type { Story } from './story.ts';

/** Stories of sandbox endpoints that settle payments. Only the response after the settlement differs. */
const SETTLED = [
  'pay-again',
  'paid-not-delivered',
  'wrong-body-empty',
  'wrong-body-schema',
  'late',
  'settles-twice',
  'testers-only',
];
/** Stories of sandbox endpoints that settle no payment, so they have no buyers. */
const UNSETTLED = ['refused-uncharged', 'answers-unpaid'];

/**
 * Creates the test stories of sandbox endpoints that differ only in the response to a paid request. Before a purchase,
 * each of them looks healthy.
 *
 * @param healthy story of a healthy endpoint with unmeasured activity
 */
export function createFulfilmentStories(healthy: Story): Readonly<Record<string, Story>> {
  const settled: Story = { ...healthy, sales: createSales(6, 4, [14, 0.01]), score: 83.5 };
  const unsettled: Story = {
    ...healthy,
    sales: NO_SALES,
    ...{ score: 79.9, grade: 'B', flags: ['no-settlements'] },
  };
  return Object.fromEntries([
    ...SETTLED.map((name) => [name, settled] as const),
    ...UNSETTLED.map((name) => [name, unsettled] as const),
  ]);
}
