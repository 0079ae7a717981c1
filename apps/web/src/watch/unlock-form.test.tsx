import { expect, it } from 'vitest';
import { renderAt } from './testing/test-watch.tsx';
import { UnlockForm } from './unlock-form.tsx';

it('keeps browsers from storing the secret', () => {
  const html = renderAt(<UnlockForm isLocked={false} onOpen={() => undefined} />);
  const [secret] = /<input[^>]*type="password"[^>]*>/.exec(html) ?? [];
  expect(secret).toMatch(/autoComplete="one-time-code"/i);
  expect(html.match(/<input[^>]*autoComplete="off"/gi)).toHaveLength(1);
});
