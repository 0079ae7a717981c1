import { Section, Topic } from '../../page-parts/section.tsx';

/** Rules of test purchases, for people. */
export function PurchaseMethod() {
  return (
    <Section id="method" title="Method" className="mt-12">
      <div className="mt-4 grid gap-x-12 gap-y-8 md:grid-cols-2 lg:grid-cols-3">
        <PurchaseTopics />
        <PublicationTopics />
      </div>
    </Section>
  );
}

/** Rules for the choice of purchases, and for their outcomes. */
function PurchaseTopics() {
  return (
    <>
      <Topic id="bought" title="What is bought">
        <p>
          Endpoints that a directory lists, whose latest probe succeeded, and whose price in USDC is below the
          limit, unless the advice is to avoid them. Endpoints that were never bought come first, then those
          with more payments. An endpoint is bought again after seven days.
        </p>
        <p>
          The request is the example that the seller declares, or has no input. The payment goes to the payTo
          address and has the price that the probes observed.
        </p>
      </Topic>
      <Topic id="never-bought" title="What is never bought">
        <p>
          Calls that do something: the URL, the description or the example says that the call sends, posts,
          buys, books, mints, trades, transfers, deletes or publishes. In doubt, nothing is bought.
        </p>
        <p>
          Also URL templates, methods other than GET and POST, a POST without a declared example, examples
          with placeholders or data of a person, hosts whose provider opted out, and hosts that the operator
          excludes.
        </p>
      </Topic>
      <Topic id="judged" title="How an outcome is judged">
        <p>
          The chain shows the transfer, or it shows that the transfer cannot happen any more. Then the status,
          the duration and the body decide. The body is compared with the declared schema, and is not kept:
          the record has its length and SHA-256.
        </p>
        <p>
          Failures of this service count neither for nor against an endpoint. Outcomes raise{' '}
          <a href="/methodology#flags">flags</a>. They are no part of the score.
        </p>
      </Topic>
    </>
  );
}

/** When an outcome is published, and what providers and buyers can do. */
function PublicationTopics() {
  return (
    <>
      <Topic id="published" title="When it is published">
        <p>
          At once if the purchase was delivered, or was not charged. A purchase that was charged and not
          delivered as declared and in time is published 24 hours after its outcome is known. Until then, this
          page only counts it.
        </p>
        <p>
          Such a purchase is repeated on another day. An error flag needs failures of two days, with no
          delivery between. One delivery lifts the flag.
        </p>
      </Topic>
      <Topic id="providers" title="For providers">
        <p>
          The provider of a <a href="/claim">claimed</a> host is told before the publication. A provider can{' '}
          <a href="/dispute">dispute</a> a flag. The dispute and the answer are public.
        </p>
      </Topic>
      <Topic id="buyers" title="For buyers">
        <p>
          A buyer reports what an endpoint returned for a payment, signed with the key of its wallet:{' '}
          <a href="/docs#reportOutcome">how to report</a>, free. A report counts once per payment, and only if
          the chain shows this payment to an address that the endpoint asked for.
        </p>
        <p>
          Failures of three payers raise a warning. Reports of deliveries raise nothing, because a seller
          could buy from itself.
        </p>
      </Topic>
    </>
  );
}
