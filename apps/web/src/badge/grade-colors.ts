import type { Grade } from '@touchstone/contract';

/**
 * Background and text color of each grade, as on the pages of the site. The contrast is at least 4.5:1.
 */
export const GRADE_COLORS: Readonly<Record<Grade, { readonly plate: string; readonly text: string }>> = {
  A: { plate: '#dcb045', text: '#1b1404' },
  B: { plate: '#c2cacd', text: '#14181a' },
  C: { plate: '#c58256', text: '#1a0d05' },
  D: { plate: '#59636a', text: '#ffffff' },
  F: { plate: '#98321f', text: '#ffffff' },
  '?': { plate: '#f1f3f1', text: '#15191c' },
};
