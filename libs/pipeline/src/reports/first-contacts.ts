import { MINUTE_MS } from '@touchstone/common';
import { createPurchaseQueue } from '@touchstone/payment';
import { createPauses } from '../pauses.ts';
import { createLimited, type ReportProblem } from '../problem.ts';

/** Payer of a report, and the client that sent the request, such as an IP address. */
export interface Requester {
  readonly payer: string;
  readonly client: string;
}

/** Request for a first contact. `host` is the host of the endpoint. */
interface ContactRequest extends Requester {
  readonly host: string;
}

export interface FirstContacts {
  /**
   * Runs a first contact, which is the first probe of an endpoint outside the catalog. The first contact waits until
   * its client has a free slot. Returns a problem if the payer is paused for the host, or if too many first contacts of the payer,
   * of the client or of all clients wait.
   */
  readonly run: <T extends { readonly kind: string }>(
    request: ContactRequest,
    contact: () => Promise<T | ReportProblem>,
  ) => Promise<T | ReportProblem>;
}

/** Maximum number of first contacts of one payer that wait or run. */
export const MAX_CONTACTS_PER_PAYER = 8;
/** Number of first contacts of one host without a report after which a payer is paused for this host. */
export const MAX_UNPAID_CONTACTS_PER_HOST = 3;
/**
 * Number of first contacts of all hosts without a report after which a payer is paused for all hosts. An agent that
 * checks a list of dead endpoints stays below this number, and each of its probes ends within 5 seconds. A first contact
 * counts when it ends: if running ones counted, a payer with several good URLs of a host would be refused.
 */
export const MAX_UNPAID_CONTACTS = 60;
/** Time in which the first contacts without a report are counted, and duration of the pause, in milliseconds. */
const PAUSE_MS = 10 * MINUTE_MS;
/**
 * Limits of all first contacts. A first contact takes at most 5 seconds and a few database calls, and the lease of its
 * payment ends after 30 seconds. So the queue holds at most two waiting first contacts for each running first contact.
 */
const LIMITS = { maxSlots: 48, maxSlotsPerClient: 4, maxPurchases: 144, maxPurchasesPerClient: 12 };

const KNOWN_OPEN = 'URLs of the catalog are not affected.';

const BUSY = createLimited(
  'The endpoint is not in the catalog, and too many probes of such endpoints are waiting.',
  10,
);

/**
 * Creates the limits for first contacts of a process. A first contact without a report is not charged, so it must not
 * delay the purchases of other clients. A client whose endpoints never respond uses up only the slots of this client,
 * and the payer is paused: first for the host of the endpoints, and after many failures for all hosts.
 *
 * @param now Returns the current time in milliseconds since the epoch.
 */
export function createFirstContacts(now: () => number): FirstContacts {
  const queue = createPurchaseQueue(LIMITS);
  /** Number of first contacts by payer that wait or run. */
  const active = new Map<string, number>();
  const hostPauses = createPauses({ maxEvents: MAX_UNPAID_CONTACTS_PER_HOST, durationMs: PAUSE_MS, now });
  const pauses = createPauses({ maxEvents: MAX_UNPAID_CONTACTS, durationMs: PAUSE_MS, now });

  const findPause = ({ payer, host }: ContactRequest): ReportProblem | null => {
    const seconds = pauses.getSeconds(payer);
    if (seconds !== null) {
      const failed = `${MAX_UNPAID_CONTACTS} URLs that this payer requested within 10 minutes could not be added`;
      return createLimited(`This URL is not in the catalog, and ${failed}. ${KNOWN_OPEN}`, seconds);
    }
    const hostSeconds = hostPauses.getSeconds(`${payer} ${host}`);
    if (hostSeconds === null) return null;
    const failed = `${MAX_UNPAID_CONTACTS_PER_HOST} URLs of ${host} that this payer requested within 10 minutes could not be added`;
    const open = 'Check the URL. URLs of the catalog and of other hosts are not affected.';
    return createLimited(`This URL is not in the catalog, and ${failed}. ${open}`, hostSeconds);
  };
  const count = (payer: string, change: number): void => {
    const contacts = (active.get(payer) ?? 0) + change;
    if (contacts === 0) active.delete(payer);
    else active.set(payer, contacts);
  };

  /** Runs a first contact in its slot, unless the payer was paused while the first contact waited. */
  const runUnlessPaused = async <T extends { readonly kind: string }>(
    request: ContactRequest,
    contact: () => Promise<T | ReportProblem>,
  ): Promise<T | ReportProblem> => {
    const pause = findPause(request);
    if (pause !== null) return pause;
    const result = await contact();
    if (isUnpaid(result)) {
      pauses.record(request.payer);
      hostPauses.record(`${request.payer} ${request.host}`);
    }
    return result;
  };

  return {
    run: async (request, contact) => {
      const { payer, client } = request;
      if ((active.get(payer) ?? 0) >= MAX_CONTACTS_PER_PAYER) return BUSY;
      count(payer, 1);
      try {
        return await (queue.run(client, () => runUnlessPaused(request, contact)) ?? BUSY);
      } finally {
        count(payer, -1);
      }
    },
  };
}

/**
 * Returns true for a first contact that sent a probe and led to no report. A first contact without a probe does not
 * count, because it causes no cost.
 */
const isUnpaid = (
  result: { readonly kind: string } & Partial<Pick<ReportProblem, 'code' | 'isProbeRefused'>>,
): boolean =>
  result.kind === 'problem' &&
  result.isProbeRefused !== true &&
  (result.code === 'not-probeable' || result.code === 'unknown-resource');
