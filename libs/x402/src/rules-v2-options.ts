import { assetShape, isBurnAddress, payToShape } from './address.ts';
import type { EntryFields } from './entry.ts';
import { readAmount } from './money.ts';
import { isV1Name } from './networks.ts';
import { hasDomain } from './payable.ts';
import { eachEntry, expect, type Outcome, type Rule } from './rule.ts';
import { quote } from './text.ts';
import { findToken } from './tokens.ts';
import type { CheckAxis, CheckSeverity } from './types.ts';

/** Source: CAIP-2. */
const CAIP2 = /^[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}$/;

function checkNetwork({ network }: EntryFields): Outcome {
  if (typeof network === 'string' && isV1Name(network)) return 'skip';
  const message = `network is ${quote(network)}; version 2 names networks by CAIP-2 ids such as eip155:8453.`;
  // The reference schema asks for no more than a colon, so a client may still know what is meant.
  const loose = typeof network === 'string' && network.length >= 3 && network.includes(':');
  return expect(
    typeof network === 'string' && CAIP2.test(network),
    message,
    loose ? { severity: 'warning' } : {},
  );
}

function checkAmount({ amount, maxAmountRequired }: EntryFields): Outcome {
  if (amount === undefined && maxAmountRequired !== undefined) return 'skip';
  const valid = typeof amount === 'string' && readAmount(amount) !== null;
  return expect(valid, `amount is ${quote(amount)}; it must be a decimal string of whole atomic units.`);
}

function checkNoMaxAmount({ amount, maxAmountRequired }: EntryFields): Outcome {
  if (maxAmountRequired === undefined) return 'pass';
  return amount === undefined
    ? { message: 'maxAmountRequired is the name of version 1; version 2 clients read amount.' }
    : {
        message: 'maxAmountRequired stands beside amount; leave the version 1 name out.',
        severity: 'warning',
      };
}

function checkAssetShape({ network, asset }: EntryFields): Outcome {
  if (typeof asset !== 'string' || asset === '')
    return { message: `asset is ${quote(asset)}; it must name a token.` };
  const shape = typeof network === 'string' ? assetShape(network, asset) : 'unknown';
  if (shape === 'unknown') return 'skip';
  if (shape === 'ok') return 'pass';
  return shape === 'caip19'
    ? {
        message: `asset is the CAIP-19 id ${quote(asset)}; clients expect the bare address.`,
        severity: 'warning',
      }
    : { message: `asset is ${quote(asset)}, which is no token address on ${quote(network)}.` };
}

function checkAssetDefault({ scheme, network, asset }: EntryFields): Outcome {
  if (scheme !== 'exact' || typeof network !== 'string' || typeof asset !== 'string') return 'skip';
  if (assetShape(network, asset) !== 'ok') return 'skip';
  const known = findToken(network, asset)?.clientDefault === true;
  return expect(known, `Clients do not pay in ${quote(asset)} on ${quote(network)} unless told to trust it.`);
}

function checkPayToShape({ scheme, network, payTo }: EntryFields): Outcome {
  if (typeof payTo !== 'string' || payTo === '')
    return { message: `payTo is ${quote(payTo)}; it must name the payee.` };
  // Schemes other than exact may name the payee by a role, such as "merchant".
  if (scheme !== 'exact' || typeof network !== 'string') return 'skip';
  const shape = payToShape(network, payTo);
  if (shape === 'unknown') return 'skip';
  return expect(shape === 'ok', `payTo is ${quote(payTo)}, which is no address on ${quote(network)}.`);
}

function signsDomain({ scheme, network, extra }: EntryFields): boolean {
  const method = extra?.assetTransferMethod;
  const isEip3009 = method === undefined || method === null || method === 'eip3009';
  return scheme === 'exact' && typeof network === 'string' && network.startsWith('eip155:') && isEip3009;
}

function checkDomain(fields: EntryFields): Outcome {
  if (!signsDomain(fields)) return 'skip';
  return expect(
    hasDomain(fields.extra),
    'extra lacks name or version of the token, without which nothing can be signed.',
  );
}

/** Shared with version 1: the domain an option names against the one its token has. */
export function checkDomainValue({ extra }: EntryFields, network: string, asset: unknown): Outcome {
  const domain = typeof asset === 'string' ? findToken(network, asset)?.domain : null;
  if (!domain || !hasDomain(extra)) return 'skip';
  return expect(
    extra?.name === domain.name && extra.version === domain.version,
    `extra says ${quote(extra?.name)} version ${quote(extra?.version)}; the token signs as "${domain.name}" version "${domain.version}".`,
  );
}

function optionRule(
  [id, axis, severity]: readonly [string, CheckAxis, CheckSeverity],
  holds: string,
  judge: (fields: EntryFields) => Outcome,
): Rule {
  return { id, axis, severity, holds, check: ({ v2 }) => eachEntry(v2, ({ fields }) => judge(fields)) };
}

/** Rules on each way to pay of version 2. Sources: x402 v2 specification 5.1.2, exact EVM scheme, @x402/core and evm 2.25. */
export const V2_OPTION_RULES: readonly Rule[] = [
  optionRule(['v2-scheme', 'payable', 'error'], 'Every option names a scheme.', ({ scheme }) =>
    expect(
      typeof scheme === 'string' && scheme !== '',
      `scheme is ${quote(scheme)}; it must be text such as "exact".`,
    ),
  ),
  optionRule(['v2-network-caip2', 'payable', 'error'], 'Every network is a CAIP-2 id.', checkNetwork),
  optionRule(
    ['v2-network-not-v1-name', 'payable', 'error'],
    'No network goes by its version 1 name.',
    ({ network }) => {
      if (typeof network !== 'string') return 'skip';
      return expect(
        !isV1Name(network),
        `network is ${quote(network)}, a name of version 1; use its CAIP-2 id.`,
      );
    },
  ),
  optionRule(
    ['v2-amount-string', 'payable', 'error'],
    'Every amount is a string of atomic units.',
    checkAmount,
  ),
  optionRule(['v2-amount-positive', 'payable', 'error'], 'Every amount is more than zero.', ({ amount }) => {
    const units = typeof amount === 'string' ? readAmount(amount) : null;
    return units === null
      ? 'skip'
      : expect(units > 0n, 'amount is 0; an option that costs nothing cannot be settled.');
  }),
  optionRule(
    ['v2-no-max-amount', 'payable', 'error'],
    'No option uses the version 1 name of amount.',
    checkNoMaxAmount,
  ),
  optionRule(
    ['v2-asset-shape', 'payable', 'error'],
    'Every asset is an address of its network.',
    checkAssetShape,
  ),
  optionRule(
    ['v2-asset-default', 'payable', 'warning'],
    'Clients pay in every asset by default.',
    checkAssetDefault,
  ),
  optionRule(
    ['v2-payto-shape', 'payable', 'error'],
    'Every payTo is an address of its network.',
    checkPayToShape,
  ),
  optionRule(['v2-payto-burn', 'payable', 'error'], 'No payTo destroys what it is paid.', ({ payTo }) => {
    if (typeof payTo !== 'string') return 'skip';
    return expect(!isBurnAddress(payTo), `payTo is ${quote(payTo)}, from which nobody can spend.`);
  }),
  optionRule(
    ['v2-timeout-number', 'payable', 'error'],
    'Every timeout is a positive number.',
    ({ maxTimeoutSeconds }) =>
      expect(
        typeof maxTimeoutSeconds === 'number' && maxTimeoutSeconds > 0,
        `maxTimeoutSeconds is ${quote(maxTimeoutSeconds)}; it must be a number above zero.`,
      ),
  ),
  optionRule(
    ['v2-eip712-domain', 'payable', 'error'],
    'Every option that is signed names its EIP-712 domain.',
    checkDomain,
  ),
  optionRule(
    ['v2-eip712-domain-value', 'payable', 'error'],
    'The EIP-712 domain is the one the token has.',
    (fields) => {
      if (!signsDomain(fields) || typeof fields.network !== 'string') return 'skip';
      return checkDomainValue(fields, fields.network, fields.asset);
    },
  ),
];
