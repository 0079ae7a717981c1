import { isJsonList, isJsonObject } from './json.ts';
import type { JsonObject } from './json.ts';
import type { Behaviour } from './scenario-schema.ts';

type FieldFault = Extract<Behaviour, { kind: 'missing-field' }>['fault'];

/** Members by which the two protocol versions call what a fault takes away. */
const REMOVED: Readonly<Record<'no-pay-to' | 'no-amount' | 'no-mime-type' | 'no-extra', readonly string[]>> =
  {
    'no-pay-to': ['payTo'],
    'no-amount': ['amount', 'maxAmountRequired'],
    'no-mime-type': ['mimeType'],
    'no-extra': ['extra'],
  };

const without = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));

const numbered = (offer: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(offer).map(([name, value]) =>
      name === 'amount' || name === 'maxAmountRequired' ? [name, Number(value)] : [name, value],
    ),
  );

const eachOffer = (challenge: JsonObject, change: (offer: JsonObject) => JsonObject): JsonObject => {
  const accepts = challenge['accepts'];
  if (accepts === undefined || !isJsonList(accepts)) return challenge;
  return { ...challenge, accepts: accepts.map((offer) => (isJsonObject(offer) ? change(offer) : offer)) };
};

/** The same challenge, v1 or v2, with the one fault in it that a careless seller would make. */
export const faultyChallenge = (challenge: JsonObject, fault: FieldFault): JsonObject => {
  switch (fault) {
    case 'no-accepts':
      return { ...challenge, accepts: [] };
    case 'no-resource':
      return without(challenge, ['resource']);
    case 'amount-number':
      return eachOffer(challenge, numbered);
    default:
      return eachOffer(challenge, (offer) => without(offer, REMOVED[fault]));
  }
};
