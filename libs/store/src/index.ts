export { adoptEndpoint, expireAdoptions, type AdoptedEndpoint } from './reports/adoption.ts';
export { findCheck, KEPT_CHECK_MS, refusesChecks, storeCheck, type KeptCheck } from './checks/checks.ts';
export {
  editClaim,
  listHostEndpoints,
  readHostEndpoints,
  type ClaimEdit,
  type ClaimSettings,
  type HostClaim,
  type MaintenanceWindow,
  type NewMaintenanceWindow,
  type NewNotices,
  type NewStatement,
  type ProviderNotes,
  type Statement,
} from './claims/claim-settings.ts';
export { connect, StoreError, type Db } from './client/client.ts';
export {
  recordEcosystemDay,
  refreshEcosystem,
  type EcosystemDay,
  type EndpointDay,
  type ListedSnapshot,
} from './days/days.ts';
export {
  finishDiscovery,
  recordListings,
  startDiscovery,
  type DiscoveryEnd,
  type DiscoveryRun,
  type ListedEndpoint,
} from './discovery/discovery.ts';
export {
  answerDispute,
  createCorrection,
  createDispute,
  findDisputeSubject,
  readDisputeEvidence,
  readOpenDisputes,
  type DisputeSubject,
  type NewDispute,
  type OpenDispute,
  type PublicDispute,
} from './disputes/disputes.ts';
export {
  findOutcomeSubject,
  recheckBuyerOutcomes,
  recordBuyerOutcome,
  type NewOutcome,
  type NamedPayment,
  type PaidOutcome,
  type RecordedOutcome,
} from './outcomes/outcomes.ts';
export {
  EXPLORE_LISTINGS,
  EXPLORE_PROPERTIES,
  EXPLORE_SORTS,
  InvalidCursorError,
  type ChoiceCounts,
  type ExplorePage,
  type ExploreListing,
  type ExploreProperty,
  type ExploreQuery,
  type ExploreSort,
  type Provider,
} from './explore/explore.ts';
export {
  claimOpenPurchases,
  decidePurchase,
  findPurchaseCandidates,
  postponePurchases,
  publishPurchases,
  recordPurchaseAnswer,
  recordSignedPurchase,
  registerOwnWallet,
  reservePurchase,
  type NewPurchase,
  type OpenPurchase,
  type PurchaseAnswer,
  type PurchaseCandidate,
  type PurchaseDecision,
} from './purchases/purchases.ts';
export { readEndpointHistory, type StoredHistory } from './reports/history.ts';
export {
  findClosestEndpoint,
  type RelatedEndpoint,
  readReportSources,
  readSampleRanks,
} from './reports/report-sources.ts';
export { readReportSubject, recordLiveProbe, type ReportSubject } from './reports/live-probes.ts';
export {
  claimDueEndpoints,
  countDueSlots,
  releaseLeases,
  releaseSlots,
  resetDistantSlots,
  type ClaimedEndpoint,
} from './probing/claims.ts';
export {
  recordObservations,
  type Observation,
  type PaymentTerms,
  type StoredChallenge,
} from './probing/observations.ts';
export type { PublishedPurchase, PurchaseLedger } from './purchases/published-purchases.ts';
export { claimPayment, type ClaimedPayment, type PaymentClaim } from './payments/claim-payment.ts';
export {
  auditPayment,
  extendPaymentLease,
  failPayment,
  findPayment,
  storePaymentResult,
  refusePayment,
  releasePayment,
  settlePayment,
  claimUncheckedPayments,
  type Payment,
  type StoredPayment,
  type PaymentKey,
} from './payments/payments.ts';
export { readOperationalMetrics, type OperationalMetrics } from './metrics/operational-metrics.ts';
export { findSchemaProblem, isWritable } from './metrics/schema-problem.ts';
export {
  readPageExpirations,
  recordPageExpirations,
  type PageExpirations,
} from './page-expirations/page-expirations.ts';
export { readBulkScores, type BulkScore } from './reports/bulk-scores.ts';
export { listImitableHosts, readSummarySource, type SummarySource } from './reports/summary-source.ts';
export { createPublicStore, type PublicStore } from './public-store.ts';
export { consumeRateLimit } from './rate-limits/rate-limits.ts';
export {
  readScoringInputs,
  saveSnapshots,
  type SnapshotRow,
  type StoredScoringInput,
} from './scoring/scoring.ts';
export { queueAgedSnapshots, postponeScores, claimScores } from './scoring/scoring-queue.ts';
export {
  isEventCursor,
  readEcosystemEvents,
  type EcosystemEvent,
  type EcosystemEventCounts,
  type EcosystemEventPage,
  type EventEntry,
} from './events/ecosystem-events.ts';
export {
  countAlternatives,
  readAlternatives,
  searchByEmbedding,
  type StoredAlternatives,
  type StoredMatch,
} from './search/matches.ts';
export {
  deleteUnusedTexts,
  invokeEmbedFunction,
  markRefused,
  readPendingTexts,
  saveEmbeddings,
} from './search/texts.ts';
export type { Ecosystem, PayOn, Snapshot } from './snapshots/snapshot.ts';
export { isRefusedValue, skipRefusedItems } from './client/refused-values.ts';
export {
  createPartitions,
  packObservations,
  pruneHostQueues,
  prunePayments,
  pruneRows,
  pruneSettlements,
} from './retention/retention.ts';
export {
  isIndexable,
  isProviderIndexable,
  readPageNames,
  type PageKind,
  type PageTarget,
  type Category,
  type SitemapProvider,
} from './sitemap/sitemap.ts';
export {
  assignWalletGroups,
  readWalletGroups,
  recordSettlements,
  type WalletGroup,
} from './settlements/settlements.ts';
export {
  readSettlementFigures,
  type SetFigures,
  type SetWallet,
  type WalletFigures,
} from './settlements/settlement-figures.ts';
export {
  cancelWatch,
  createRenewal,
  findAppliedPurchase,
  createWatch,
  editWatch,
  findWatch,
  findWatchSecretHash,
  findWatchTarget,
  type DestinationEdit,
  type NewDestination,
  type StoredWatch,
  type WatchTarget,
} from './watches/watches.ts';
export {
  claimDeliveries,
  recordDeliveries,
  releaseDeliveries,
  type ClaimedDelivery,
  type DeliveryAttempt,
} from './watches/deliveries.ts';
export {
  applyOptOuts,
  claimDueClaims,
  deleteEndedClaims,
  endClaim,
  findActiveClaim,
  findClaim,
  isClaimable,
  readUnpublishedPurchases,
  recordClaimCheck,
  verifyClaim,
  type ClaimCheck,
  type DueClaim,
  type StoredClaim,
} from './claims/claims.ts';
export { advanceWatches, readWatchAttempts, readWatchLog, type StoredAttempt } from './watches/watch-log.ts';
