import { z } from 'zod';

const deliveriesSchema = z.object({
  deliveries: z.array(
    z.object({
      id: z.int(),
      channel: z.enum(['webhook', 'slack', 'discord']),
      path: z.string(),
      status: z.int(),
      type: z.string().nullable(),
      text: z.string().nullable(),
      headers: z.record(z.string(), z.string()),
      body: z.string(),
    }),
  ),
});
export type SandboxDelivery = z.infer<typeof deliveriesSchema>['deliveries'][number];

/** A change that the control server of the sandbox can make to an endpoint. */
export type SandboxChange = 'payto' | 'price' | 'asset' | 'challenge' | 'listing' | 'outage';

/** Creates requests to the control server and to the receiver of a sandbox. */
export function createSandboxRequests({
  controlUrl,
  receiverUrl,
}: Record<'controlUrl' | 'receiverUrl', string>) {
  const requestChange = async (endpoint: string, request: RequestInit): Promise<void> => {
    const url = new URL(`/changes?endpoint=${encodeURIComponent(endpoint)}`, controlUrl);
    const response = await fetch(url, request);
    if (!response.ok) throw new Error(await response.text());
  };
  return {
    change: (endpoint: string, change: SandboxChange): Promise<void> =>
      requestChange(endpoint, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ change }),
      }),
    /** Removes all changes of an endpoint. */
    restore: (endpoint: string): Promise<void> => requestChange(endpoint, { method: 'DELETE' }),
    /** Lists what the receiver received on a path, oldest first. */
    listDeliveries: async (path: string): Promise<SandboxDelivery[]> => {
      const response = await fetch(new URL('/deliveries', receiverUrl));
      const { deliveries } = deliveriesSchema.parse(await response.json());
      return deliveries.filter((delivery) => delivery.path === path).toReversed();
    },
  };
}
