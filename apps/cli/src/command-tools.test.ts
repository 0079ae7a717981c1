import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createOutput } from './command-tools.ts';

function createFailingStream(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`write ${code}`), { code })),
  });
}

describe('createOutput', () => {
  it('waits until the reader accepted the text', async () => {
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
    expect([output.isClosed, output.failure]).toEqual([false, null]);
  });

  it('closes without a failure when the reader closed the stream', async () => {
    const output = createOutput(createFailingStream('EPIPE'));
    await output.write('one');
    await output.write('two');
    expect([output.isClosed, output.failure]).toEqual([true, null]);
  });

  it('reports the message of any other write error', async () => {
    const output = createOutput(createFailingStream('ENOSPC'));
    await output.write('one');
    expect([output.isClosed, output.failure]).toEqual([true, 'write ENOSPC']);
  });
});
