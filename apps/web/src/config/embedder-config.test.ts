import { describe, expect, it } from 'vitest';
import { readConfig } from './config.ts';

const complete = {
  SUPABASE_URL: 'http://localhost:54321',
  SUPABASE_PUBLISHABLE_KEY: 'publishable',
  SUPABASE_SECRET_KEY: 'secret',
};
const token = '0123456789abcdef';

describe('EMBEDDER', () => {
  it.each([
    [{}, { kind: 'supabase' }],
    [{ EMBEDDER: '', EMBEDDER_TOKEN: '' }, { kind: 'supabase' }],
    [{ EMBEDDER: 'supabase', EMBEDDER_TOKEN: token }, { kind: 'supabase' }],
    [{ EMBEDDER: 'none' }, { kind: 'none' }],
    [
      { EMBEDDER: 'http://127.0.0.1:9001/', EMBEDDER_TOKEN: token },
      { kind: 'process', url: 'http://127.0.0.1:9001/', token },
    ],
  ])('with %j is %j', (environment, embedder) => {
    expect(readConfig({ ...complete, ...environment })).toMatchObject({ ok: true, config: { embedder } });
  });

  it('needs a token if it is an address', () => {
    expect(readConfig({ ...complete, EMBEDDER: 'http://127.0.0.1:9001/' })).toEqual({
      ok: false,
      problem: 'Cannot start: EMBEDDER_TOKEN is missing.',
    });
  });

  it.each([
    ['local', 'EMBEDDER must be supabase, none, or the http or https address of an embedder'],
    ['ftp://hidden.example', 'EMBEDDER must be supabase, none, or the http or https address of an embedder'],
  ])('cannot be %s', (value, problem) => {
    expect(readConfig({ ...complete, EMBEDDER: value })).toEqual({
      ok: false,
      problem: `Cannot start: ${problem}.`,
    });
  });
});
