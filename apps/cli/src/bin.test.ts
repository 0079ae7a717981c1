import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { savedAnswer } from './testing/answers.ts';
import { startTouchstone, touchstone } from './testing/command.ts';

describe('the command', () => {
  it('passes exit codes on', async () => {
    expect((await touchstone(['--help'])).code).toBe(0);
    expect((await touchstone(['no-such-command'])).code).toBe(2);
  });

  it('passes signals on, and ends as they end it', async () => {
    const child = startTouchstone(['lint', '--json', '--file', '-']);
    child.stdin.write(`${JSON.stringify(savedAnswer())}\n`);
    await once(child.stdout, 'data');
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
  });
});
