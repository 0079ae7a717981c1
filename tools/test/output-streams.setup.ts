/**
 * Gives both output streams a method `write` of their own. A spy on an inherited `write` adds a method to the stream and
 * deletes the method at its end. After several such changes, sockets of HTTP clients wrote to the spy of a later test;
 * the cause in the runtime is unknown. With a `write` of its own, a stream needs no deletion.
 */
for (const stream of [process.stdout, process.stderr])
  if (!Object.hasOwn(stream, 'write')) stream.write = stream.write.bind(stream);
