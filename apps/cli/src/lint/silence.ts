import type { Outcome, Phase, Probe } from '@touchstone/probe';
import { tlsWords } from './tls-words.ts';

const DOING: Readonly<Record<Phase, string>> = {
  resolve: 'looking up its name',
  connect: 'connecting',
  tls: 'in the TLS handshake',
  processing: 'waiting for the answer',
  transfer: 'reading the answer',
};
const HEADERS_TOO_LONG = 'HPE_HEADER_OVERFLOW';

/** Outcomes without an answer to judge, in words. */
const WORDS: Readonly<Partial<Record<Outcome, (failure: Probe['failure']) => string>>> = {
  timeout: (failure) => `the time ran out while ${failure === null ? 'asking' : DOING[failure.phase]}`,
  'dns-error': (failure) => `its name does not resolve (${failure?.code ?? ''})`,
  'tls-error': (failure) => `the TLS handshake failed: ${failure === null ? '' : tlsWords(failure)}`,
  'connect-error': (failure) => `the connection failed (${failure?.code ?? ''})`,
  'protocol-error': (failure) =>
    failure?.code === HEADERS_TOO_LONG
      ? 'its headers are longer than 64 KiB together'
      : `what came is not HTTP (${failure?.code ?? 'a status that HTTP has not'})`,
};

/** Why a probe got no answer to judge; null when it got one, be it without the end of its body. */
export function silenceOf({ outcome, failure, httpStatus }: Probe): string | null {
  if (httpStatus !== null && httpStatus >= 200 && httpStatus < 600) return null;
  return WORDS[outcome]?.(failure) ?? null;
}

/** What the seller has to change about the silence; null where the rule's own words say it. */
export function fixOf({ failure }: Probe): string | null {
  if (failure?.code !== HEADERS_TOO_LONG) return null;
  return (
    'Shorten the headers, most of all the examples and schemas in PAYMENT-REQUIRED: ' +
    'many servers and clients take no more than 8 or 16 KiB of headers together.'
  );
}

/** How the body of an answer ended before its time; null when it did not. */
export function brokenBody({ outcome, failure, httpStatus }: Probe): string | null {
  if (failure === null || httpStatus === null) return null;
  if (outcome === 'timeout') return 'Its body did not end in time, so it was judged by its headers.';
  if (outcome === 'connect-error' || outcome === 'tls-error' || outcome === 'protocol-error')
    return `Its body broke off (${failure.code}), so it was judged by its headers.`;
  return `Its body could not be decoded (${failure.message}), so it was judged by its headers.`;
}
