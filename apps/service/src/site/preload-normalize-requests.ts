import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { normalizeRequest } from './normalize-request.ts';

// This file is preloaded into the process of the web server, because Next has no hook that runs before it parses a
// request.
subscribe('http.server.request.start', (message) => {
  // The cast is safe, because Node documents the message type of this channel.
  normalizeRequest((message as { readonly request: IncomingMessage }).request);
});
