import { readFileSync } from 'node:fs';
import { afterAll, expect, vi } from 'vitest';

/**
 * Gives both output streams a method `write` of their own. A spy on an inherited `write` adds a method to the stream and
 * deletes the method at its end. After several such changes, sockets of HTTP clients wrote to the spy of a later test;
 * the cause in the runtime is unknown. With a `write` of its own, a stream needs no deletion.
 */
for (const stream of [process.stdout, process.stderr])
  if (!Object.hasOwn(stream, 'write')) stream.write = stream.write.bind(stream);

/**
 * Test files share the modules of their process. A test file that mocks a module gets modules of its own, because a module
 * that an earlier file loaded would keep its import of the real module, and later files would get the mock.
 */
const { testPath } = expect.getState();
if (testPath !== undefined && /\bvi\.(?:mock|doMock)\(/.test(readFileSync(testPath, 'utf8'))) {
  vi.resetModules();
  afterAll(() => vi.resetModules());
}
