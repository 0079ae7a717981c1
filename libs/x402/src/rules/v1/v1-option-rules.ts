import { isJsonObject } from '@touchstone/common';
import { listDomainFaults } from '../../clients/signing.ts';
import type { Entry } from '../../challenge/envelope.ts';
import { readMember, quote } from '../../json/untrusted-json.ts';
import { parseAmount } from '../../networks/money.ts';
import { isInV1Client } from '../../networks/networks.ts';
import { matchesAnyRequest, parseUrl } from '../../urls/resource-url.ts';
import {
  checkEachEntry,
  checkEachV1Option,
  listRequestUrls,
  passIf,
  type Outcome,
  type Rule,
} from '../rule.ts';
import { checkSupply } from '../v2/option-rules.ts';
import { checkTimeout } from '../v2/asset-payee-rules.ts';
import { completeV1Option, isOnEvm } from '../offered-options.ts';
import { checkAsset, checkPayTo } from './v1-address-checks.ts';
import { checkFeePayer, checkTokenDomain, describeMembers } from '../v2/signing-rules.ts';

function looksLikeCaip2(network: unknown): boolean {
  return typeof network === 'string' && network.includes(':');
}

function checkNetwork({ network }: Entry): Outcome {
  if (looksLikeCaip2(network)) return 'skip';
  return passIf(
    typeof network === 'string' && isInV1Client(network),
    () => `network is ${quote(network)}, which is not a network name that version 1 clients accept.`,
  );
}

function readUnits({ maxAmountRequired }: Entry): bigint | null {
  return typeof maxAmountRequired === 'string' ? parseAmount(maxAmountRequired) : null;
}

function checkAmount(fields: Entry): Outcome {
  const units = readUnits(fields);
  if (units !== null) return checkSupply(completeV1Option(fields), units);
  return {
    message: `maxAmountRequired is ${quote(fields.maxAmountRequired)}; it must be a decimal string of whole atomic units.`,
  };
}

function checkAmountPositive(fields: Entry): Outcome {
  const units = readUnits(fields);
  return units === null
    ? 'skip'
    : passIf(
        units > 0n,
        'maxAmountRequired is 0. Clients sign this payment and it settles, but it pays nothing.',
      );
}

/**
 * Checks that a resource is the requested URL, with https. The rule `http-https` reports an http resource that was also
 * requested over http.
 */
function checkResourceUrl({ resource }: Entry, urls: readonly [string, ...string[]]): Outcome {
  const advertised = parseUrl(resource);
  if (advertised === null) return { message: `resource is ${quote(resource)}; it must be an absolute URL.` };
  const requested = parseUrl(urls[0]);
  const isPlain = advertised.protocol === 'http:' && requested?.protocol !== 'http:';
  const compared = new URL(advertised);
  if (isPlain && requested !== null) compared.protocol = requested.protocol;
  const faults = [
    ...(requested === null || matchesAnyRequest(compared, urls, null)
      ? []
      : ['does not match the requested URL']),
    ...(isPlain ? ['should use https'] : []),
  ];
  return passIf(faults.length === 0, () => `resource is ${quote(resource)}, which ${faults.join(' and ')}.`, {
    severity: 'warning',
    axis: 'hygiene',
  });
}

/** Checks a member that version 1 clients require as a string. An empty string is only a warning. */
function checkRequiredText(name: string, value: unknown): Outcome {
  if (typeof value !== 'string')
    return { message: `${name} is ${quote(value)}; version 1 clients require a string.` };
  return passIf(value.trim() !== '', () => `${name} is empty.`, { severity: 'warning', axis: 'hygiene' });
}

/** Returns true for an option that is paid by an EIP-3009 authorization, if its scheme and network are corrected. */
export function isPayableOnEvm(fields: Entry): boolean {
  return isOnEvm(completeV1Option(fields));
}

function checkDomain(entry: Entry): Outcome {
  if (!isPayableOnEvm(entry)) return 'skip';
  const { extra } = entry;
  const faults = listDomainFaults(extra);
  if (faults.length === 0) return 'pass';
  const effect =
    extra === undefined || isJsonObject(extra)
      ? 'version 1 clients sign all the same, but facilitators and the token contract reject the payment'
      : 'version 1 clients reject the whole list';
  return {
    message: `${describeMembers(faults)}; the domain of the token needs a name and a version as strings. As it is, ${effect}.`,
  };
}

function checkDomainValue(fields: Entry): Outcome {
  return isPayableOnEvm(fields) ? checkTokenDomain(completeV1Option(fields)) : 'skip';
}

/** Checks `outputSchema`. The rule `v1-all-entries-parse` reports a value that is not an object. */
function checkOutputSchema({ outputSchema }: Entry): Outcome {
  if (outputSchema === undefined)
    return { message: 'outputSchema is missing; directories read from it how to call the resource.' };
  if (!isJsonObject(outputSchema)) return 'skip';
  const input = readMember(outputSchema, 'input');
  if (!isJsonObject(input))
    return {
      message: `outputSchema.input is ${quote(input)}; it should be an object with the type http, the method and its parameters.`,
    };
  const optsOut = readMember(input, 'discoverable') === false;
  return passIf(
    !optsOut,
    'outputSchema.input.discoverable is false, so directories do not list the resource.',
    {
      severity: 'info',
    },
  );
}

/** Rules for each payment option of version 1. */
export const V1_OPTION_RULES: readonly Rule[] = [
  {
    id: 'v1-scheme-exact',
    level: ['payable', 'error'],
    requirement: 'Every scheme is "exact".',
    fix: 'Set scheme to "exact", the only scheme of version 1.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: checkEachV1Option(({ scheme }) =>
      passIf(scheme === 'exact', () => `scheme is ${quote(scheme)}; version 1 supports only "exact".`),
    ),
  },
  {
    id: 'v1-network-enum',
    level: ['payable', 'error'],
    requirement: 'Every network is supported by version 1 clients.',
    fix: 'Use a network name that version 1 clients support, such as "base". Offer other networks in version 2.',
    reference: { source: 'V1_CLIENT', clause: 'NetworkSchema' },
    check: checkEachV1Option(checkNetwork),
  },
  {
    id: 'v1-network-not-caip2',
    level: ['payable', 'error'],
    requirement: 'Every network is written as a version 1 name, not as a CAIP-2 id.',
    fix: 'Replace the CAIP-2 id with the version 1 name of the network, such as "base" for eip155:8453. Offer a network without such a name in version 2.',
    reference: { source: 'V1', clause: '5.1.2, network' },
    check: checkEachV1Option(({ network }) =>
      passIf(
        !looksLikeCaip2(network),
        () => `network is ${quote(network)}, a version 2 id; version 1 uses names such as "base".`,
      ),
    ),
  },
  {
    id: 'v1-max-amount',
    level: ['payable', 'error'],
    requirement:
      'Every maxAmountRequired is a decimal string of whole atomic units, and at most the supply of the token.',
    fix: 'Write maxAmountRequired as a string of decimal digits, in atomic units of the token.',
    reference: { source: 'V1', clause: '5.1.2, maxAmountRequired' },
    check: checkEachV1Option(checkAmount),
  },
  {
    id: 'v1-amount-positive',
    level: ['payable', 'warning'],
    requirement: 'Every amount is greater than zero.',
    fix: 'Request at least one atomic unit, or serve the resource without a challenge.',
    check: checkEachV1Option(checkAmountPositive),
  },
  {
    id: 'v1-resource-url',
    level: ['payable', 'error'],
    requirement: 'Every resource is the requested URL: absolute and with https.',
    fix: 'Set resource to the public https URL that buyers request.',
    reference: { source: 'V1', clause: '5.1.2, resource' },
    check: (input) => {
      const urls = listRequestUrls(input);
      return checkEachEntry(input.v1, (entry) => checkResourceUrl(entry, urls));
    },
  },
  {
    id: 'v1-description',
    level: ['payable', 'error'],
    requirement: 'Every option has a description.',
    fix: 'Set description to a sentence about the sold resource.',
    reference: { source: 'V1', clause: '5.1.2, description' },
    check: checkEachV1Option(({ description }) => checkRequiredText('description', description)),
  },
  {
    id: 'v1-mimetype',
    level: ['payable', 'error'],
    requirement: 'Every option has the content type of the paid response.',
    fix: 'Set mimeType to the content type of the paid response, such as application/json.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: checkEachV1Option(({ mimeType }) => checkRequiredText('mimeType', mimeType)),
  },
  {
    id: 'v1-payto',
    level: ['payable', 'error'],
    requirement: 'Every payTo is an address on its network whose owner can spend the payment.',
    fix: 'Set payTo to the address of the seller on that network, in lower case or with its checksum.',
    reference: { source: 'V1', clause: '5.1.2, payTo' },
    check: checkEachV1Option(checkPayTo),
  },
  {
    id: 'v1-asset',
    level: ['payable', 'error'],
    requirement: 'Every asset is a token address on its network.',
    fix: 'Set asset to the contract address or mint of the token on that network, not to its symbol.',
    reference: { source: 'V1', clause: '5.1.2, asset' },
    check: checkEachV1Option(checkAsset),
  },
  {
    id: 'v1-timeout',
    level: ['payable', 'error'],
    requirement: 'Every timeout is a positive whole number of seconds.',
    fix: 'Set maxTimeoutSeconds to a JSON number of whole seconds, such as 60.',
    reference: { source: 'V1_CLIENT', clause: 'PaymentRequirementsSchema' },
    check: checkEachV1Option(checkTimeout),
  },
  {
    id: 'v1-eip712-domain',
    level: ['payable', 'error'],
    requirement: 'Every option on an EVM network names the EIP-712 domain of its token.',
    fix: 'Set extra.name and extra.version to the EIP-712 domain of the token contract.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: checkEachV1Option(checkDomain),
  },
  {
    id: 'v1-eip712-domain-value',
    level: ['payable', 'error'],
    requirement: 'The EIP-712 domain in extra is the domain of the token contract.',
    fix: 'Copy extra.name and extra.version from name() and version() of the token contract on that network.',
    reference: { source: 'EXACT_EVM', clause: '1, extra' },
    check: checkEachV1Option(checkDomainValue),
  },
  {
    id: 'v1-svm-fee-payer',
    level: ['payable', 'error'],
    requirement: 'Every option on Solana names the account that pays the fees.',
    fix: 'Set extra.feePayer to the Solana address of the facilitator that sponsors the transaction.',
    reference: { source: 'EXACT_SVM', clause: 'PaymentRequirements' },
    check: checkEachV1Option((fields) => checkFeePayer(completeV1Option(fields))),
  },
  {
    id: 'v1-output-schema',
    level: ['discoverable', 'warning'],
    requirement: 'Every option tells directories how to call the resource.',
    fix: 'Set outputSchema.input to an object with type, method and parameters, such as {"type":"http","method":"GET"}. Do not set discoverable to false.',
    reference: { source: 'V1', clause: '5.1.2, outputSchema' },
    // If the response has a version 2 envelope, directories read its discovery extension and ignore `outputSchema`.
    check: ({ v1, v2 }) => (v2 === null ? checkEachEntry(v1, checkOutputSchema) : 'skip'),
  },
];
