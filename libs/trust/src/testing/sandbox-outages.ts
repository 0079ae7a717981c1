import type { Expected } from './expectation.ts';
import { NO_SALES, createReturnedSales, createSales } from './sandbox-sales.ts';
import { AGE_VALUE, repeatForDays, type Story } from './story.ts';

/** Test story of an endpoint that is listed but never up. Only uptime, activity and age are measured. */
const NEVER_UP: Story = {
  history: repeatForDays(14, 'down'),
  sales: NO_SALES,
  values: [0, null, null, null, AGE_VALUE, null],
  ...{ score: 8.9, grade: 'F', recommendation: 'avoid' },
  flags: ['down-now', 'not-payable-now', 'uptime-low', 'no-settlements'],
  caps: ['no-payable-challenge', 'down-now'],
};
/** Expected verdict of an endpoint that was healthy at first and then stayed down. The score is capped at 34. */
const DOWN_LATER: Omit<Expected, 'values'> = {
  ...{ score: 34, grade: 'F', recommendation: 'avoid' },
  flags: ['down-now', 'not-payable-now', 'uptime-low', 'uptime-falling'],
  caps: ['no-payable-challenge', 'down-now'],
};
/** Test stories of sandbox endpoints that are down. `withActivity` fills in the activity values. */
export const OUTAGES: Readonly<Record<string, Story>> = {
  dead: NEVER_UP,
  'certificate-wrong-host': NEVER_UP,
  'certificate-self-signed': NEVER_UP,
  'always-500': NEVER_UP,
  'hangs-late': {
    ...DOWN_LATER,
    sales: createSales(2, 1, [12.5, 0.02]),
    history: [...repeatForDays(12.5, 'pass'), ...repeatForDays(1.5, 'down')],
    values: [600 / 672 - 0.5, 1, 1, null, AGE_VALUE, 1],
  },
  'down-since-day-11': {
    ...DOWN_LATER,
    sales: createSales(4, 4, [11, 0.001]),
    history: [...repeatForDays(11, 'pass'), ...repeatForDays(3, 'down')],
    values: [528 / 672 - 0.5, 1, 1, null, AGE_VALUE, 1],
  },
  'gone-410': {
    ...DOWN_LATER,
    sales: createReturnedSales(1, 24, [9, 0.75]),
    history: [...repeatForDays(9, 'pass'), ...repeatForDays(5, 'down')],
    flags: ['down-now', 'not-payable-now', 'uptime-low', 'uptime-falling', 'payments-returned'],
    values: [432 / 672 - 0.5, 1, 1, null, AGE_VALUE, 1],
  },
  'dns-gone': {
    ...DOWN_LATER,
    sales: createSales(2, 1, [8, 0.1]),
    history: [...repeatForDays(8, 'pass'), ...repeatForDays(6, 'down')],
    values: [384 / 672 - 0.5, 1, 1, null, AGE_VALUE, 1],
  },
  'gone-404': {
    ...DOWN_LATER,
    sales: createSales(3, 3, [6, 0.005]),
    history: [...repeatForDays(6, 'pass'), ...repeatForDays(8, 'down')],
    values: [0, 1, 1, null, AGE_VALUE, 1],
  },
  'certificate-expires': {
    ...DOWN_LATER,
    sales: createSales(3, 2, [4, 0.001]),
    history: [...repeatForDays(4, 'pass'), ...repeatForDays(10, 'down')],
    values: [0, 1, 1, null, AGE_VALUE, 1],
  },
};
