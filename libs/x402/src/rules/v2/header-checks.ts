import { findMisnamedHeader } from '../../challenge/misnamed-header.ts';
import type { HeaderFault } from '../../challenge/read-header.ts';
import { passIf, type Outcome, type RuleInput } from '../rule.ts';
import { findJsonViolation, findDuplicateName } from './strict-json.ts';
import { quote } from '../../json/clean-text.ts';

/**
 * Checks that the response has a PAYMENT-REQUIRED header. Skips a misnamed header and a version 2 envelope in the body,
 * because other rules report them.
 */
export function checkHeaderPresent(input: RuleInput): Outcome {
  const { header, body, bodyPayable } = input;
  if (header.state !== 'absent') return 'pass';
  const isElsewhere = body.state === 'read' && body.envelope.version === 2;
  if (isElsewhere || findMisnamedHeader(input) !== undefined) return 'skip';
  if (!bodyPayable) {
    return {
      message: 'There is no PAYMENT-REQUIRED header, so version 2 clients and directories find no envelope.',
    };
  }
  // Version 2 clients also read a version 1 body, so only discovery directories need the header.
  const message = 'There is no PAYMENT-REQUIRED header, so directories find no envelope.';
  return { message, severity: 'warning', axis: 'discoverable' };
}

export function checkHeaderName(input: RuleInput): Outcome {
  if (input.header.state !== 'absent') return 'pass';
  const wrong = findMisnamedHeader(input);
  if (wrong === undefined) return 'skip';
  return { message: `The envelope is in a header named ${wrong}; clients read only PAYMENT-REQUIRED.` };
}

export function checkHeaderSingle({ header }: RuleInput): Outcome {
  if (header.state === 'absent') return 'skip';
  const message = `PAYMENT-REQUIRED was sent ${String(header.fields)} times; clients join the values into one.`;
  return passIf(header.fields === 1, message);
}

/** Faults of the PAYMENT-REQUIRED header, in the order of its decoding steps. */
const HEADER_FAULT_ORDER: readonly HeaderFault[] = ['too-long', 'not-base64', 'not-json', 'not-object'];

/**
 * Checks one decoding step of the PAYMENT-REQUIRED header. Fails if decoding stopped with `fault`, passes if decoding
 * got further, and skips if decoding stopped at an earlier step.
 */
function checkReadingStage({ header }: RuleInput, fault: HeaderFault, message: string): Outcome {
  if (header.state === 'absent') return 'skip';
  if (header.state === 'read') return 'pass';
  if (header.fault === fault) return { message };
  return HEADER_FAULT_ORDER.indexOf(header.fault) < HEADER_FAULT_ORDER.indexOf(fault) ? 'skip' : 'pass';
}

export function checkBase64(input: RuleInput): Outcome {
  const { header } = input;
  const message =
    header.state === 'unreadable' && header.fields > 1
      ? 'The PAYMENT-REQUIRED header was sent several times, and its joined values are not base64.'
      : 'The header is not standard base64 (letters, digits, + and /, with or without = padding).';
  return checkReadingStage(input, 'not-base64', message);
}

export function checkJson(input: RuleInput): Outcome {
  const { header } = input;
  // The rule `v2-json-strict` reports common violations of the JSON grammar, such as a trailing comma.
  if (hasKnownViolation(input)) return 'skip';
  const outcome = checkReadingStage(input, 'not-json', 'The header decodes to text that is not JSON.');
  if (outcome !== 'pass') return outcome;
  if (header.state === 'read' && !header.isUtf8) {
    const message =
      'The header decodes to bytes that are not valid UTF-8; clients replace the invalid bytes.';
    return { message, severity: 'warning', axis: 'hygiene' };
  }
  return checkReadingStage(input, 'not-object', 'The header decodes to JSON that is not an object.');
}

function hasKnownViolation({ header }: RuleInput): boolean {
  return (
    header.state === 'unreadable' &&
    header.fault === 'not-json' &&
    header.text !== null &&
    findJsonViolation(header.text) !== null
  );
}

export function checkStrictJson({ header }: RuleInput): Outcome {
  if (header.state === 'absent' || (header.state === 'unreadable' && header.text === null)) return 'skip';
  if (header.state === 'read' || header.fault !== 'not-json') return 'pass';
  const violation = findJsonViolation(header.text ?? '');
  if (violation === null) return 'skip';
  return {
    message: `The decoded header contains ${violation}, which is not valid JSON; clients cannot read any of it.`,
  };
}

export function checkUniqueKeys({ header }: RuleInput): Outcome {
  if (header.state !== 'read') return 'skip';
  const name = findDuplicateName(header.text);
  return passIf(
    name === null,
    () =>
      `An object in the envelope has two members named ${quote(name)}; clients differ in which one they use.`,
  );
}
