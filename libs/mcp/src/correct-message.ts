import { isJsonObject } from '@touchstone/common';

/** Names of members of a message that are objects; revision 2026-07-28 has a prefix before `clientCapabilities`. */
const OBJECT_MEMBER = /^(params|_meta|arguments)$|capabilities$/i;

/**
 * Corrects values of a message, or of a batch of messages, that the SDK refuses: null, which many clients send for an
 * absent member, is left out, and an empty list in place of an object becomes an object, because PHP encodes an empty
 * object as a list.
 */
export function correctMessage(message: unknown): unknown {
  if (Array.isArray(message)) return message.map(correctMessage);
  if (!isJsonObject(message)) return message;
  const { params, ...rest } = message;
  return { ...rest, ...correctMembers({ params }) };
}

function correctMembers(members: object, isCapabilities = false): object {
  const correct = (name: string, value: unknown): unknown => {
    if (!isCapabilities && !OBJECT_MEMBER.test(name)) return value;
    if (isJsonObject(value)) return correctMembers(value, /capabilities$/i.test(name));
    return Array.isArray(value) && value.length === 0 ? {} : value;
  };
  const present = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, correct(name, value)]));
}
