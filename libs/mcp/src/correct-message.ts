import { isJsonObject } from '@touchstone/common';

/** Names of members of a message that are objects; revision 2026-07-28 has a prefix before `clientCapabilities`. */
const OBJECT_MEMBER = /^(params|_meta|arguments)$|capabilities$/i;

/** Depth of the deepest corrected object, such as `params._meta["…/clientCapabilities"].roots`. */
const MAX_DEPTH = 4;

/**
 * Corrects values of a message, or of a batch of messages, that the SDK refuses: null, which many clients send for an
 * absent member, is left out, and an empty list in place of an object becomes an object, because PHP encodes an empty
 * object as a list.
 */
export function correctMessage(message: unknown): unknown {
  return Array.isArray(message) ? message.map(correctOne) : correctOne(message);
}

function correctOne(message: unknown): unknown {
  if (!isJsonObject(message)) return message;
  const { params, ...rest } = message;
  return { ...rest, ...correctMembers({ params }, MAX_DEPTH) };
}

/** @param depth number of levels of objects below the members that are corrected */
function correctMembers(members: object, depth: number, isCapabilities = false): object {
  const correct = (name: string, value: unknown): unknown => {
    if (depth === 0 || (!isCapabilities && !OBJECT_MEMBER.test(name))) return value;
    if (isJsonObject(value)) return correctMembers(value, depth - 1, /capabilities$/i.test(name));
    return Array.isArray(value) && value.length === 0 ? {} : value;
  };
  const present = Object.entries(members).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present.map(([name, value]) => [name, correct(name, value)]));
}
