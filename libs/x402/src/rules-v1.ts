import { isBase58Address, isEvmAddress } from './address.ts';
import type { EntryFields } from './entry.ts';
import { readAmount } from './money.ts';
import { caip2Of, isInV1Client } from './networks.ts';
import { hasDomain } from './payable.ts';
import { namesRequest, parseUrl } from './resource-url.ts';
import { eachEntry, expect, type Outcome, type Rule, type Subject } from './rule.ts';
import { checkDomainValue } from './rules-v2-options.ts';
import { quote } from './text.ts';
import type { CheckAxis, CheckSeverity } from './types.ts';
import { parsesInV1Client } from './v1-entry.ts';

type Head = readonly [id: string, axis: CheckAxis, severity: CheckSeverity];

function checkBodyJson({ header, body, v1, headers }: Subject): Outcome {
  if (v1 !== null) return 'pass';
  const type = (headers.get('content-type') ?? []).join().toLowerCase();
  // Beside a header the body is free; without one, a body that calls itself JSON was meant to be the envelope.
  if (header.state !== 'absent' || body.state !== 'unreadable' || !type.includes('json')) return 'skip';
  return {
    message: 'The body is declared as JSON and is no JSON object, so no envelope can be read from it.',
  };
}

function envelopeRule(
  [id, axis, severity]: Head,
  holds: string,
  judge: (v1: NonNullable<Subject['v1']>) => Outcome,
): Rule {
  return { id, axis, severity, holds, check: ({ v1 }) => (v1 === null ? 'skip' : judge(v1)) };
}

function optionRule(
  [id, axis, severity]: Head,
  holds: string,
  judge: (fields: EntryFields) => Outcome,
): Rule {
  return { id, axis, severity, holds, check: ({ v1 }) => eachEntry(v1, ({ fields }) => judge(fields)) };
}

function isCaip2(network: unknown): boolean {
  return typeof network === 'string' && network.includes(':');
}

function checkNetwork({ network }: EntryFields): Outcome {
  if (isCaip2(network)) return 'skip';
  return expect(
    typeof network === 'string' && isInV1Client(network),
    `network is ${quote(network)}, which is not among the names the version 1 client accepts.`,
  );
}

function checkAmount({ maxAmountRequired }: EntryFields): Outcome {
  return expect(
    typeof maxAmountRequired === 'string' && readAmount(maxAmountRequired) !== null,
    `maxAmountRequired is ${quote(maxAmountRequired)}; it must be a decimal string of whole atomic units.`,
  );
}

function checkAmountPositive({ maxAmountRequired }: EntryFields): Outcome {
  const amount = typeof maxAmountRequired === 'string' ? readAmount(maxAmountRequired) : null;
  return amount === null ? 'skip' : expect(amount > 0n, 'maxAmountRequired is 0; nothing would be settled.');
}

function checkResourceUrl({ resource }: EntryFields, requestedUrl: string): Outcome {
  const advertised = parseUrl(resource);
  if (advertised === null) return { message: `resource is ${quote(resource)}; it must be an absolute URL.` };
  const requested = parseUrl(requestedUrl);
  if (requested === null) return 'pass';
  const message = `resource is ${quote(resource)}, not the URL that was requested.`;
  return expect(namesRequest(advertised, requested, null), message, { severity: 'warning' });
}

/** A text the version 1 client must find, though it may be empty. */
function checkText(name: string, value: unknown): Outcome {
  if (typeof value !== 'string')
    return { message: `${name} is ${quote(value)}; version 1 clients cannot do without.` };
  return expect(value !== '', `${name} is empty.`, { severity: 'warning' });
}

function isEvm({ network }: EntryFields): boolean {
  return typeof network === 'string' && caip2Of(network).startsWith('eip155:');
}

function checkAddress(name: string, value: unknown, fields: EntryFields): Outcome {
  const valid = isEvm(fields) ? isEvmAddress(value) : isEvmAddress(value) || isBase58Address(value);
  return expect(valid, `${name} is ${quote(value)}, which is no address on ${quote(fields.network)}.`);
}

function checkDomain(fields: EntryFields): Outcome {
  if (fields.scheme !== 'exact' || !isEvm(fields)) return 'skip';
  return expect(
    hasDomain(fields.extra),
    'extra lacks name or version of the token, without which nothing can be signed.',
  );
}

function checkDomainOfToken(fields: EntryFields): Outcome {
  if (typeof fields.network !== 'string' || !isEvm(fields)) return 'skip';
  return checkDomainValue(fields, caip2Of(fields.network), fields.asset);
}

/** Rules on a version 1 body; all are skipped when the body attempts none. Sources: x402 v1 specification, x402 1.2. */
export const V1_RULES: readonly Rule[] = [
  {
    id: 'v1-body-json',
    axis: 'payable',
    severity: 'error',
    holds: 'A body meant as the envelope is a JSON object.',
    check: checkBodyJson,
  },
  envelopeRule(['v1-version', 'payable', 'error'], 'x402Version is the number 1.', ({ fields }) =>
    expect(fields.x402Version === 1, `x402Version is ${quote(fields.x402Version)}; it must be the number 1.`),
  ),
  envelopeRule(['v1-error', 'hygiene', 'warning'], 'error is absent or text.', ({ fields: { error } }) =>
    expect(error === undefined || typeof error === 'string', `error is ${quote(error)}; it must be text.`),
  ),
  envelopeRule(['v1-accepts-nonempty', 'payable', 'error'], 'accepts offers a way to pay.', ({ entries }) =>
    expect(entries.length > 0, 'accepts is no list or an empty one: nothing can be paid.'),
  ),
  envelopeRule(
    ['v1-all-entries-parse', 'payable', 'error'],
    'Version 1 clients can parse every option.',
    (v1) => {
      const bad = v1.entries.filter((entry) => entry === null || !parsesInV1Client(entry.raw)).length;
      const share = `${String(bad)} of ${String(v1.entries.length)} options`;
      return v1.entries.length === 0
        ? 'skip'
        : expect(bad === 0, `Version 1 clients cannot parse ${share}, so they pay none.`);
    },
  ),
  optionRule(['v1-scheme-exact', 'payable', 'error'], 'Every scheme is "exact".', ({ scheme }) =>
    expect(scheme === 'exact', `scheme is ${quote(scheme)}; version 1 knows "exact" only.`),
  ),
  optionRule(
    ['v1-network-enum', 'payable', 'error'],
    'Every network is one version 1 clients know.',
    checkNetwork,
  ),
  optionRule(['v1-network-not-caip2', 'payable', 'error'], 'No network is a CAIP-2 id.', ({ network }) =>
    expect(
      !isCaip2(network),
      `network is ${quote(network)}, an id of version 2; version 1 uses names such as "base".`,
    ),
  ),
  optionRule(
    ['v1-max-amount', 'payable', 'error'],
    'Every maxAmountRequired is a string of atomic units.',
    checkAmount,
  ),
  optionRule(
    ['v1-amount-positive', 'payable', 'error'],
    'Every amount is more than zero.',
    checkAmountPositive,
  ),
  {
    id: 'v1-resource-url',
    axis: 'payable',
    severity: 'error',
    holds: 'Every resource is the absolute URL that was requested.',
    check: ({ v1, url }) => eachEntry(v1, ({ fields }) => checkResourceUrl(fields, url)),
  },
  optionRule(['v1-description', 'payable', 'error'], 'Every option is described.', ({ description }) =>
    checkText('description', description),
  ),
  optionRule(
    ['v1-mimetype', 'payable', 'error'],
    'Every option names the type of the answer.',
    ({ mimeType }) => checkText('mimeType', mimeType),
  ),
  optionRule(['v1-payto', 'payable', 'error'], 'Every payTo is an address of its network.', (fields) =>
    checkAddress('payTo', fields.payTo, fields),
  ),
  optionRule(['v1-asset', 'payable', 'error'], 'Every asset is an address of its network.', (fields) =>
    checkAddress('asset', fields.asset, fields),
  ),
  optionRule(
    ['v1-timeout', 'payable', 'error'],
    'Every timeout is a whole number of seconds.',
    ({ maxTimeoutSeconds }) =>
      expect(
        Number.isSafeInteger(maxTimeoutSeconds) && Number(maxTimeoutSeconds) > 0,
        `maxTimeoutSeconds is ${quote(maxTimeoutSeconds)}; it must be a whole number above zero.`,
      ),
  ),
  optionRule(
    ['v1-eip712-domain', 'payable', 'error'],
    'Every option on EVM names its EIP-712 domain.',
    checkDomain,
  ),
  optionRule(
    ['v1-eip712-domain-value', 'payable', 'error'],
    'The EIP-712 domain is the one the token has.',
    checkDomainOfToken,
  ),
];
