import { connect } from '@touchstone/store';
import { createCipher } from '@touchstone/watch';
import { deliverEvents } from '../watches/deliver-events.ts';
import { createReceiverSender } from './receivers.ts';

/** Settings of a process that delivers events until it is killed. */
export interface DeliverProcessSettings {
  readonly databaseUrl: string;
  readonly databaseKey: string;
  readonly watchKey: string;
  readonly receivers: { readonly port: number; readonly ca: string };
  /** Time of the process, in milliseconds since the epoch. It does not advance. */
  readonly now: number;
  readonly owner: string;
}

// The test that starts this process writes its settings, so they need no validation.
const settings = JSON.parse(process.env['DELIVER'] ?? '{}') as DeliverProcessSettings;

process.once('disconnect', () => process.exit(0));
const summary = await deliverEvents({
  db: connect({ url: settings.databaseUrl, key: settings.databaseKey }),
  now: () => settings.now,
  owner: settings.owner,
  watches: {
    cipher: createCipher([settings.watchKey]),
    send: createReceiverSender(settings.receivers),
    baseUrl: 'https://touchstone.example',
  },
});
process.send?.(summary);
process.disconnect();
