/** Figures as people read them. Grouping is always the English one, so that output does not depend on the machine. */

const grouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 2 });

/** `1,430`. */
export function numberWords(value: number): string {
  return grouped.format(value);
}

/** One decimal, as scores have it. */
export function pointsWords(value: number): string {
  return value.toFixed(1);
}

/** `99.3 %` of a share of 0 to 1. */
export function percentWords(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

/** `212 ms`, `3.41 s`. */
export function msWords(ms: number): string {
  return ms < 1_000 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(2)} s`;
}

/** `2026-06-01 12:00 UTC` of an ISO 8601 time. */
export function timeWords(iso: string): string {
  return `${iso.slice(0, 16).replace('T', ' ')} UTC`;
}

/** `$0.01` of a decimal string of US dollars; nothing is rounded. */
export function dollarWords(amountUsd: string): string {
  const [whole = '', fraction = ''] = amountUsd.split('.');
  const digits = fraction.replace(/0+$/, '');
  const units = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `$${units}${digits === '' ? '' : `.${digits.padEnd(2, '0')}`}`;
}
