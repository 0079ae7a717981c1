import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const module = fileURLToPath(new URL('require-config.ts', import.meta.url));

/** Calls `requireConfig` in a new process that has none of our environment variables except these and NODE_ENV. */
function start(environment: NodeJS.Dict<string>) {
  const script = `const { requireConfig } = await import(${JSON.stringify(module)}); await requireConfig(); console.log('started');`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
    env: {
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'] ?? '',
      NODE_ENV: 'production',
      ...environment,
    },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

const complete = {
  SUPABASE_URL: 'http://localhost:1',
  SUPABASE_PUBLISHABLE_KEY: 'key',
  SUPABASE_SECRET_KEY: 'secret',
};

describe('requireConfig', () => {
  it('exits with one line if a variable is missing', () => {
    expect(start({ SUPABASE_URL: 'http://localhost:1', SUPABASE_SECRET_KEY: 'secret' })).toEqual({
      status: 1,
      stdout: '',
      stderr: 'Cannot start: SUPABASE_PUBLISHABLE_KEY is missing.\n',
    });
  });

  it('does not exit with a valid configuration', () => {
    const { status, stdout } = start(complete);
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'started\n' });
  });

  it.each(['not json', '{"kty":"OKP","crv":"Ed25519","x":"short","d":"hidden"}'])(
    'exits for the signing key %s without printing it',
    (key) => {
      const { status, stderr } = start({ ...complete, REPORT_SIGNING_KEYS: key });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Cannot start: REPORT_SIGNING_KEYS: .+\.\n$/);
      expect(stderr).not.toContain('hidden');
    },
  );

  it.each([' ', '', 'A'.repeat(43), `${'A'.repeat(43)} ${'B'.repeat(42)}A`])(
    'does not exit with the watch keys %j',
    (keys) => {
      expect(start({ ...complete, WATCH_ENCRYPTION_KEYS: keys }).status).toBe(0);
    },
  );

  it.each(['hidden', `${'A'.repeat(43)} hidden`])(
    'exits for the watch keys %s without printing them',
    (keys) => {
      const { status, stderr } = start({ ...complete, WATCH_ENCRYPTION_KEYS: keys });
      expect(status).toBe(1);
      expect(stderr).toMatch(/^Cannot start: Key \d of WATCH_ENCRYPTION_KEYS must be .+\.\n$/);
      expect(stderr).not.toContain('hidden');
    },
  );
});
