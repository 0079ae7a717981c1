import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { normalizeRequest } from './normalize-request.ts';

// Preloaded into the web server: Next has no hook that runs before it parses a request.
subscribe('http.server.request.start', (message) => {
  // Node documents this message type of the channel.
  normalizeRequest((message as { readonly request: IncomingMessage }).request);
});
