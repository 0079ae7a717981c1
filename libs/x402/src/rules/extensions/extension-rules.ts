import { isJsonObject } from '@touchstone/common';
import { readMember, quote } from '../../json/untrusted-json.ts';
import { parseUrl } from '../../urls/resource-url.ts';
import {
  checkV2Envelope,
  listRequestUrls,
  passIf,
  type Outcome,
  type Rule,
  type RuleInput,
} from '../rule.ts';

/** Maximum number of entries of `extensions` that are checked. */
const MAX_EXTENSIONS = 64;
const BUILDER_CODE = /^[a-z0-9_]{1,32}$/;
const MAX_SERVICE_CODES = 5;
const PAYMENT_ID = /^[a-zA-Z0-9_-]{16,128}$/;

/** Creates a check of the `info` object of one extension. The check skips responses without that object. */
function checkExtensionInfo(key: string, check: (info: object, input: RuleInput) => Outcome): Rule['check'] {
  return (input) => {
    const info = readMember(readMember(input.v2?.fields.extensions, key), 'info');
    return isJsonObject(info) ? check(info, input) : 'skip';
  };
}

/** Checks that every extension has the objects `info` and `schema`. The bazaar extension has separate rules. */
function checkInfoAndSchema(extensions: unknown): Outcome {
  if (!isJsonObject(extensions)) return 'skip';
  const others = Object.entries(extensions)
    .slice(0, MAX_EXTENSIONS)
    .filter(([key]) => key !== 'bazaar');
  if (others.length === 0) return 'skip';
  const incomplete = others.find(
    ([, extension]) =>
      !isJsonObject(readMember(extension, 'info')) || !isJsonObject(readMember(extension, 'schema')),
  );
  return passIf(
    incomplete === undefined,
    () => `The extension ${quote(incomplete?.[0])} lacks info or schema; both should be objects.`,
  );
}

/**
 * Checks that the domain and URI of a sign-in match the URL of the response, after all redirects. If the domain or the URI differs, the reference
 * client throws before it pays. Source: @x402/extensions, `assertSIWxChallengeBoundToOrigin`.
 */
function checkSignIn(info: object, input: RuleInput): Outcome {
  const requested = parseUrl(listRequestUrls(input).at(-1));
  if (requested === null) return 'skip';
  const domain = readMember(info, 'domain');
  if (domain !== requested.host) {
    return {
      message: `The sign-in is for the domain ${quote(domain)}, not for the requested host; clients refuse to sign it.`,
    };
  }
  const uri = readMember(info, 'uri');
  return passIf(
    parseUrl(uri)?.origin === requested.origin,
    () =>
      `The sign-in is for the URI ${quote(uri)}, not for the requested origin; clients refuse to sign it.`,
  );
}

function checkPaymentIdentifier(info: object): Outcome {
  const required = readMember(info, 'required');
  if (typeof required !== 'boolean') {
    return {
      message: `payment-identifier.info.required is ${quote(required)}; it should be true or false.`,
    };
  }
  const id = readMember(info, 'id');
  return passIf(
    id === undefined || (typeof id === 'string' && PAYMENT_ID.test(id)),
    () =>
      `payment-identifier.info.id is ${quote(id)}; it should be 16 to 128 letters, digits, hyphens or underscores.`,
  );
}

function checkBuilderCode(info: object): Outcome {
  const services = [readMember(info, 's') ?? []].flat();
  if (services.length > MAX_SERVICE_CODES) {
    return { message: 'builder-code.info.s lists more than five codes; a server should list at most five.' };
  }
  const codes = [readMember(info, 'a'), readMember(info, 'w'), ...services].filter(
    (code) => code !== undefined,
  );
  const wrong = codes.find((code) => typeof code !== 'string' || !BUILDER_CODE.test(code));
  return passIf(
    wrong === undefined,
    () =>
      `builder-code contains the code ${quote(wrong)}; codes should be 1 to 32 lower-case letters, digits or underscores.`,
  );
}

/** Rules for the extensions of a version 2 challenge. `BAZAAR_RULES` contains the rules for the discovery extension. */
export const EXTENSION_RULES: readonly Rule[] = [
  {
    id: 'ext-object',
    level: ['hygiene', 'error'],
    requirement: 'extensions, if present, is an object.',
    fix: 'Send extensions as an object that maps each key to its extension, or omit it.',
    reference: { source: 'V2', clause: '5.1.2, Extensions' },
    check: checkV2Envelope(({ fields: { extensions } }) =>
      extensions === undefined || extensions === null
        ? 'skip'
        : passIf(isJsonObject(extensions), () => `extensions is ${quote(extensions)}; it must be an object.`),
    ),
  },
  {
    id: 'ext-info-schema',
    level: ['hygiene', 'warning'],
    requirement: 'Every extension has an info object and a schema for it.',
    fix: 'Give every extension an info object and a JSON Schema for it.',
    reference: { source: 'V2', clause: '5.1.2, Extensions' },
    check: checkV2Envelope(({ fields }) => checkInfoAndSchema(fields.extensions)),
  },
  {
    id: 'siwx-domain',
    level: ['payable', 'error'],
    requirement: 'A sign-in is for the requested host.',
    fix: 'Configure the sign-in with the public origin of the service, including the port.',
    reference: { source: 'SIWX', clause: 'Validate Message Fields' },
    check: checkExtensionInfo('sign-in-with-x', checkSignIn),
  },
  {
    id: 'payment-identifier-shape',
    level: ['hygiene', 'warning'],
    requirement: 'payment-identifier states whether an identifier is required.',
    fix: 'Set info.required of payment-identifier to true or false, and let the buyer set info.id.',
    reference: { source: 'PAYMENT_ID', clause: 'PaymentRequired' },
    check: checkExtensionInfo('payment-identifier', checkPaymentIdentifier),
  },
  {
    id: 'builder-code-shape',
    level: ['hygiene', 'warning'],
    requirement: 'builder-code contains codes in the ERC-8021 format.',
    fix: 'Set builder-code to the registered code of the application and at most five service codes.',
    reference: { source: 'BUILDER_CODE', clause: 'Builder Code Validation' },
    check: checkExtensionInfo('builder-code', checkBuilderCode),
  },
];
