import { createLlmsText } from '@touchstone/contract';
import { getConfig, getSiteOrigin } from '../../platform/config/config.ts';

/**
 * Creates the `llms.txt` of this service with its settings.
 *
 * @param resource URL of the endpoint in the examples, see `findSampleResource`
 */
export function createServiceLlmsText(resource: string | undefined): string {
  const { network, payment } = getConfig();
  return createLlmsText(getSiteOrigin(process.env), {
    network,
    arePaymentsEnabled: payment !== null,
    resource,
  });
}
