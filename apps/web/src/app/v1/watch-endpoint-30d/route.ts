import { enqueueConnectionTests } from '../../../api/connection-test-queue.ts';
import { paidRoute } from '../../../api/paid-route.ts';
import { createWatchOperation } from '../../../operations/watch-operations.ts';

export const dynamic = 'force-dynamic';

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = paidRoute(
  createWatchOperation,
  enqueueConnectionTests,
);
