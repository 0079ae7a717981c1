import { misnamedHeader } from '../misnamed-header.ts';
import type { HeaderFault } from '../read-header.ts';
import { expect, type Outcome, type Subject } from './rule.ts';
import { findLiberty, findRepeatedName } from './strict-json.ts';
import { quote } from '../text.ts';

/** Is there a header? One that has another name, or whose envelope is in the body, has a rule that says more. */
export function checkHeaderPresent(subject: Subject): Outcome {
  const { header, body, bodyPayable } = subject;
  if (header.state !== 'absent') return 'pass';
  const isElsewhere = body.state === 'read' && body.envelope.version === 2;
  if (isElsewhere || misnamedHeader(subject) !== undefined) return 'skip';
  if (!bodyPayable) {
    return {
      message:
        'There is no PAYMENT-REQUIRED header, so clients of version 2 and directories find no envelope.',
    };
  }
  // Clients of version 2 read a body of version 1, so only directories miss the header.
  const message = 'There is no PAYMENT-REQUIRED header, and directories look for the envelope there.';
  return { message, severity: 'warning', axis: 'discoverable' };
}

export function checkHeaderName(subject: Subject): Outcome {
  if (subject.header.state !== 'absent') return 'pass';
  const wrong = misnamedHeader(subject);
  if (wrong === undefined) return 'skip';
  return { message: `The envelope is in a header named ${wrong}; clients read PAYMENT-REQUIRED only.` };
}

export function checkHeaderSingle({ header }: Subject): Outcome {
  if (header.state === 'absent') return 'skip';
  const message = `PAYMENT-REQUIRED was sent ${String(header.fields)} times; clients join the values to one.`;
  return expect(header.fields === 1, message);
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

export function checkBase64(subject: Subject): Outcome {
  const { header } = subject;
  const message =
    header.state === 'unreadable' && header.fields > 1
      ? 'Joined to one, the values of the repeated PAYMENT-REQUIRED header are no base64.'
      : 'The header is not standard base64: letters, digits, + and /, padded with = or not at all.';
  return pastStage(subject, 'not-base64', message);
}

export function checkJson(subject: Subject): Outcome {
  const { header } = subject;
  // What the writer of the JSON took the liberty of has a rule that says more.
  if (isLiberal(subject)) return 'skip';
  const outcome = pastStage(subject, 'not-json', 'The header decodes to text that is not JSON.');
  if (outcome !== 'pass') return outcome;
  if (header.state === 'read' && !header.isUtf8) {
    const message =
      'The header decodes to bytes that are not all UTF-8; clients replace what they cannot read.';
    return { message, severity: 'warning', axis: 'hygiene' };
  }
  return pastStage(subject, 'not-object', 'The header decodes to JSON that is no object.');
}

function isLiberal({ header }: Subject): boolean {
  return (
    header.state === 'unreadable' &&
    header.fault === 'not-json' &&
    header.text !== null &&
    findLiberty(header.text) !== null
  );
}

export function checkStrictJson({ header }: Subject): Outcome {
  if (header.state === 'absent' || (header.state === 'unreadable' && header.text === null)) return 'skip';
  if (header.state === 'read' || header.fault !== 'not-json') return 'pass';
  const liberty = findLiberty(header.text ?? '');
  if (liberty === null) return 'skip';
  return { message: `The decoded header contains ${liberty}, which is no JSON; clients read none of it.` };
}

export function checkUniqueNames({ header }: Subject): Outcome {
  if (header.state !== 'read') return 'skip';
  const name = findRepeatedName(header.text);
  return expect(
    name === null,
    () =>
      `An object of the envelope has two members called ${quote(name)}; clients differ in which they take.`,
  );
}
