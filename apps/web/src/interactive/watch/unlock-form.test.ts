import { createWatchSecret } from '@touchstone/watch';
import { describe, expect, it } from 'vitest';
import { checkCredentials, findWatchId } from './unlock-form.tsx';

const { id, secret } = createWatchSecret();

describe('checkCredentials', () => {
  it('accepts the id and the secret of every new watch', () => {
    for (let count = 0; count < 200; count += 1) {
      expect(checkCredentials(createWatchSecret())).toEqual({ id: null, secret: null });
    }
  });

  it.each([` ${id}\n`, `https://touchstone.example/v1/watch/${id}/events`, `watch_id: "${id}",`])(
    'finds the id in %j',
    (text) => {
      expect(findWatchId(text)).toBe(id);
      expect(checkCredentials({ id: text, secret: ` ${secret} ` })).toEqual({ id: null, secret: null });
    },
  );

  it.each(['', 'w_', `${id}x`, `x${id}`, id.toUpperCase(), secret])('finds no id in %j', (text) => {
    expect(findWatchId(text)).toBeNull();
    expect(checkCredentials({ id: text, secret }).id).toMatch(/^The id begins with w_/);
  });

  it.each(['', 'wsk_', `${secret}x`, secret.slice(1), `${secret.slice(0, -1)}\u00e9`])(
    'refuses the secret %j without repeating it',
    (text) => {
      expect(checkCredentials({ id, secret: text })).toEqual({
        id: null,
        secret: 'The secret begins with wsk_ and has 47 characters.',
      });
    },
  );
});
