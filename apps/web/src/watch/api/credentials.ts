/** Id and secret of a watch, as the owner typed or pasted them. */
export interface Credentials {
  readonly id: string;
  readonly secret: string;
}

const SECRET = /^wsk_[A-Za-z0-9_-]{43}$/;

/** Returns the id of a watch in a pasted text, such as the id itself or one of the URLs of the watch; null without one. */
export function findWatchId(text: string): string | null {
  return /(?<![a-z0-9])w_[a-z2-7]{26}(?![a-z0-9])/.exec(text)?.[0] ?? null;
}

/** Mistakes in the two fields; null for a field without a mistake. */
export interface CredentialMistakes {
  readonly id: string | null;
  readonly secret: string | null;
}

/**
 * Checks the format of the credentials, so that an obvious mistake needs no request. The messages do not repeat the
 * secret.
 */
export function checkCredentials({ id, secret }: Credentials): CredentialMistakes {
  return {
    id:
      findWatchId(id) === null
        ? 'The id begins with w_ and has 28 characters. A URL of the watch works too.'
        : null,
    secret: SECRET.test(secret.trim()) ? null : 'The secret begins with wsk_ and has 47 characters.',
  };
}
