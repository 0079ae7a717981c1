import { describe, expect, it } from 'vitest';
import { batchesAtOnce, readConfig, siteNotice, siteOrigin } from './config.ts';

const complete = {
  SUPABASE_URL: 'http://localhost:54321',
  SUPABASE_PUBLISHABLE_KEY: 'publishable',
  SUPABASE_SECRET_KEY: 'secret',
};

const problemOf = (environment: Record<string, string | undefined>) => {
  const result = readConfig(environment);
  return result.ok ? null : result.problem;
};

describe('readConfig', () => {
  it('reads what the pages need', () => {
    expect(readConfig({ ...complete, INTERNAL_TOKEN: '0123456789abcdef', OTHER: 'x' })).toEqual({
      ok: true,
      config: {
        supabaseUrl: 'http://localhost:54321',
        supabasePublishableKey: 'publishable',
        supabaseSecretKey: 'secret',
        reportSigningKeys: undefined,
        internalToken: '0123456789abcdef',
      },
    });
  });

  it('takes an empty optional variable as not set', () => {
    expect(readConfig({ ...complete, INTERNAL_TOKEN: '', BASE_URL: '' })).toMatchObject({
      ok: true,
      config: { internalToken: undefined },
    });
  });

  it('names every variable that is missing, in one line', () => {
    expect(problemOf({})).toBe(
      'Cannot start: SUPABASE_URL is missing; SUPABASE_PUBLISHABLE_KEY is missing; SUPABASE_SECRET_KEY is missing.',
    );
    expect(problemOf({ ...complete, SUPABASE_PUBLISHABLE_KEY: '' })).toBe(
      'Cannot start: SUPABASE_PUBLISHABLE_KEY is missing.',
    );
  });

  it.each([
    ['SUPABASE_URL', 'localhost'],
    ['SUPABASE_URL', 'postgres://user:hidden@db'],
    ['INTERNAL_TOKEN', 'short-hidden'],
    ['BASE_URL', 'ftp://hidden.example'],
    ['SITE_NOTICE', 'hidden'.repeat(40)],
    ['INNGEST_BATCHES_AT_ONCE', '0-hidden'],
    ['INNGEST_BATCHES_AT_ONCE', '1000'],
    ['INNGEST_BATCHES_AT_ONCE', '-4'],
    ['INNGEST_BATCHES_AT_ONCE', '2.5'],
  ])('says what is wrong with %s but not its value', (name, value) => {
    const problem = problemOf({ ...complete, [name]: value });
    expect(problem).toMatch(new RegExp(`^Cannot start: ${name} must .+\\.$`));
    expect(problem).not.toContain(value);
    expect(problem).not.toContain('\n');
  });
});

describe('siteOrigin', () => {
  it('is the origin of the public address', () => {
    expect(siteOrigin({ BASE_URL: 'https://touchstone.example/some/path' })).toBe(
      'https://touchstone.example',
    );
  });

  it('is this machine when there is no public address', () => {
    expect(siteOrigin({})).toBe('http://localhost:3000');
    expect(siteOrigin({ PORT: '4100', BASE_URL: '' })).toBe('http://localhost:4100');
  });
});

describe('siteNotice', () => {
  it('is absent by default', () => {
    for (const environment of [{}, { SITE_NOTICE: '' }, { SITE_NOTICE: '  ' }]) {
      expect(siteNotice(environment)).toBeNull();
      expect(readConfig({ ...complete, ...environment })).toMatchObject({ ok: true });
    }
  });

  it('is what the operator says, up to 200 characters', () => {
    expect(siteNotice({ SITE_NOTICE: ' A sandbox: these endpoints are made up. ' })).toBe(
      'A sandbox: these endpoints are made up.',
    );
    expect(siteNotice({ SITE_NOTICE: 'x'.repeat(200) })).toHaveLength(200);
    expect(siteNotice({ SITE_NOTICE: 'x'.repeat(201) })).toBeNull();
  });
});

describe('batchesAtOnce', () => {
  it('is four unless the operator says another number', () => {
    expect(batchesAtOnce({})).toBe(4);
    expect(batchesAtOnce({ INNGEST_BATCHES_AT_ONCE: '' })).toBe(4);
    expect(batchesAtOnce({ INNGEST_BATCHES_AT_ONCE: '32' })).toBe(32);
    expect(readConfig({ ...complete, INNGEST_BATCHES_AT_ONCE: '32' })).toMatchObject({ ok: true });
  });
});
