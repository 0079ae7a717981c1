import { connect } from '@touchstone/store';
import { buyPurchases } from '../purchases/buy-purchases.ts';
import { openPurchaseWorld } from './purchase-world.ts';

/**
 * Settings of this process. The process runs the job that buys from endpoints once, and a test can kill the process.
 */
const { DATABASE_URL: url = '', DATABASE_KEY: key = '', WALLET_KEY: walletKey = '' } = process.env;

const connectWith = (fetch: typeof globalThis.fetch) => connect({ url, key, fetch });
const context = { db: connectWith(globalThis.fetch) };
const shop = await openPurchaseWorld({ connect: connectWith, context }, `0x${walletKey.slice(2)}`);
await buyPurchases(shop.createContext());
shop.close();
