import type { Expected } from './expectation.ts';
import { NOBODY, sold } from './sandbox-sales.ts';
import { AGE, days, type Story } from './story.ts';

/** Listed, and never answered: 10·0.491304 of the 30 + 15 + 10 that were measured. */
const NEVER_UP: Story = {
  lived: days(14, 'down'),
  paid: NOBODY,
  values: [0, null, null, null, AGE, null],
  ...{ score: 8.9, grade: 'F', recommendation: 'avoid' },
  flags: ['down-now', 'not-payable-now', 'uptime-low', 'no-settlements'],
  caps: ['not-payable', 'down-now'],
};
/** Healthy until some day, down since: whatever it was, 34. */
const FELL: Omit<Expected, 'values'> = {
  ...{ score: 34, grade: 'F', recommendation: 'avoid' },
  flags: ['down-now', 'not-payable-now', 'uptime-low'],
  caps: ['not-payable', 'down-now'],
};
/** Stories of what is down; activity is left open. */
export const OUTAGES: Readonly<Record<string, Story>> = {
  dead: NEVER_UP,
  'certificate-wrong-host': NEVER_UP,
  'certificate-self-signed': NEVER_UP,
  'always-500': NEVER_UP,
  'hangs-late': {
    ...FELL,
    paid: sold(2, 1, [12.5, 0.02]),
    lived: [...days(12.5, 'pass'), ...days(1.5, 'down')],
    values: [600 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'down-since-day-11': {
    ...FELL,
    paid: sold(4, 4, [11, 0.001]),
    lived: [...days(11, 'pass'), ...days(3, 'down')],
    values: [528 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'gone-410': {
    ...FELL,
    paid: sold(1, 24, [9, 0.75]),
    lived: [...days(9, 'pass'), ...days(5, 'down')],
    flags: ['down-now', 'not-payable-now', 'uptime-low', 'single-payer'],
    values: [432 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'dns-gone': {
    ...FELL,
    paid: sold(2, 1, [8, 0.1]),
    lived: [...days(8, 'pass'), ...days(6, 'down')],
    values: [384 / 672 - 0.5, 1, 1, null, AGE, 1],
  },
  'gone-404': {
    ...FELL,
    paid: sold(3, 3, [6, 0.005]),
    lived: [...days(6, 'pass'), ...days(8, 'down')],
    values: [0, 1, 1, null, AGE, 1],
  },
  'certificate-expires': {
    ...FELL,
    paid: sold(3, 2, [4, 0.001]),
    lived: [...days(4, 'pass'), ...days(10, 'down')],
    values: [0, 1, 1, null, AGE, 1],
  },
};
