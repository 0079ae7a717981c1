import { createProblem } from '@touchstone/contract';
import { hasBearerToken } from '../../../api/read-request.ts';
import { createProblemResponse } from '../../../api/responses.ts';
import { getSalesProblem } from '../../../operations/paid-route.ts';
import { getConfig } from '../../../platform/config/config.ts';
import { renderDatabaseMetrics, renderGauges } from '../../../platform/metrics/database-metrics.ts';
import { getProcessRegistry } from '../../../platform/metrics/process-metrics.ts';

export const dynamic = 'force-dynamic';

/**
 * Responds with the metrics of this process and of the whole installation, in the text format of Prometheus. Requires the
 * bearer token `METRICS_TOKEN`. Without this variable, the route does not exist.
 */
export async function GET(request: Request): Promise<Response> {
  const { metricsToken } = getConfig();
  if (metricsToken === undefined) {
    return createProblemResponse(createProblem('unknown-resource', 'No such route.'));
  }
  if (!hasBearerToken(request.headers.get('authorization'), metricsToken)) {
    return createProblemResponse(createProblem('unauthorized', 'The bearer token is missing or wrong.'), {
      'www-authenticate': 'Bearer',
    });
  }
  const registry = getProcessRegistry();
  const texts = await Promise.all([renderDatabaseMetrics(), renderSales(), registry.metrics()]);
  return new Response(texts.join(''), {
    headers: { 'content-type': registry.contentType, 'cache-control': 'no-store' },
  });
}

async function renderSales(): Promise<string> {
  const problem = await getSalesProblem();
  const help = '1 while purchases are possible, else 0. GET /api/health names the reason.';
  return renderGauges([
    { name: 'touchstone_can_sell', help, samples: [{ value: problem === null ? 1 : 0 }] },
  ]);
}
