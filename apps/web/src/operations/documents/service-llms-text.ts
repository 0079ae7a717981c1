import { createLlmsText } from '@touchstone/contract';
import { getConfig, getSiteOrigin } from '../../platform/config/config.ts';
import { findSampleResource } from './sample-resource.ts';

/** Creates the `llms.txt` of this service, with its settings and an endpoint of its catalog in the examples. */
export async function createServiceLlmsText(): Promise<string> {
  const { network, payment } = getConfig();
  return createLlmsText(getSiteOrigin(process.env), {
    network,
    arePaymentsEnabled: payment !== null,
    resource: await findSampleResource(),
  });
}
