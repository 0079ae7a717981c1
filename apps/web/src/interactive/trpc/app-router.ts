import { exploreRouter } from './explore-router.ts';
import { createCallerFactory, router } from './trpc.ts';
import { watchRouter } from './watch-router.ts';

/**
 * Procedures of the site. Pages call these procedures on the server, and browsers call these procedures at `/api/trpc`.
 */
export const appRouter = router({ explore: exploreRouter, watch: watchRouter });

/** Type of the procedures, for the clients in browsers. */
export type AppRouter = typeof appRouter;

/** Creates a caller that runs the procedures in this process. */
export const createCaller = createCallerFactory(appRouter);
