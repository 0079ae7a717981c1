import { isObject } from '../is-object.ts';
import { member } from '../member.ts';
import { parseUrl } from '../resource-url.ts';
import { expect, onV2, type Outcome, type Rule, type Subject } from './rule.ts';
import { quote } from '../text.ts';

/** Entries of `extensions` beyond this many are not looked at. */
const MAX_EXTENSIONS = 64;
const BUILDER_CODE = /^[a-z0-9_]{1,32}$/;
const MAX_SERVICE_CODES = 5;
const PAYMENT_ID = /^[a-zA-Z0-9_-]{16,128}$/;

/** Judges the `info` of an extension; skipped where there is none to judge. */
function onInfo(key: string, judge: (info: object, subject: Subject) => Outcome): Rule['check'] {
  return (subject) => {
    const info = member(member(subject.v2?.fields.extensions, key), 'info');
    return isObject(info) ? judge(info, subject) : 'skip';
  };
}

/** The discovery extension has rules of its own on both members. */
function checkInfoAndSchema(extensions: unknown): Outcome {
  if (!isObject(extensions)) return 'skip';
  const others = Object.entries(extensions)
    .slice(0, MAX_EXTENSIONS)
    .filter(([key]) => key !== 'bazaar');
  if (others.length === 0) return 'skip';
  const incomplete = others.find(
    ([, extension]) => !isObject(member(extension, 'info')) || !isObject(member(extension, 'schema')),
  );
  return expect(
    incomplete === undefined,
    () => `The extension ${quote(incomplete?.[0])} lacks info or schema; both must be objects.`,
  );
}

/** Source: @x402/extensions, `assertSIWxChallengeBoundToOrigin`, which throws before anything is paid. */
function checkSignIn(info: object, { url }: Subject): Outcome {
  const requested = parseUrl(url);
  if (requested === null) return 'skip';
  const domain = member(info, 'domain');
  if (domain !== requested.host) {
    return {
      message: `The sign-in is for the domain ${quote(domain)}, not for the host that was asked; clients refuse to sign it.`,
    };
  }
  const uri = member(info, 'uri');
  return expect(
    parseUrl(uri)?.origin === requested.origin,
    () =>
      `The sign-in is for the URI ${quote(uri)}, not for the origin that was asked; clients refuse to sign it.`,
  );
}

function checkPaymentIdentifier(info: object): Outcome {
  const required = member(info, 'required');
  if (typeof required !== 'boolean') {
    return {
      message: `info.required of payment-identifier is ${quote(required)}; it must be true or false.`,
    };
  }
  const id = member(info, 'id');
  return expect(
    id === undefined || (typeof id === 'string' && PAYMENT_ID.test(id)),
    () =>
      `info.id of payment-identifier is ${quote(id)}; it must be 16 to 128 letters, digits, hyphens and underscores.`,
  );
}

function checkBuilderCode(info: object): Outcome {
  const services = [member(info, 's') ?? []].flat();
  if (services.length > MAX_SERVICE_CODES) {
    return { message: 'info.s of builder-code lists more than the five codes a server may give.' };
  }
  const codes = [member(info, 'a'), member(info, 'w'), ...services].filter((code) => code !== undefined);
  const wrong = codes.find((code) => typeof code !== 'string' || !BUILDER_CODE.test(code));
  return expect(
    wrong === undefined,
    () =>
      `A code of builder-code is ${quote(wrong)}; codes are 1 to 32 lower-case letters, digits and underscores.`,
  );
}

/** Rules on the extensions of a version 2 envelope, but for discovery, which has a table of its own. */
export const EXTENSION_RULES: readonly Rule[] = [
  {
    id: 'ext-object',
    axis: 'hygiene',
    severity: 'error',
    holds: 'extensions, where given, is an object.',
    fix: 'Send extensions as an object that maps each key to its extension, or leave it out.',
    reference: { source: 'V2', clause: '5.1.2, Extensions' },
    check: onV2(({ fields: { extensions } }) =>
      extensions === undefined || extensions === null
        ? 'skip'
        : expect(isObject(extensions), () => `extensions is ${quote(extensions)}; it must be an object.`),
    ),
  },
  {
    id: 'ext-info-schema',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'Every extension has info and a schema of it.',
    fix: 'Give every extension an info object and the JSON Schema of it.',
    reference: { source: 'V2', clause: '5.1.2, Extensions' },
    check: onV2(({ fields }) => checkInfoAndSchema(fields.extensions)),
  },
  {
    id: 'siwx-domain',
    axis: 'payable',
    severity: 'error',
    holds: 'A sign-in is asked for the host that was asked.',
    fix: 'Configure the sign-in with the public origin of the service, port included.',
    reference: { source: 'SIWX', clause: 'Validate Message Fields' },
    check: onInfo('sign-in-with-x', checkSignIn),
  },
  {
    id: 'payment-identifier-shape',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'payment-identifier says whether an identifier is required.',
    fix: 'Set info.required of payment-identifier to true or false, and leave info.id to the buyer.',
    reference: { source: 'PAYMENT_ID', clause: 'PaymentRequired' },
    check: onInfo('payment-identifier', checkPaymentIdentifier),
  },
  {
    id: 'builder-code-shape',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'builder-code names codes of the form of ERC-8021.',
    fix: 'Give builder-code the registered code of the application, and at most five service codes.',
    reference: { source: 'BUILDER_CODE', clause: 'Builder Code Validation' },
    check: onInfo('builder-code', checkBuilderCode),
  },
];
