import { ImitableHosts } from '@touchstone/catalog';
import { MINUTE_MS } from '@touchstone/common';
import { listImitableHosts, type Db } from '@touchstone/store';

/** Reuse of the list of known hosts, in milliseconds. */
const MAX_AGE_MS = 5 * MINUTE_MS;

interface Entry {
  readonly hosts: Promise<ImitableHosts>;
  /** In milliseconds since the epoch. */
  readonly readAt: number;
}

const lists = new WeakMap<Db, Entry>();

/**
 * Returns the known host that an unknown host imitates; null if no imitation is recognized. The list of known hosts is
 * read at most every five minutes.
 *
 * @throws StoreError when the database fails
 */
export async function findImitatedHost(
  { db, now }: { readonly db: Db; readonly now: () => number },
  host: string,
): Promise<string | null> {
  const time = now();
  const known = lists.get(db);
  if (known !== undefined && Math.abs(time - known.readAt) < MAX_AGE_MS)
    return (await known.hosts).find(host);
  const hosts = listImitableHosts(db).then((names) => new ImitableHosts(names));
  lists.set(db, { hosts, readAt: time });
  // A failed read is not reused.
  hosts.catch(() => lists.delete(db));
  return (await hosts).find(host);
}
