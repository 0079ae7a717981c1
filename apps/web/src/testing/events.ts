import type { EcosystemEvent } from '@touchstone/store';

/** Creates an event with the given values. By default, one endpoint had an outage. */
export function createEvent(values: Partial<EcosystemEvent> = {}): EcosystemEvent {
  const at = values.at ?? '2026-11-20T08:20:00.000Z';
  return {
    id: '7',
    at,
    updatedAt: at,
    kind: 'outage',
    host: 'api.example.com',
    slug: 'api-example-com-weather-xvdduuxtfa',
    resource: 'https://api.example.com/weather',
    grade: 'B',
    recommendation: 'caution',
    listingStatus: 'listed',
    failingSince: at,
    endpoints: 1,
    ...values,
  };
}
