import type { Outcome, Phase, Probe } from '@touchstone/probe';

const DOING: Readonly<Record<Phase, string>> = {
  resolve: 'looking up its name',
  connect: 'connecting',
  tls: 'in the TLS handshake',
  processing: 'waiting for the answer',
  transfer: 'reading the answer',
};

/** Outcomes without an answer that could be read to its end, in words. */
const WORDS: Readonly<Partial<Record<Outcome, (failure: Probe['failure']) => string>>> = {
  timeout: (failure) => `the time ran out while ${failure === null ? 'asking' : DOING[failure.phase]}`,
  'dns-error': (failure) => `its name does not resolve (${failure?.code ?? ''})`,
  'tls-error': (failure) => `the TLS handshake failed: ${failure?.message ?? ''}`,
  'connect-error': (failure) => `the connection failed (${failure?.code ?? ''})`,
  'protocol-error': (failure) => `what came is not HTTP (${failure?.code ?? 'a status that HTTP has not'})`,
};

/** Why a probe got no answer to judge; null when it got one. */
export function silenceOf({ outcome, failure }: Probe): string | null {
  return WORDS[outcome]?.(failure) ?? null;
}
