import { namesRequest, parseUrl } from './resource-url.ts';
import { expect, type Outcome, type Rule, type Subject } from './rule.ts';
import type { HeaderFault } from './read-header.ts';
import { quote } from './text.ts';

/** Names sellers use in place of PAYMENT-REQUIRED; no client reads them. */
const WRONG_NAMES = ['x-payment-required', 'x-payment', 'payment-requirements'];
const MAX_DESCRIPTION = 500;

function checkHeaderPresent({ header, bodyPayable }: Subject): Outcome {
  if (header.state !== 'absent') return 'pass';
  const message =
    'There is no PAYMENT-REQUIRED header, so clients of version 2 and directories find no envelope.';
  return bodyPayable ? { message, severity: 'warning', axis: 'discoverable' } : { message };
}

function checkHeaderName({ header, headers }: Subject): Outcome {
  if (header.state !== 'absent') return 'pass';
  const wrong = WRONG_NAMES.find((name) => headers.has(name));
  if (wrong === undefined) return 'skip';
  return { message: `The envelope is in a header named ${wrong}; clients read PAYMENT-REQUIRED only.` };
}

/** The faults a header can have, in the order reading meets them. */
const STAGES: readonly HeaderFault[] = ['too-long', 'not-base64', 'not-json', 'not-object'];

/** Fails at the fault, passes when reading got beyond it, and skips when reading ended before. */
function pastStage({ header }: Subject, fault: HeaderFault, message: string): Outcome {
  if (header.state === 'absent') return 'skip';
  if (header.state === 'read') return 'pass';
  if (header.fault === fault) return { message };
  return STAGES.indexOf(header.fault) < STAGES.indexOf(fault) ? 'skip' : 'pass';
}

function checkJson(subject: Subject): Outcome {
  const outcome = pastStage(subject, 'not-json', 'The header decodes to text that is not JSON.');
  if (outcome !== 'pass') return outcome;
  return pastStage(subject, 'not-object', 'The header decodes to JSON that is no object.');
}

function checkResourceUrlMatches({ v2, url }: Subject): Outcome {
  const advertised = parseUrl(v2?.resource?.url);
  const requested = parseUrl(url);
  if (v2 === null || advertised === null || requested === null) return 'skip';
  return expect(
    namesRequest(advertised, requested, v2.routeTemplate),
    `resource.url is ${quote(v2.resource?.url)}, not the URL that was requested.`,
  );
}

function checkDescription({ v2 }: Subject): Outcome {
  if (v2 === null || v2.resource === null) return 'skip';
  const { description } = v2.resource;
  if (typeof description !== 'string' || description === '') {
    return { message: 'resource.description is missing; directories have nothing to show or to search.' };
  }
  const message = 'resource.description is longer than 500 characters; the largest directory refuses it.';
  return expect(description.length <= MAX_DESCRIPTION, message, { severity: 'error' });
}

function envelopeRule(rule: Omit<Rule, 'check'>, judge: (v2: NonNullable<Subject['v2']>) => Outcome): Rule {
  return { ...rule, check: ({ v2 }) => (v2 === null ? 'skip' : judge(v2)) };
}

/** Rules on the version 2 envelope. Sources: x402 v2 specification 5.1, v2 HTTP transport, @x402/core 2.25. */
export const V2_RULES: readonly Rule[] = [
  {
    id: 'v2-header-present',
    axis: 'payable',
    severity: 'error',
    holds: 'The challenge is in the PAYMENT-REQUIRED header.',
    check: checkHeaderPresent,
  },
  {
    id: 'v2-header-name',
    axis: 'payable',
    severity: 'error',
    holds: 'The header has the name clients look for.',
    check: checkHeaderName,
  },
  {
    id: 'v2-base64-standard',
    axis: 'payable',
    severity: 'error',
    holds: 'The header is base64 of the standard alphabet.',
    check: (subject) =>
      pastStage(
        subject,
        'not-base64',
        'The header is not standard base64 (A-Z a-z 0-9 + /); the URL-safe alphabet, bare JSON and repeated fields fail.',
      ),
  },
  {
    id: 'v2-json',
    axis: 'payable',
    severity: 'error',
    holds: 'The header decodes to a JSON object.',
    check: checkJson,
  },
  envelopeRule(
    {
      id: 'v2-version',
      axis: 'payable',
      severity: 'error',
      holds: 'x402Version is the number 2.',
    },
    ({ fields }) =>
      expect(
        fields.x402Version === 2,
        `x402Version is ${quote(fields.x402Version)}; it must be the number 2.`,
      ),
  ),
  envelopeRule(
    {
      id: 'v2-error-type',
      axis: 'payable',
      severity: 'warning',
      holds: 'error is absent or text.',
    },
    // Null is let through: the reference schema has taken it as absent since 2.25.
    ({ fields: { error } }) =>
      expect(
        error === undefined || error === null || typeof error === 'string',
        `error is ${quote(error)}; it must be text.`,
      ),
  ),
  envelopeRule(
    {
      id: 'v2-resource-object',
      axis: 'payable',
      severity: 'error',
      holds: 'resource is an object.',
    },
    ({ fields, resource }) =>
      expect(resource !== null, `resource is ${quote(fields.resource)}; it must be an object with a url.`),
  ),
  envelopeRule(
    {
      id: 'v2-resource-url',
      axis: 'payable',
      severity: 'error',
      holds: 'resource.url is an absolute URL.',
    },
    ({ resource }) => {
      if (resource === null) return 'skip';
      return expect(
        parseUrl(resource.url) !== null,
        `resource.url is ${quote(resource.url)}; it must be an absolute URL.`,
      );
    },
  ),
  {
    id: 'v2-resource-url-matches',
    axis: 'hygiene',
    severity: 'warning',
    holds: 'resource.url names the resource that was requested.',
    check: checkResourceUrlMatches,
  },
  {
    id: 'v2-description',
    axis: 'discoverable',
    severity: 'warning',
    holds: 'The resource is described in at most 500 characters.',
    check: checkDescription,
  },
  envelopeRule(
    {
      id: 'v2-accepts-array',
      axis: 'payable',
      severity: 'error',
      holds: 'accepts is a list of objects.',
    },
    ({ fields, entries }) =>
      expect(
        Array.isArray(fields.accepts) && !entries.includes(null),
        'accepts must be a list of objects, each one way to pay.',
      ),
  ),
  envelopeRule(
    {
      id: 'v2-accepts-nonempty',
      axis: 'payable',
      severity: 'error',
      holds: 'accepts offers at least one way to pay.',
    },
    ({ fields, entries }) =>
      Array.isArray(fields.accepts)
        ? expect(entries.length > 0, 'accepts is empty: nothing can be paid.')
        : 'skip',
  ),
];
