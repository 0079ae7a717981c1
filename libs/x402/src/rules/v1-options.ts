import { assetShape, isBase58Address, isBurnAddress, isEvmAddress, payToShape } from '../address.ts';
import { hasDomain } from '../domain.ts';
import type { EntryFields } from '../entry.ts';
import { isObject } from '../is-object.ts';
import { member } from '../member.ts';
import { readAmount } from '../money.ts';
import { caip2Of, isInV1Client } from '../networks.ts';
import { namesRequest, parseUrl } from '../resource-url.ts';
import { eachEntry, eachV1, expect, type Outcome, type Rule } from './rule.ts';
import { paysTheToken } from './v2-money.ts';
import { checkDomainOfToken } from './v2-signing.ts';
import { quote } from '../text.ts';

function looksLikeCaip2(network: unknown): boolean {
  return typeof network === 'string' && network.includes(':');
}

function checkNetwork({ network }: EntryFields): Outcome {
  if (looksLikeCaip2(network)) return 'skip';
  return expect(
    typeof network === 'string' && isInV1Client(network),
    () => `network is ${quote(network)}, which is not among the names the version 1 client accepts.`,
  );
}

function unitsOf({ maxAmountRequired }: EntryFields): bigint | null {
  return typeof maxAmountRequired === 'string' ? readAmount(maxAmountRequired) : null;
}

function checkAmountPositive(fields: EntryFields): Outcome {
  const units = unitsOf(fields);
  return units === null ? 'skip' : expect(units > 0n, 'maxAmountRequired is 0; nothing would be settled.');
}

function checkResourceUrl({ resource }: EntryFields, requestedUrl: string): Outcome {
  const advertised = parseUrl(resource);
  if (advertised === null) return { message: `resource is ${quote(resource)}; it must be an absolute URL.` };
  const requested = parseUrl(requestedUrl);
  if (requested !== null && !namesRequest(advertised, requested, null)) {
    const message = `resource is ${quote(resource)}, not the URL that was requested.`;
    return { message, severity: 'warning', axis: 'hygiene' };
  }
  return expect(
    advertised.protocol !== 'http:',
    () => `resource is ${quote(resource)}, which is not encrypted.`,
    {
      severity: 'warning',
      axis: 'hygiene',
    },
  );
}

/** A text the version 1 client must find, though it may be empty. */
function checkText(name: string, value: unknown): Outcome {
  if (typeof value !== 'string')
    return { message: `${name} is ${quote(value)}; version 1 clients cannot do without.` };
  return expect(value.trim() !== '', () => `${name} is empty.`, { severity: 'warning', axis: 'hygiene' });
}

/** The CAIP-2 id of a version 1 network; empty where it is no text. */
function networkOf({ network }: EntryFields): string {
  return typeof network === 'string' ? caip2Of(network) : '';
}

/** Of a network that is not known, either kind of address the client takes will do. */
function isAddress(text: string): boolean {
  return isEvmAddress(text) || isBase58Address(text);
}

function checkPayTo(fields: EntryFields): Outcome {
  const { payTo, asset } = fields;
  if (typeof payTo !== 'string' || payTo === '')
    return { message: `payTo is ${quote(payTo)}; it must name the payee.` };
  const network = networkOf(fields);
  const shape = payToShape(network, payTo);
  if (!(shape === 'unknown' ? isAddress(payTo) : shape === 'ok'))
    return { message: `payTo is ${quote(payTo)}, which is no address on ${quote(fields.network)}.` };
  if (isBurnAddress(payTo)) return { message: `payTo is ${quote(payTo)}, from which nobody can spend.` };
  return expect(
    !paysTheToken(payTo, network, asset),
    () => `payTo is ${quote(payTo)}, the token itself, which keeps what is sent to it.`,
  );
}

function checkAsset(fields: EntryFields): Outcome {
  const { asset } = fields;
  if (typeof asset !== 'string' || asset === '')
    return { message: `asset is ${quote(asset)}; it must name a token.` };
  const shape = assetShape(networkOf(fields), asset);
  return expect(
    shape === 'unknown' ? isAddress(asset) : shape === 'ok',
    () => `asset is ${quote(asset)}, which is no token address on ${quote(fields.network)}.`,
  );
}

function isExactOnEvm(fields: EntryFields): boolean {
  return fields.scheme === 'exact' && networkOf(fields).startsWith('eip155:');
}

function checkDomain(fields: EntryFields): Outcome {
  if (!isExactOnEvm(fields)) return 'skip';
  return expect(
    hasDomain(fields.extra),
    'extra lacks name or version of the token as text; the version 1 client signs without them, and the token refuses the signature.',
  );
}

function checkDomainValue(fields: EntryFields): Outcome {
  return isExactOnEvm(fields) ? checkDomainOfToken(fields, networkOf(fields), fields.asset) : 'skip';
}

function checkOutputSchema({ outputSchema }: EntryFields): Outcome {
  if (!isObject(outputSchema))
    return {
      message: `outputSchema is ${quote(outputSchema)}; directories read from it how to call the resource.`,
    };
  const input = member(outputSchema, 'input');
  if (!isObject(input))
    return {
      message: `outputSchema.input is ${quote(input)}; directories need an object with the type http, the method and its parameters.`,
    };
  const optsOut = member(input, 'discoverable') === false;
  return expect(
    !optsOut,
    'outputSchema.input.discoverable is false, so directories leave the resource out.',
    {
      severity: 'info',
    },
  );
}

/** Rules on each way to pay of version 1. */
export const V1_OPTION_RULES: readonly Rule[] = [
  {
    id: 'v1-scheme-exact',
    axis: 'payable',
    severity: 'error',
    holds: 'Every scheme is "exact".',
    fix: 'Set scheme to "exact", the only one of version 1.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: eachV1(({ scheme }) =>
      expect(scheme === 'exact', () => `scheme is ${quote(scheme)}; version 1 knows "exact" only.`),
    ),
  },
  {
    id: 'v1-network-enum',
    axis: 'payable',
    severity: 'error',
    holds: 'Every network is one version 1 clients know.',
    fix: 'Use a network name of the version 1 client, such as "base", and offer other networks by version 2.',
    reference: { source: 'V1_CLIENT', clause: 'NetworkSchema' },
    check: eachV1(checkNetwork),
  },
  {
    id: 'v1-network-not-caip2',
    axis: 'payable',
    severity: 'error',
    holds: 'No network is a CAIP-2 id.',
    fix: 'Replace the CAIP-2 id by the name version 1 has for the network, such as "base" for eip155:8453.',
    reference: { source: 'V1', clause: '5.1.2, network' },
    check: eachV1(({ network }) =>
      expect(
        !looksLikeCaip2(network),
        () => `network is ${quote(network)}, an id of version 2; version 1 uses names such as "base".`,
      ),
    ),
  },
  {
    id: 'v1-max-amount',
    axis: 'payable',
    severity: 'error',
    holds: 'Every maxAmountRequired is a string of whole atomic units.',
    fix: 'Write maxAmountRequired as a string of decimal digits in atomic units of the token.',
    reference: { source: 'V1', clause: '5.1.2, maxAmountRequired' },
    check: eachV1((fields) =>
      expect(
        unitsOf(fields) !== null,
        () =>
          `maxAmountRequired is ${quote(fields.maxAmountRequired)}; it must be a decimal string of whole atomic units.`,
      ),
    ),
  },
  {
    id: 'v1-amount-positive',
    axis: 'payable',
    severity: 'error',
    holds: 'Every amount is more than zero.',
    fix: 'Ask for at least one atomic unit, or serve the resource without a challenge.',
    reference: { source: 'HOUSE', clause: '' },
    check: eachV1(checkAmountPositive),
  },
  {
    id: 'v1-resource-url',
    axis: 'payable',
    severity: 'error',
    holds: 'Every resource is the absolute URL that was requested, over HTTPS.',
    fix: 'Set resource to the public https URL buyers request.',
    reference: { source: 'V1', clause: '5.1.2, resource' },
    check: ({ v1, url }) => eachEntry(v1, ({ fields }) => checkResourceUrl(fields, url)),
  },
  {
    id: 'v1-description',
    axis: 'payable',
    severity: 'error',
    holds: 'Every option is described.',
    fix: 'Set description to a sentence on what is sold.',
    reference: { source: 'V1', clause: '5.1.2, description' },
    check: eachV1(({ description }) => checkText('description', description)),
  },
  {
    id: 'v1-mimetype',
    axis: 'payable',
    severity: 'error',
    holds: 'Every option names the type of the answer.',
    fix: 'Set mimeType to the content type of the paid answer, such as application/json.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: eachV1(({ mimeType }) => checkText('mimeType', mimeType)),
  },
  {
    id: 'v1-payto',
    axis: 'payable',
    severity: 'error',
    holds: 'Every payTo is an address of its network from which money can be spent.',
    fix: 'Set payTo to the wallet of the seller on that network.',
    reference: { source: 'V1', clause: '5.1.2, payTo' },
    check: eachV1(checkPayTo),
  },
  {
    id: 'v1-asset',
    axis: 'payable',
    severity: 'error',
    holds: 'Every asset is a token address of its network.',
    fix: 'Set asset to the contract address or mint of the token, not to its symbol.',
    reference: { source: 'V1', clause: '5.1.2, asset' },
    check: eachV1(checkAsset),
  },
  {
    id: 'v1-timeout',
    axis: 'payable',
    severity: 'error',
    holds: 'Every timeout is a whole number of seconds.',
    fix: 'Set maxTimeoutSeconds to a JSON number of whole seconds, such as 60.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: eachV1(({ maxTimeoutSeconds }) =>
      expect(
        Number.isSafeInteger(maxTimeoutSeconds) && Number(maxTimeoutSeconds) > 0,
        () => `maxTimeoutSeconds is ${quote(maxTimeoutSeconds)}; it must be a whole number above zero.`,
      ),
    ),
  },
  {
    id: 'v1-eip712-domain',
    axis: 'payable',
    severity: 'error',
    holds: 'Every option on EVM names its EIP-712 domain.',
    fix: 'Set extra.name and extra.version to the EIP-712 domain of the token contract.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: eachV1(checkDomain),
  },
  {
    id: 'v1-eip712-domain-value',
    axis: 'payable',
    severity: 'error',
    holds: 'The EIP-712 domain is the one the token has.',
    fix: 'Copy extra.name and extra.version from the name() and version() of the token on that network.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: eachV1(checkDomainValue),
  },
  {
    id: 'v1-output-schema',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'Every option tells directories how the resource is called.',
    fix: 'Set outputSchema.input to an object with type, method and parameters, as {"type":"http","method":"GET"}, and let it be discoverable.',
    reference: { source: 'V1', clause: '5.1.2, outputSchema' },
    // Beside a version 2 header directories read its discovery extension, which has rules of its own.
    check: ({ v1, v2 }) => (v2 === null ? eachEntry(v1, ({ fields }) => checkOutputSchema(fields)) : 'skip'),
  },
];
