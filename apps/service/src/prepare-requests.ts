import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { prepareRequest } from './prepare-request.ts';

/** Preloaded into the web server, which has no place of its own for what has to come before everything else. */
subscribe('http.server.request.start', (message) => {
  // What Node publishes on this channel, by its documentation.
  prepareRequest((message as { readonly request: IncomingMessage }).request);
});
