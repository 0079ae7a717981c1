import { subscribe } from 'node:diagnostics_channel';
import { appendFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

// This file is preloaded into each process of a service under test. In the process of the sandbox, it records the
// requests to the facilitator in a file. It also leaves every request for a path that starts with `/silent/`
// unanswered.
const file = process.env['FACILITATOR_REQUESTS_FILE'];

subscribe('http.server.request.start', (message) => {
  // The cast is safe, because Node documents the message type of this channel.
  const { request, response } = message as {
    readonly request: IncomingMessage;
    readonly response: ServerResponse;
  };
  const { url = '' } = request;
  if (file !== undefined && (url === '/verify' || url === '/settle')) appendFileSync(file, `${url}\n`);
  if (!url.startsWith('/silent/')) return;
  const ignore = (): ServerResponse => response;
  Object.assign(response, { writeHead: ignore, flushHeaders: ignore, write: () => true, end: ignore });
});
