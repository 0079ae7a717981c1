import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import next from 'next';
import { logError, withRequestId } from '../platform/request-log.ts';
import { getRequestPath } from '../api/read-request.ts';
import { isCurrentEntry, omitScriptData, receiveExpirations } from './page-cache/page-cache.ts';
import { createSiteServer, closeServer } from './server/create-site-server.ts';
import { observeRequest } from './server/observe-request.ts';
import { createListener } from './server/create-listener.ts';
import { createResponseMemory } from './server/response-memory.ts';

// Web server of a site on one machine: Next with a memory of responses. The option `--port` sets the port, and
// `--address` sets the only IP address of the server. The environment variables are the same as for `next start`.
// README.md explains the steps of a request.
const { values } = parseArgs({
  options: { port: { type: 'string', default: '3000' }, address: { type: 'string' } },
});
const port = Number(values.port);

// The service starts this process with an IPC channel. The channel closes when the service exits for any reason.
process.on('disconnect', () => process.exit(0));

// `normalizeRequest` removes the headers that request the data for the scripts of Next.
omitScriptData();
const app = next({ dir: fileURLToPath(new URL('../..', import.meta.url)), port });
await app.prepare();
const handle = app.getRequestHandler();
const respond = createListener({
  handle,
  memory: createResponseMemory({ isCurrent: isCurrentEntry }),
  receiveExpirations,
});
const server = createSiteServer((request, response) => {
  void withRequestId(String(request.headers['x-request-id'] ?? ''), async (requestId) => {
    try {
      observeRequest(request, response, requestId);
      await respond(request, response);
    } catch (error) {
      logError(
        { failed: `${request.method ?? ''} ${getRequestPath(`http://site${request.url ?? ''}`)}` },
        error,
      );
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'x-request-id': requestId }).end();
    }
  });
});

/**
 * Finishes the requests under way, then exits. The service waits longer than the longest response takes (see
 * `start-site.ts`). A second signal ends the process immediately.
 */
const stop = (): void => {
  void closeServer(server)
    .then(() => app.close())
    .finally(() => process.exit(0));
};
process.once('SIGTERM', stop);
process.once('SIGINT', stop);

// Next only logs uncaught errors. Without this handler, the process would continue without a port.
server.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
server.listen({ port, ...(values.address === undefined ? {} : { host: values.address }) });
