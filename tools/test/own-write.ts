/**
 * Gives both output streams a method `write` of their own. Otherwise a spy adds this method and its end deletes it, and
 * after several such changes the sockets of HTTP clients wrote to the spy of a later test.
 */
for (const stream of [process.stdout, process.stderr])
  if (!Object.hasOwn(stream, 'write')) stream.write = stream.write.bind(stream);
