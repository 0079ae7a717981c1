import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { findConfigProblem } from './require-config.ts';

const module = fileURLToPath(new URL('require-config.ts', import.meta.url));

/** Calls `requireConfig` in a new process. The process gets only NODE_ENV and the given environment variables. */
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
});

describe('findConfigProblem', () => {
  it.each(['not json', '{"kty":"OKP","crv":"Ed25519","x":"short","d":"hidden"}'])(
    'names the variable of the signing key %s without the key',
    async (key) => {
      const problem = await findConfigProblem({ ...complete, REPORT_SIGNING_KEYS: key });
      expect(problem).toMatch(/^Cannot start: REPORT_SIGNING_KEYS: .+\.$/);
      expect(problem).not.toContain('hidden');
    },
  );

  it.each([' ', '', 'A'.repeat(43), `${'A'.repeat(43)} ${'B'.repeat(42)}A`])(
    'returns null for the watch keys %j',
    async (keys) => {
      expect(await findConfigProblem({ ...complete, WATCH_ENCRYPTION_KEYS: keys })).toBeNull();
    },
  );

  it.each(['hidden', `${'A'.repeat(43)} hidden`])(
    'names the variable of the watch keys %s without the keys',
    async (keys) => {
      const problem = await findConfigProblem({ ...complete, WATCH_ENCRYPTION_KEYS: keys });
      expect(problem).toMatch(/^Cannot start: Key \d of WATCH_ENCRYPTION_KEYS must be .+\.$/);
      expect(problem).not.toContain('hidden');
    },
  );
});
