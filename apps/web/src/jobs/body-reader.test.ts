import { BodyTooLargeError } from '@touchstone/common';
import { describe, expect, it } from 'vitest';
import { createBodyReader, OverloadError } from './body-reader.ts';

/** Creates a body to which the test adds bytes. */
function createBody() {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  return {
    body: readable,
    write: (bytes: number) => writer.write(new Uint8Array(bytes)),
    close: () => writer.close(),
    abort: () => writer.abort(new Error('reset')),
  };
}

describe('createBodyReader', () => {
  it('stops the body whose reading began first when all bodies exceed their limit', async () => {
    const read = createBodyReader({ maxBytes: 60, maxTotalBytes: 100 });
    const [oldest, middle, newest] = [createBody(), createBody(), createBody()];
    const stopped = expect(read(oldest.body)).rejects.toThrow(OverloadError);
    const replies = [read(middle.body), read(newest.body)];
    await oldest.write(40);
    await middle.write(40);
    await newest.write(30);
    await stopped;
    await Promise.all([middle.close(), newest.close()]);
    expect((await Promise.all(replies)).map(({ length }) => length)).toEqual([40, 30]);
  });

  it('stops counting a body that is complete, too long or aborted', async () => {
    const read = createBodyReader({ maxBytes: 60, maxTotalBytes: 110 });
    // This body is the first that is read. If all bodies exceeded the total limit, this body would be stopped first.
    const open = createBody();
    const reply = read(open.body);
    await open.write(40);
    for (let body = 0; body < 3; body += 1) {
      const complete = createBody();
      const received = read(complete.body);
      await complete.write(60);
      await complete.close();
      expect(await received).toHaveLength(60);

      const aborted = createBody();
      const lost = expect(read(aborted.body)).rejects.toThrow('reset');
      await aborted.write(60);
      await aborted.abort();
      await lost;
    }
    const long = createBody();
    const refused = expect(read(long.body)).rejects.toThrow(BodyTooLargeError);
    await long.write(60);
    await long.write(1);
    await refused;
    await open.close();
    expect(await reply).toHaveLength(40);
  });

  it('returns zero bytes for a missing body', async () => {
    expect(await createBodyReader({ maxBytes: 1, maxTotalBytes: 1 })(null)).toHaveLength(0);
  });
});
