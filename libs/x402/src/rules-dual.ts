import { expect, type Outcome, type Rule, type Subject } from './rule.ts';
import { bareAsset } from './tokens.ts';
import type { PaymentOption } from './types.ts';

function checkV2InBodyOnly({ header, body }: Subject): Outcome {
  if (body.state !== 'read' || body.envelope.version !== 2) return 'skip';
  return expect(
    header.state === 'read',
    'A version 2 envelope is in the body only, where no client looks; send it in the PAYMENT-REQUIRED header.',
  );
}

function checkV1InHeader({ header }: Subject): Outcome {
  if (header.state !== 'read') return 'skip';
  return expect(
    header.envelope.version !== 1,
    'The PAYMENT-REQUIRED header holds a version 1 envelope; version 1 belongs in the body.',
  );
}

/** Hex addresses mean the same in any case; every other id is compared as it is. */
function same(id: string): string {
  return id.startsWith('0x') ? id.toLowerCase() : id;
}

function assetOf(option: PaymentOption): string {
  return `${option.network} ${same(bareAsset(option.network, option.asset))}`;
}

/**
 * Pairs the options of both envelopes and compares them. They are paired by what they are paid in, not by
 * their place in the list; of several options with one key, one that agrees is enough.
 */
function compare(
  { v2, v1 }: Subject,
  keyOf: (option: PaymentOption) => string,
  valueOf: (option: PaymentOption) => string,
): readonly PaymentOption[] | 'skip' {
  if (v2 === null || v1 === null) return 'skip';
  const pairs = v1.options.flatMap((option) => {
    const others = v2.options.filter((other) => keyOf(other) === keyOf(option));
    return others.length === 0
      ? []
      : [{ option, agrees: others.some((other) => valueOf(other) === valueOf(option)) }];
  });
  return pairs.length === 0 ? 'skip' : pairs.filter(({ agrees }) => !agrees).map(({ option }) => option);
}

function checkSame(subject: Subject, valueOf: (option: PaymentOption) => string, what: string): Outcome {
  const disagreeing = compare(subject, assetOf, valueOf);
  if (disagreeing === 'skip') return 'skip';
  const networks = [...new Set(disagreeing.map(({ network }) => network))].join(', ');
  return expect(
    disagreeing.length === 0,
    `Header and body name a different ${what} for the same asset on ${networks}.`,
  );
}

/** A seller may offer more in one version than in the other; only offers that share nothing contradict each other. */
function checkShared(subject: Subject, valueOf: (option: PaymentOption) => string, message: string): Outcome {
  const { v2, v1 } = subject;
  if (v2 === null || v1 === null || v2.options.length === 0 || v1.options.length === 0) return 'skip';
  const offered = new Set(v2.options.map(valueOf));
  return expect(
    v1.options.some((option) => offered.has(valueOf(option))),
    message,
  );
}

function checkAssets(subject: Subject): Outcome {
  const { v2, v1 } = subject;
  const networks = new Set(v2?.options.map(({ network }) => network));
  // Without a network in common the assets differ by necessity, and that is the other rule's finding.
  if (v1?.options.some(({ network }) => networks.has(network)) !== true) return 'skip';
  return checkShared(subject, assetOf, 'Header and body share a network and no asset on it.');
}

function dualRule(id: string, holds: string, check: Rule['check']): Rule {
  return { id, axis: 'payable', severity: 'error', holds, check };
}

/** Rules on answers that mix both versions. Sources: x402 v1 and v2 HTTP transports; house rules for the pairs. */
export const DUAL_RULES: readonly Rule[] = [
  dualRule('mixed-v2-in-body-only', 'A version 2 envelope is in the header.', checkV2InBodyOnly),
  dualRule('mixed-v1-in-header', 'The header holds no version 1 envelope.', checkV1InHeader),
  dualRule('dual-payto', 'Header and body name the same payee.', (subject) =>
    checkSame(subject, ({ payTo }) => same(payTo), 'payTo'),
  ),
  dualRule('dual-amount', 'Header and body ask the same amount.', (subject) =>
    checkSame(subject, ({ amount }) => String(amount), 'amount'),
  ),
  dualRule('dual-network', 'Header and body share a network.', (subject) =>
    checkShared(subject, ({ network }) => network, 'Header and body have no network in common.'),
  ),
  dualRule('dual-asset', 'Header and body share an asset.', checkAssets),
];
