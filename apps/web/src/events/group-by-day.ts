import type { EcosystemEvent } from '@touchstone/store';

/** Events of one UTC day. */
export interface EventDay {
  /** UTC day, YYYY-MM-DD. */
  readonly day: string;
  readonly events: readonly EcosystemEvent[];
}

/** Groups events by UTC day. The order of the events is kept; events of one day must be adjacent. */
export function groupByDay(events: readonly EcosystemEvent[]): readonly EventDay[] {
  const days: { day: string; events: EcosystemEvent[] }[] = [];
  for (const event of events) {
    const day = event.at.slice(0, 10);
    const last = days.at(-1);
    if (last?.day === day) last.events.push(event);
    else days.push({ day, events: [event] });
  }
  return days;
}
