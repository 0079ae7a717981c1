import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from './output.ts';

function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

describe('an output', () => {
  it('writes, and waits for the reader', async () => {
    const taken: string[] = [];
    const slow = new Writable({
      highWaterMark: 1,
      write: (chunk, _encoding, done) => {
        taken.push(String(chunk));
        setTimeout(done, 5);
      },
    });
    const output = createOutput(slow);
    await output.write('one');
    expect(taken).toEqual(['one']);
    expect([output.closed, output.failure]).toEqual([false, null]);
  });

  it('is closed, without a failure, once its reader has gone', async () => {
    const output = createOutput(failing('EPIPE'));
    await output.write('one');
    await output.write('two');
    expect([output.closed, output.failure]).toEqual([true, null]);
  });

  it('says why it failed otherwise', async () => {
    const output = createOutput(failing('ENOSPC'));
    await output.write('one');
    expect([output.closed, output.failure]).toEqual([true, 'write ENOSPC']);
  });
});
