import { challengeV1, challengeV2 } from './challenge.ts';
import type { ChallengeContext } from './challenge.ts';
import { faultyChallenge } from './faulty-challenge.ts';
import type { HttpReply } from './http-reply.ts';
import { jsonReply, textReply } from './http-reply.ts';
import type { JsonObject } from './json.ts';
import { oversizedChallenge } from './oversized.ts';
import { paywallReply } from './plain-replies.ts';
import type { Behaviour } from './scenario-schema.ts';

type Malformation = Extract<Behaviour, { kind: 'malformed' }>['fault'];

const encoded = (value: JsonObject): string => Buffer.from(JSON.stringify(value)).toString('base64');

/** 402 with the envelope where x402 version 2 puts it; `no-store` as the reference server says. */
const headerReply = (
  value: string,
  { name = 'PAYMENT-REQUIRED', body = {} }: { name?: string; body?: JsonObject } = {},
): HttpReply => jsonReply(402, body, [name, value, 'Cache-Control', 'no-store']);

const malformedReply = (context: ChallengeContext, fault: Malformation): HttpReply => {
  const challenge = challengeV2(context);
  const text = JSON.stringify(challenge);
  switch (fault) {
    case 'bad-base64':
      return headerReply(encoded(challenge).replaceAll(/(.{60})/g, '$1*'));
    case 'base64url':
      return headerReply(Buffer.from(text).toString('base64url'));
    case 'truncated-json':
      return headerReply(Buffer.from(text.slice(0, Math.floor(text.length * 0.6))).toString('base64'));
    case 'html-402':
      return paywallReply(context.endpoint);
  }
};

const inProtocol = (context: ChallengeContext, change: (challenge: JsonObject) => JsonObject): HttpReply => {
  switch (context.endpoint.protocol) {
    case 'v1':
      return jsonReply(402, change(challengeV1(context)));
    case 'v2':
      return headerReply(encoded(change(challengeV2(context))));
    case 'dual':
      return headerReply(encoded(change(challengeV2(context))), { body: change(challengeV1(context)) });
  }
};

/** The 402 that an endpoint answers an unpaid request with, in the shape its behaviour gives it. */
export const challengeReply = (context: ChallengeContext): HttpReply => {
  const { behaviour } = context.state;
  switch (behaviour.kind) {
    case 'malformed':
      return malformedReply(context, behaviour.fault);
    case 'missing-field':
      return inProtocol(context, (challenge) => faultyChallenge(challenge, behaviour.fault));
    case 'oversized-header':
      return inProtocol(context, oversizedChallenge);
    case 'body-only':
      return textReply(402, { type: 'application/json', text: JSON.stringify(challengeV2(context)) });
    case 'renamed-header':
      return headerReply(encoded(challengeV2(context)), { name: 'X-Payment-Required' });
    default:
      return inProtocol(context, (challenge) => challenge);
  }
};
