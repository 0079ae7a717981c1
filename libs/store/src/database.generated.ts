// Generated from supabase/migrations by `npm run db:types`; do not edit.

export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[]

export type Database = {
  
  "public": {
          Tables: {
            "buyer_outcomes": {
                  Row: {
                    "amount": number,"body_sha256": string | null,"delivered": boolean,"endpoint_id": string,"http_status": number | null,"network": string,"nonce": string,"observed_at": string,"paid_at": string,"pay_to": string,"payer": string,"received_at": string,"sender": string,"signature": string,"transaction": string,"uncounted_reason": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "amount": number,"body_sha256"?: string | null,"delivered": boolean,"endpoint_id": string,"http_status"?: number | null,"network": string,"nonce": string,"observed_at": string,"paid_at": string,"pay_to": string,"payer": string,"received_at": string,"sender": string,"signature": string,"transaction": string,"uncounted_reason"?: string | null
                  }
                  Update: {
                    "amount"?: number,"body_sha256"?: string | null,"delivered"?: boolean,"endpoint_id"?: string,"http_status"?: number | null,"network"?: string,"nonce"?: string,"observed_at"?: string,"paid_at"?: string,"pay_to"?: string,"payer"?: string,"received_at"?: string,"sender"?: string,"signature"?: string,"transaction"?: string,"uncounted_reason"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "buyer_outcomes_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"chain_cursors": {
                  Row: {
                    "anchors": NonNullable<Json>,"caught_up_at": string | null,"from_block": number | null,"funded_on": string | null,"network": string,"next_block": number | null,"revision": number,"since": string,"span": number | null,"through_at": string | null,"wallet_group": number
                  }
                  ComputedFields: never
                  Insert: {
                    "anchors"?: NonNullable<Json>,"caught_up_at"?: string | null,"from_block"?: number | null,"funded_on"?: string | null,"network": string,"next_block"?: number | null,"revision"?: number,"since": string,"span"?: number | null,"through_at"?: string | null,"wallet_group": number
                  }
                  Update: {
                    "anchors"?: NonNullable<Json>,"caught_up_at"?: string | null,"from_block"?: number | null,"funded_on"?: string | null,"network"?: string,"next_block"?: number | null,"revision"?: number,"since"?: string,"span"?: number | null,"through_at"?: string | null,"wallet_group"?: number
                  }
                  Relationships: [
                    
                  ]
                },"chain_wallets": {
                  Row: {
                    "advertised_at": string,"network": string,"pay_to": string,"since": string,"wallet_group": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "advertised_at": string,"network": string,"pay_to": string,"since": string,"wallet_group"?: number | null
                  }
                  Update: {
                    "advertised_at"?: string,"network"?: string,"pay_to"?: string,"since"?: string,"wallet_group"?: number | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "chain_wallets_network_wallet_group_fkey"
      columns: ["network","wallet_group"]
isOneToOne: false
      referencedRelation: "chain_cursors"
      referencedColumns: ["network","wallet_group"]
    }
                  ]
                },"challenges": {
                  Row: {
                    "challenge": NonNullable<Json>,"first_seen_at": string,"hash": string,"last_seen_at": string,"version": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "challenge": NonNullable<Json>,"first_seen_at": string,"hash": string,"last_seen_at": string,"version"?: number | null
                  }
                  Update: {
                    "challenge"?: NonNullable<Json>,"first_seen_at"?: string,"hash"?: string,"last_seen_at"?: string,"version"?: number | null
                  }
                  Relationships: [
                    
                  ]
                },"changes": {
                  Row: {
                    "after": Json | null,"at": string,"before": Json | null,"endpoint_id": string,"id": number,"kind": string,"variation": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "after"?: Json | null,"at": string,"before"?: Json | null,"endpoint_id": string,"id"?: never,"kind": string,"variation"?: string | null
                  }
                  Update: {
                    "after"?: Json | null,"at"?: string,"before"?: Json | null,"endpoint_id"?: string,"id"?: never,"kind"?: string,"variation"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "changes_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"checks": {
                  Row: {
                    "checked_at": string,"method": string,"resource": string,"result": NonNullable<Json>
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_at": string,"method": string,"resource": string,"result": NonNullable<Json>
                  }
                  Update: {
                    "checked_at"?: string,"method"?: string,"resource"?: string,"result"?: NonNullable<Json>
                  }
                  Relationships: [
                    
                  ]
                },"claims": {
                  Row: {
                    "checked_at": string,"contact": string | null,"end_reason": string | null,"ended_at": string | null,"host": string,"id": string,"next_check_at": string | null,"proof": string,"proof_key": string,"status": string,"unreadable_since": string | null,"verified_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "checked_at": string,"contact"?: string | null,"end_reason"?: string | null,"ended_at"?: string | null,"host": string,"id": string,"next_check_at"?: string | null,"proof": string,"proof_key": string,"status"?: string,"unreadable_since"?: string | null,"verified_at": string
                  }
                  Update: {
                    "checked_at"?: string,"contact"?: string | null,"end_reason"?: string | null,"ended_at"?: string | null,"host"?: string,"id"?: string,"next_check_at"?: string | null,"proof"?: string,"proof_key"?: string,"status"?: string,"unreadable_since"?: string | null,"verified_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"daily_rollups": {
                  Row: {
                    "amount_at": string | null,"amount_usd": number | null,"blocked": number,"causes": Json | null,"day": string,"due_seconds": number,"endpoint_id": string,"envelopes_errors": number,"envelopes_pass": number,"envelopes_unpayable": number,"envelopes_warnings": number,"excluded": number,"free": number,"latency_histogram": (number)[] | null,"latency_n": number,"latency_sum_ms": number,"probes": number,"rechecks": number,"redirected": number,"response_histogram": (number)[] | null,"response_n": number,"response_sum_ms": number,"scored": number,"slots_due": number,"slots_probed": number,"up": number
                  }
                  ComputedFields: never
                  Insert: {
                    "amount_at"?: string | null,"amount_usd"?: number | null,"blocked"?: number,"causes"?: Json | null,"day": string,"due_seconds"?: number,"endpoint_id": string,"envelopes_errors"?: number,"envelopes_pass"?: number,"envelopes_unpayable"?: number,"envelopes_warnings"?: number,"excluded"?: number,"free"?: number,"latency_histogram"?: (number)[] | null,"latency_n"?: number,"latency_sum_ms"?: number,"probes"?: number,"rechecks"?: number,"redirected"?: number,"response_histogram"?: (number)[] | null,"response_n"?: number,"response_sum_ms"?: number,"scored"?: number,"slots_due"?: number,"slots_probed"?: number,"up"?: number
                  }
                  Update: {
                    "amount_at"?: string | null,"amount_usd"?: number | null,"blocked"?: number,"causes"?: Json | null,"day"?: string,"due_seconds"?: number,"endpoint_id"?: string,"envelopes_errors"?: number,"envelopes_pass"?: number,"envelopes_unpayable"?: number,"envelopes_warnings"?: number,"excluded"?: number,"free"?: number,"latency_histogram"?: (number)[] | null,"latency_n"?: number,"latency_sum_ms"?: number,"probes"?: number,"rechecks"?: number,"redirected"?: number,"response_histogram"?: (number)[] | null,"response_n"?: number,"response_sum_ms"?: number,"scored"?: number,"slots_due"?: number,"slots_probed"?: number,"up"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "daily_rollups_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"daily_scores": {
                  Row: {
                    "day": string,"endpoint_id": string,"grade": string,"recommendation": string,"score": number
                  }
                  ComputedFields: never
                  Insert: {
                    "day": string,"endpoint_id": string,"grade": string,"recommendation": string,"score": number
                  }
                  Update: {
                    "day"?: string,"endpoint_id"?: string,"grade"?: string,"recommendation"?: string,"score"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "daily_scores_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"discovery_runs": {
                  Row: {
                    "accepted": number,"complete": boolean,"delisted": number,"directory": string,"duplicates": number,"finished_at": string | null,"id": number,"items": number,"listed": number,"next_offset": number,"note": string | null,"page_size": number | null,"pages": number,"progressed_at": string,"rejected": number,"rejects": NonNullable<Json>,"relisted": number,"resume_at": string | null,"shrunken": boolean,"started_at": string,"total": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "accepted"?: number,"complete"?: boolean,"delisted"?: number,"directory": string,"duplicates"?: number,"finished_at"?: string | null,"id"?: never,"items"?: number,"listed"?: number,"next_offset"?: number,"note"?: string | null,"page_size"?: number | null,"pages"?: number,"progressed_at": string,"rejected"?: number,"rejects"?: NonNullable<Json>,"relisted"?: number,"resume_at"?: string | null,"shrunken"?: boolean,"started_at": string,"total"?: number | null
                  }
                  Update: {
                    "accepted"?: number,"complete"?: boolean,"delisted"?: number,"directory"?: string,"duplicates"?: number,"finished_at"?: string | null,"id"?: never,"items"?: number,"listed"?: number,"next_offset"?: number,"note"?: string | null,"page_size"?: number | null,"pages"?: number,"progressed_at"?: string,"rejected"?: number,"rejects"?: NonNullable<Json>,"relisted"?: number,"resume_at"?: string | null,"shrunken"?: boolean,"started_at"?: string,"total"?: number | null
                  }
                  Relationships: [
                    
                  ]
                },"disputes": {
                  Row: {
                    "answer": string | null,"answered_at": string | null,"created_at": string,"endpoint_id": string | null,"evidence": Json | null,"id": string,"is_former_wallet": boolean,"message_hash": string | null,"proof": string,"prover": string | null,"shown": string,"state": string,"subject": string | null,"text": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "answer"?: string | null,"answered_at"?: string | null,"created_at": string,"endpoint_id"?: string | null,"evidence"?: Json | null,"id": string,"is_former_wallet"?: boolean,"message_hash"?: string | null,"proof": string,"prover"?: string | null,"shown": string,"state"?: string,"subject"?: string | null,"text"?: string | null
                  }
                  Update: {
                    "answer"?: string | null,"answered_at"?: string | null,"created_at"?: string,"endpoint_id"?: string | null,"evidence"?: Json | null,"id"?: string,"is_former_wallet"?: boolean,"message_hash"?: string | null,"proof"?: string,"prover"?: string | null,"shown"?: string,"state"?: string,"subject"?: string | null,"text"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "disputes_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"ecosystem_days": {
                  Row: {
                    "computed_at": string,"day": string,"figures": NonNullable<Json>
                  }
                  ComputedFields: never
                  Insert: {
                    "computed_at": string,"day": string,"figures": NonNullable<Json>
                  }
                  Update: {
                    "computed_at"?: string,"day"?: string,"figures"?: NonNullable<Json>
                  }
                  Relationships: [
                    
                  ]
                },"ecosystem_event_endpoints": {
                  Row: {
                    "endpoint_id": string,"event_id": number
                  }
                  ComputedFields: never
                  Insert: {
                    "endpoint_id": string,"event_id": number
                  }
                  Update: {
                    "endpoint_id"?: string,"event_id"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "ecosystem_event_endpoints_event_id_fkey"
      columns: ["event_id"]
isOneToOne: false
      referencedRelation: "ecosystem_events"
      referencedColumns: ["id"]
    }
                  ]
                },"ecosystem_events": {
                  Row: {
                    "at": string,"day": string,"endpoint_id": string,"endpoints": number,"host": string,"id": number,"kind": string,"updated_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "at": string,"day": string,"endpoint_id": string,"endpoints": number,"host": string,"id"?: never,"kind": string,"updated_at": string
                  }
                  Update: {
                    "at"?: string,"day"?: string,"endpoint_id"?: string,"endpoints"?: number,"host"?: string,"id"?: never,"kind"?: string,"updated_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"ecosystem_totals": {
                  Row: {
                    "categories": NonNullable<Json>,"figures": NonNullable<Json>,"id": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "categories": NonNullable<Json>,"figures": NonNullable<Json>,"id"?: boolean
                  }
                  Update: {
                    "categories"?: NonNullable<Json>,"figures"?: NonNullable<Json>,"id"?: boolean
                  }
                  Relationships: [
                    
                  ]
                },"endpoint_states": {
                  Row: {
                    "challenge_hash": string | null,"compliance": string | null,"compliance_at": string | null,"down_since": string | null,"endpoint_id": string,"failing_since": string | null,"last_challenged_at": string | null,"last_counted_at": string | null,"last_failure": Json | null,"last_observed_at": string | null,"last_payable_at": string | null,"last_probed_at": string | null,"last_up_at": string | null,"liveness": string | null,"method": string | null,"misses": number,"revision": number,"terms": Json | null,"terms_at": string | null,"watched_since": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "challenge_hash"?: string | null,"compliance"?: string | null,"compliance_at"?: string | null,"down_since"?: string | null,"endpoint_id": string,"failing_since"?: string | null,"last_challenged_at"?: string | null,"last_counted_at"?: string | null,"last_failure"?: Json | null,"last_observed_at"?: string | null,"last_payable_at"?: string | null,"last_probed_at"?: string | null,"last_up_at"?: string | null,"liveness"?: string | null,"method"?: string | null,"misses"?: number,"revision"?: number,"terms"?: Json | null,"terms_at"?: string | null,"watched_since"?: string | null
                  }
                  Update: {
                    "challenge_hash"?: string | null,"compliance"?: string | null,"compliance_at"?: string | null,"down_since"?: string | null,"endpoint_id"?: string,"failing_since"?: string | null,"last_challenged_at"?: string | null,"last_counted_at"?: string | null,"last_failure"?: Json | null,"last_observed_at"?: string | null,"last_payable_at"?: string | null,"last_probed_at"?: string | null,"last_up_at"?: string | null,"liveness"?: string | null,"method"?: string | null,"misses"?: number,"revision"?: number,"terms"?: Json | null,"terms_at"?: string | null,"watched_since"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "endpoint_states_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"endpoint_wallets": {
                  Row: {
                    "challenged": boolean,"endpoint_id": string,"host": string,"network": string,"pay_to": string
                  }
                  ComputedFields: never
                  Insert: {
                    "challenged": boolean,"endpoint_id": string,"host": string,"network": string,"pay_to": string
                  }
                  Update: {
                    "challenged"?: boolean,"endpoint_id"?: string,"host"?: string,"network"?: string,"pay_to"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "endpoint_wallets_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"endpoints": {
                  Row: {
                    "adopted_at": string | null,"declared_method": string | null,"delisted_at": string | null,"description": string | null,"example_request": Json | null,"first_seen_at": string,"host": string,"id": string,"listed_options": NonNullable<Json>,"listing_status": string,"opted_out": boolean,"probe_url": string | null,"protocol_version": number | null,"provisional_until": string | null,"removed_at": string | null,"resource": string,"service_name": string | null,"slug": string,"tags": (string)[],"templated": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "adopted_at"?: string | null,"declared_method"?: string | null,"delisted_at"?: string | null,"description"?: string | null,"example_request"?: Json | null,"first_seen_at": string,"host": string,"id": string,"listed_options"?: NonNullable<Json>,"listing_status"?: string,"opted_out"?: boolean,"probe_url"?: string | null,"protocol_version"?: number | null,"provisional_until"?: string | null,"removed_at"?: string | null,"resource": string,"service_name"?: string | null,"slug": string,"tags"?: (string)[],"templated": boolean
                  }
                  Update: {
                    "adopted_at"?: string | null,"declared_method"?: string | null,"delisted_at"?: string | null,"description"?: string | null,"example_request"?: Json | null,"first_seen_at"?: string,"host"?: string,"id"?: string,"listed_options"?: NonNullable<Json>,"listing_status"?: string,"opted_out"?: boolean,"probe_url"?: string | null,"protocol_version"?: number | null,"provisional_until"?: string | null,"removed_at"?: string | null,"resource"?: string,"service_name"?: string | null,"slug"?: string,"tags"?: (string)[],"templated"?: boolean
                  }
                  Relationships: [
                    
                  ]
                },"explore_entries": {
                  Row: {
                    "by_changed": number,"by_latency": number,"by_newest": number,"by_price": number,"by_price_desc": number,"by_score": number,"by_uptime": number,"described": boolean,"endpoint_id": string,"grade": string,"host": string,"is_compliant": boolean,"is_delivered": boolean,"is_indexable": boolean,"is_reachable": boolean | null,"listing": string,"listing_status": string,"networks": (string)[],"recommendation": string,"score": number | null,"tags": (string)[],"text_hash": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "by_changed": number,"by_latency": number,"by_newest": number,"by_price": number,"by_price_desc": number,"by_score": number,"by_uptime": number,"described": boolean,"endpoint_id": string,"grade": string,"host": string,"is_compliant": boolean,"is_delivered": boolean,"is_indexable": boolean,"is_reachable"?: boolean | null,"listing": string,"listing_status": string,"networks": (string)[],"recommendation": string,"score"?: number | null,"tags": (string)[],"text_hash"?: string | null
                  }
                  Update: {
                    "by_changed"?: number,"by_latency"?: number,"by_newest"?: number,"by_price"?: number,"by_price_desc"?: number,"by_score"?: number,"by_uptime"?: number,"described"?: boolean,"endpoint_id"?: string,"grade"?: string,"host"?: string,"is_compliant"?: boolean,"is_delivered"?: boolean,"is_indexable"?: boolean,"is_reachable"?: boolean | null,"listing"?: string,"listing_status"?: string,"networks"?: (string)[],"recommendation"?: string,"score"?: number | null,"tags"?: (string)[],"text_hash"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "explore_entries_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "snapshots"
      referencedColumns: ["endpoint_id"]
    }
                  ]
                },"explore_terms": {
                  Row: {
                    "endpoints": number,"kind": string,"term": string
                  }
                  ComputedFields: never
                  Insert: {
                    "endpoints": number,"kind": string,"term": string
                  }
                  Update: {
                    "endpoints"?: number,"kind"?: string,"term"?: string
                  }
                  Relationships: [
                    
                  ]
                },"host_queues": {
                  Row: {
                    "host": string,"next_due_at": string,"not_before": string
                  }
                  ComputedFields: never
                  Insert: {
                    "host": string,"next_due_at": string,"not_before"?: string
                  }
                  Update: {
                    "host"?: string,"next_due_at"?: string,"not_before"?: string
                  }
                  Relationships: [
                    
                  ]
                },"leases": {
                  Row: {
                    "due_seconds": number,"due_slots": number,"endpoint_id": string,"expires_at": string,"is_recheck": boolean,"owner": string,"slot_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "due_seconds"?: number,"due_slots"?: number,"endpoint_id": string,"expires_at": string,"is_recheck"?: boolean,"owner": string,"slot_at": string
                  }
                  Update: {
                    "due_seconds"?: number,"due_slots"?: number,"endpoint_id"?: string,"expires_at"?: string,"is_recheck"?: boolean,"owner"?: string,"slot_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"listings": {
                  Row: {
                    "delisted_at": string | null,"description": string | null,"directory": string,"endpoint_id": string,"first_listed_at": string,"last_listed_at": string,"last_run_id": number,"service_name": string | null,"tags": (string)[]
                  }
                  ComputedFields: never
                  Insert: {
                    "delisted_at"?: string | null,"description"?: string | null,"directory": string,"endpoint_id": string,"first_listed_at": string,"last_listed_at": string,"last_run_id": number,"service_name"?: string | null,"tags"?: (string)[]
                  }
                  Update: {
                    "delisted_at"?: string | null,"description"?: string | null,"directory"?: string,"endpoint_id"?: string,"first_listed_at"?: string,"last_listed_at"?: string,"last_run_id"?: number,"service_name"?: string | null,"tags"?: (string)[]
                  }
                  Relationships: [
                    {
      foreignKeyName: "listings_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"maintenance_windows": {
                  Row: {
                    "announced_at": string,"endpoint_id": string | null,"ends_at": string,"host": string,"id": number,"starts_at": string,"text": string
                  }
                  ComputedFields: never
                  Insert: {
                    "announced_at": string,"endpoint_id"?: string | null,"ends_at": string,"host": string,"id"?: never,"starts_at": string,"text": string
                  }
                  Update: {
                    "announced_at"?: string,"endpoint_id"?: string | null,"ends_at"?: string,"host"?: string,"id"?: never,"starts_at"?: string,"text"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "maintenance_windows_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"observations": {
                  Row: {
                    "amount_usd": number | null,"at": string,"compliance": string | null,"endpoint_id": string,"excluded": boolean,"failure": string | null,"http_status": number | null,"is_recheck": boolean,"outcome": string,"response_ms": number | null,"vitality": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "amount_usd"?: number | null,"at": string,"compliance"?: string | null,"endpoint_id": string,"excluded"?: boolean,"failure"?: string | null,"http_status"?: number | null,"is_recheck"?: boolean,"outcome": string,"response_ms"?: number | null,"vitality"?: number | null
                  }
                  Update: {
                    "amount_usd"?: number | null,"at"?: string,"compliance"?: string | null,"endpoint_id"?: string,"excluded"?: boolean,"failure"?: string | null,"http_status"?: number | null,"is_recheck"?: boolean,"outcome"?: string,"response_ms"?: number | null,"vitality"?: number | null
                  }
                  Relationships: [
                    
                  ]
                },"opt_outs": {
                  Row: {
                    "claim_id": string,"host": string,"opted_out_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "claim_id": string,"host": string,"opted_out_at": string
                  }
                  Update: {
                    "claim_id"?: string,"host"?: string,"opted_out_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"outcome_checks": {
                  Row: {
                    "due_at": string,"endpoint_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "due_at": string,"endpoint_id": string
                  }
                  Update: {
                    "due_at"?: string,"endpoint_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "outcome_checks_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"own_wallets": {
                  Row: {
                    "address": string,"since": string
                  }
                  ComputedFields: never
                  Insert: {
                    "address": string,"since": string
                  }
                  Update: {
                    "address"?: string,"since"?: string
                  }
                  Relationships: [
                    
                  ]
                },"packed_observations": {
                  Row: {
                    "amount_usd": number | null,"compliance": string | null,"day": string,"endpoint_id": string,"excluded": boolean,"failure": string | null,"http_status": number | null,"is_recheck": boolean,"outcome": string,"response_ms": (number)[],"times_ms": (number)[],"vitality": number | null
                  }
                  ComputedFields: never
                  Insert: {
                    "amount_usd"?: number | null,"compliance"?: string | null,"day": string,"endpoint_id": string,"excluded": boolean,"failure"?: string | null,"http_status"?: number | null,"is_recheck": boolean,"outcome": string,"response_ms": (number)[],"times_ms": (number)[],"vitality"?: number | null
                  }
                  Update: {
                    "amount_usd"?: number | null,"compliance"?: string | null,"day"?: string,"endpoint_id"?: string,"excluded"?: boolean,"failure"?: string | null,"http_status"?: number | null,"is_recheck"?: boolean,"outcome"?: string,"response_ms"?: (number)[],"times_ms"?: (number)[],"vitality"?: number | null
                  }
                  Relationships: [
                    
                  ]
                },"page_expirations": {
                  Row: {
                    "at": string,"sequence": number,"tag": string
                  }
                  ComputedFields: never
                  Insert: {
                    "at"?: string,"sequence"?: never,"tag": string
                  }
                  Update: {
                    "at"?: string,"sequence"?: never,"tag"?: string
                  }
                  Relationships: [
                    
                  ]
                },"payments": {
                  Row: {
                    "amount": number,"asset": string,"attempts": number,"audited_at": string | null,"checked_at": string | null,"created_at": string,"lease_until": string,"network": string,"nonce": string,"owner": string,"pay_to": string,"payer": string,"payment_hash": string,"receipt": string | null,"refusals": number,"refused_at": string | null,"request_hash": string,"resource": string,"result": string | null,"route": string,"secret_hash": string | null,"settled_at": string | null,"state": string,"transaction": string | null,"valid_before": string
                  }
                  ComputedFields: never
                  Insert: {
                    "amount": number,"asset": string,"attempts"?: number,"audited_at"?: string | null,"checked_at"?: string | null,"created_at": string,"lease_until": string,"network": string,"nonce": string,"owner": string,"pay_to": string,"payer": string,"payment_hash": string,"receipt"?: string | null,"refusals"?: number,"refused_at"?: string | null,"request_hash": string,"resource": string,"result"?: string | null,"route": string,"secret_hash"?: string | null,"settled_at"?: string | null,"state": string,"transaction"?: string | null,"valid_before": string
                  }
                  Update: {
                    "amount"?: number,"asset"?: string,"attempts"?: number,"audited_at"?: string | null,"checked_at"?: string | null,"created_at"?: string,"lease_until"?: string,"network"?: string,"nonce"?: string,"owner"?: string,"pay_to"?: string,"payer"?: string,"payment_hash"?: string,"receipt"?: string | null,"refusals"?: number,"refused_at"?: string | null,"request_hash"?: string,"resource"?: string,"result"?: string | null,"route"?: string,"secret_hash"?: string | null,"settled_at"?: string | null,"state"?: string,"transaction"?: string | null,"valid_before"?: string
                  }
                  Relationships: [
                    
                  ]
                },"purchase_schedules": {
                  Row: {
                    "due_at": string,"endpoint_id": string,"is_repeat": boolean,"purchased_at": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "due_at": string,"endpoint_id": string,"is_repeat"?: boolean,"purchased_at"?: string | null
                  }
                  Update: {
                    "due_at"?: string,"endpoint_id"?: string,"is_repeat"?: boolean,"purchased_at"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "purchase_schedules_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"purchases": {
                  Row: {
                    "amount": number,"amount_usd": number,"answered_at": string | null,"asset": string,"block_number": number | null,"body_bytes": number | null,"body_sha256": string | null,"charged": boolean | null,"content_type": string | null,"decided_at": string | null,"endpoint_id": string | null,"failure": string | null,"host": string,"http_status": number | null,"id": string,"lease_until": string,"method": string,"network": string,"nonce": string | null,"outcome": string | null,"pay_to": string,"payer": string,"publish_after": string | null,"published_at": string | null,"request_sha256": string | null,"requested_url": string,"reserved_at": string,"resource": string,"schema_findings": Json | null,"settled_at": string | null,"total_ms": number | null,"transaction": string | null,"valid_before": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "amount": number,"amount_usd": number,"answered_at"?: string | null,"asset": string,"block_number"?: number | null,"body_bytes"?: number | null,"body_sha256"?: string | null,"charged"?: boolean | null,"content_type"?: string | null,"decided_at"?: string | null,"endpoint_id"?: string | null,"failure"?: string | null,"host": string,"http_status"?: number | null,"id": string,"lease_until": string,"method": string,"network": string,"nonce"?: string | null,"outcome"?: string | null,"pay_to": string,"payer": string,"publish_after"?: string | null,"published_at"?: string | null,"request_sha256"?: string | null,"requested_url": string,"reserved_at": string,"resource": string,"schema_findings"?: Json | null,"settled_at"?: string | null,"total_ms"?: number | null,"transaction"?: string | null,"valid_before"?: string | null
                  }
                  Update: {
                    "amount"?: number,"amount_usd"?: number,"answered_at"?: string | null,"asset"?: string,"block_number"?: number | null,"body_bytes"?: number | null,"body_sha256"?: string | null,"charged"?: boolean | null,"content_type"?: string | null,"decided_at"?: string | null,"endpoint_id"?: string | null,"failure"?: string | null,"host"?: string,"http_status"?: number | null,"id"?: string,"lease_until"?: string,"method"?: string,"network"?: string,"nonce"?: string | null,"outcome"?: string | null,"pay_to"?: string,"payer"?: string,"publish_after"?: string | null,"published_at"?: string | null,"request_sha256"?: string | null,"requested_url"?: string,"reserved_at"?: string,"resource"?: string,"schema_findings"?: Json | null,"settled_at"?: string | null,"total_ms"?: number | null,"transaction"?: string | null,"valid_before"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "purchases_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"rate_limits": {
                  Row: {
                    "ends_at": string,"key": string,"used": number
                  }
                  ComputedFields: never
                  Insert: {
                    "ends_at": string,"key": string,"used": number
                  }
                  Update: {
                    "ends_at"?: string,"key"?: string,"used"?: number
                  }
                  Relationships: [
                    
                  ]
                },"schedules": {
                  Row: {
                    "endpoint_id": string,"host": string,"interval_seconds": number,"next_probe_at": string,"offset_seconds": number,"slow": boolean,"watched": boolean
                  }
                  ComputedFields: never
                  Insert: {
                    "endpoint_id": string,"host": string,"interval_seconds"?: number,"next_probe_at": string,"offset_seconds": number,"slow"?: boolean,"watched"?: boolean
                  }
                  Update: {
                    "endpoint_id"?: string,"host"?: string,"interval_seconds"?: number,"next_probe_at"?: string,"offset_seconds"?: number,"slow"?: boolean,"watched"?: boolean
                  }
                  Relationships: [
                    {
      foreignKeyName: "schedules_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"scoring_queue": {
                  Row: {
                    "due_at": string,"endpoint_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "due_at": string,"endpoint_id": string
                  }
                  Update: {
                    "due_at"?: string,"endpoint_id"?: string
                  }
                  Relationships: [
                    
                  ]
                },"search_documents": {
                  Row: {
                    "endpoint_id": string,"words": unknown
                  }
                  ComputedFields: never
                  Insert: {
                    "endpoint_id": string,"words": unknown
                  }
                  Update: {
                    "endpoint_id"?: string,"words"?: unknown
                  }
                  Relationships: [
                    {
      foreignKeyName: "search_documents_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"search_texts": {
                  Row: {
                    "embedding": string | null,"job": string | null,"model": string | null,"refused_at": string | null,"text": string,"text_hash": string
                  }
                  ComputedFields: never
                  Insert: {
                    "embedding"?: string | null,"job"?: string | null,"model"?: string | null,"refused_at"?: string | null,"text": string,"text_hash": string
                  }
                  Update: {
                    "embedding"?: string | null,"job"?: string | null,"model"?: string | null,"refused_at"?: string | null,"text"?: string,"text_hash"?: string
                  }
                  Relationships: [
                    
                  ]
                },"search_words": {
                  Row: {
                    "word": string
                  }
                  ComputedFields: never
                  Insert: {
                    "word": string
                  }
                  Update: {
                    "word"?: string
                  }
                  Relationships: [
                    
                  ]
                },"settlements": {
                  Row: {
                    "amount": number,"asset": string,"at": string,"block_hash": string | null,"block_number": number,"facilitator": string | null,"kind": string,"log_index": number,"network": string,"pay_to": string,"payer": string,"transaction": string
                  }
                  ComputedFields: never
                  Insert: {
                    "amount": number,"asset": string,"at": string,"block_hash"?: string | null,"block_number": number,"facilitator"?: string | null,"kind": string,"log_index": number,"network": string,"pay_to": string,"payer": string,"transaction": string
                  }
                  Update: {
                    "amount"?: number,"asset"?: string,"at"?: string,"block_hash"?: string | null,"block_number"?: number,"facilitator"?: string | null,"kind"?: string,"log_index"?: number,"network"?: string,"pay_to"?: string,"payer"?: string,"transaction"?: string
                  }
                  Relationships: [
                    
                  ]
                },"snapshot_details": {
                  Row: {
                    "endpoint_id": string,"facts": NonNullable<Json>,"inputs": NonNullable<Json>,"scoring_version": string
                  }
                  ComputedFields: never
                  Insert: {
                    "endpoint_id": string,"facts": NonNullable<Json>,"inputs": NonNullable<Json>,"scoring_version": string
                  }
                  Update: {
                    "endpoint_id"?: string,"facts"?: NonNullable<Json>,"inputs"?: NonNullable<Json>,"scoring_version"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "snapshot_details_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "snapshots"
      referencedColumns: ["endpoint_id"]
    }
                  ]
                },"snapshots": {
                  Row: {
                    "alternatives_counted_at": string | null,"amount_usd": string | null,"better_alternatives": number | null,"blocked_30d": number,"blocked_since": string | null,"computed_at": string,"confidence": number,"content_changed_at": string,"content_hash": string,"days_tracked": number,"delisted_at": string | null,"delivery": Json | null,"described": boolean,"description": string | null,"directories": (string)[],"due_per_day": number | null,"endpoint_id": string,"error_flags": number,"example_request": Json | null,"failing_since": string | null,"first_seen": string,"grade": string,"highest_price_usd_30d": string | null,"host": string,"is_compliant": boolean | null,"last_failure": Json | null,"last_probed_at": string | null,"latency_label": string | null,"latency_ms": number | null,"latency_ms_p50": number | null,"latency_ms_p95": number | null,"listing_source": string,"listing_status": string,"lowest_price_usd_30d": string | null,"mean_gap_seconds": number | null,"method": string | null,"network": string | null,"pay_on": NonNullable<Json>,"price_stability": string | null,"probed_per_day": number | null,"probes_30d": number,"protocol_version": number | null,"public": boolean,"recommendation": string,"resource": string,"score": number,"score_high": number,"score_low": number,"scored_probes_30d": number,"service_name": string | null,"slug": string,"templated": boolean,"text_hash": string | null,"uptime_30d": number | null,"warning_flags": number
                  }
                  ComputedFields: never
                  Insert: {
                    "alternatives_counted_at"?: string | null,"amount_usd"?: string | null,"better_alternatives"?: number | null,"blocked_30d"?: number,"blocked_since"?: string | null,"computed_at": string,"confidence": number,"content_changed_at": string,"content_hash": string,"days_tracked": number,"delisted_at"?: string | null,"delivery"?: Json | null,"described"?: boolean,"description"?: string | null,"directories"?: (string)[],"due_per_day"?: number | null,"endpoint_id": string,"error_flags": number,"example_request"?: Json | null,"failing_since"?: string | null,"first_seen": string,"grade": string,"highest_price_usd_30d"?: string | null,"host": string,"is_compliant"?: boolean | null,"last_failure"?: Json | null,"last_probed_at"?: string | null,"latency_label"?: string | null,"latency_ms"?: number | null,"latency_ms_p50"?: number | null,"latency_ms_p95"?: number | null,"listing_source"?: string,"listing_status": string,"lowest_price_usd_30d"?: string | null,"mean_gap_seconds"?: number | null,"method"?: string | null,"network"?: string | null,"pay_on": NonNullable<Json>,"price_stability"?: string | null,"probed_per_day"?: number | null,"probes_30d": number,"protocol_version"?: number | null,"public"?: boolean,"recommendation": string,"resource": string,"score": number,"score_high": number,"score_low": number,"scored_probes_30d"?: number,"service_name"?: string | null,"slug": string,"templated": boolean,"text_hash"?: string | null,"uptime_30d"?: number | null,"warning_flags": number
                  }
                  Update: {
                    "alternatives_counted_at"?: string | null,"amount_usd"?: string | null,"better_alternatives"?: number | null,"blocked_30d"?: number,"blocked_since"?: string | null,"computed_at"?: string,"confidence"?: number,"content_changed_at"?: string,"content_hash"?: string,"days_tracked"?: number,"delisted_at"?: string | null,"delivery"?: Json | null,"described"?: boolean,"description"?: string | null,"directories"?: (string)[],"due_per_day"?: number | null,"endpoint_id"?: string,"error_flags"?: number,"example_request"?: Json | null,"failing_since"?: string | null,"first_seen"?: string,"grade"?: string,"highest_price_usd_30d"?: string | null,"host"?: string,"is_compliant"?: boolean | null,"last_failure"?: Json | null,"last_probed_at"?: string | null,"latency_label"?: string | null,"latency_ms"?: number | null,"latency_ms_p50"?: number | null,"latency_ms_p95"?: number | null,"listing_source"?: string,"listing_status"?: string,"lowest_price_usd_30d"?: string | null,"mean_gap_seconds"?: number | null,"method"?: string | null,"network"?: string | null,"pay_on"?: NonNullable<Json>,"price_stability"?: string | null,"probed_per_day"?: number | null,"probes_30d"?: number,"protocol_version"?: number | null,"public"?: boolean,"recommendation"?: string,"resource"?: string,"score"?: number,"score_high"?: number,"score_low"?: number,"scored_probes_30d"?: number,"service_name"?: string | null,"slug"?: string,"templated"?: boolean,"text_hash"?: string | null,"uptime_30d"?: number | null,"warning_flags"?: number
                  }
                  Relationships: [
                    {
      foreignKeyName: "snapshots_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: true
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"statements": {
                  Row: {
                    "claim_id": string,"endpoint_id": string,"stated_at": string,"subject": string,"text": string
                  }
                  ComputedFields: never
                  Insert: {
                    "claim_id": string,"endpoint_id": string,"stated_at": string,"subject": string,"text": string
                  }
                  Update: {
                    "claim_id"?: string,"endpoint_id"?: string,"stated_at"?: string,"subject"?: string,"text"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "statements_claim_id_fkey"
      columns: ["claim_id"]
isOneToOne: false
      referencedRelation: "claims"
      referencedColumns: ["id"]
    },{
      foreignKeyName: "statements_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                },"wallet_facilitators": {
                  Row: {
                    "facilitator": string,"network": string,"pay_to": string,"settled_at": string
                  }
                  ComputedFields: never
                  Insert: {
                    "facilitator": string,"network": string,"pay_to": string,"settled_at": string
                  }
                  Update: {
                    "facilitator"?: string,"network"?: string,"pay_to"?: string,"settled_at"?: string
                  }
                  Relationships: [
                    
                  ]
                },"wallet_payer_days": {
                  Row: {
                    "day": string,"network": string,"pay_to": string,"payer": string,"settlements": number,"volume": number
                  }
                  ComputedFields: never
                  Insert: {
                    "day": string,"network": string,"pay_to": string,"payer": string,"settlements": number,"volume": number
                  }
                  Update: {
                    "day"?: string,"network"?: string,"pay_to"?: string,"payer"?: string,"settlements"?: number,"volume"?: number
                  }
                  Relationships: [
                    
                  ]
                },"wallet_sent_days": {
                  Row: {
                    "day": string,"network": string,"recipient": string,"volume": number,"wallet": string
                  }
                  ComputedFields: never
                  Insert: {
                    "day": string,"network": string,"recipient": string,"volume": number,"wallet": string
                  }
                  Update: {
                    "day"?: string,"network"?: string,"recipient"?: string,"volume"?: number,"wallet"?: string
                  }
                  Relationships: [
                    
                  ]
                },"watch_attempts": {
                  Row: {
                    "at": string,"destination_id": number,"duration_ms": number,"error": string | null,"http_status": number | null,"id": number,"next_attempt_at": string | null,"outcome": string,"phase": string | null,"reply": string | null,"sequence": number,"watch_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "at": string,"destination_id": number,"duration_ms": number,"error"?: string | null,"http_status"?: number | null,"id"?: never,"next_attempt_at"?: string | null,"outcome": string,"phase"?: string | null,"reply"?: string | null,"sequence": number,"watch_id": string
                  }
                  Update: {
                    "at"?: string,"destination_id"?: number,"duration_ms"?: number,"error"?: string | null,"http_status"?: number | null,"id"?: never,"next_attempt_at"?: string | null,"outcome"?: string,"phase"?: string | null,"reply"?: string | null,"sequence"?: number,"watch_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "watch_attempts_destination_id_fkey"
      columns: ["destination_id"]
isOneToOne: false
      referencedRelation: "watch_destinations"
      referencedColumns: ["id"]
    }
                  ]
                },"watch_deliveries": {
                  Row: {
                    "attempts": number,"created_at": string,"destination_id": number,"finished_at": string | null,"next_attempt_at": string,"sequence": number,"state": string,"watch_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "attempts"?: number,"created_at": string,"destination_id": number,"finished_at"?: string | null,"next_attempt_at": string,"sequence": number,"state"?: string,"watch_id": string
                  }
                  Update: {
                    "attempts"?: number,"created_at"?: string,"destination_id"?: number,"finished_at"?: string | null,"next_attempt_at"?: string,"sequence"?: number,"state"?: string,"watch_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "watch_deliveries_destination_id_fkey"
      columns: ["destination_id"]
isOneToOne: false
      referencedRelation: "watch_destinations"
      referencedColumns: ["id"]
    }
                  ]
                },"watch_destinations": {
                  Row: {
                    "channel": string,"created_at": string,"disabled_at": string | null,"disabled_reason": string | null,"failing_since": string | null,"id": number,"is_slow": boolean,"label": string,"lease_owner": string | null,"lease_until": string | null,"limited_since": string | null,"liveness_sent_at": string | null,"next_due_at": string | null,"receiver": string,"removed_at": string | null,"url": string | null,"watch_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "channel": string,"created_at": string,"disabled_at"?: string | null,"disabled_reason"?: string | null,"failing_since"?: string | null,"id"?: never,"is_slow"?: boolean,"label": string,"lease_owner"?: string | null,"lease_until"?: string | null,"limited_since"?: string | null,"liveness_sent_at"?: string | null,"next_due_at"?: string | null,"receiver": string,"removed_at"?: string | null,"url"?: string | null,"watch_id": string
                  }
                  Update: {
                    "channel"?: string,"created_at"?: string,"disabled_at"?: string | null,"disabled_reason"?: string | null,"failing_since"?: string | null,"id"?: never,"is_slow"?: boolean,"label"?: string,"lease_owner"?: string | null,"lease_until"?: string | null,"limited_since"?: string | null,"liveness_sent_at"?: string | null,"next_due_at"?: string | null,"receiver"?: string,"removed_at"?: string | null,"url"?: string | null,"watch_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "watch_destinations_watch_id_fkey"
      columns: ["watch_id"]
isOneToOne: false
      referencedRelation: "watches"
      referencedColumns: ["id"]
    }
                  ]
                },"watch_log": {
                  Row: {
                    "at": string,"data": NonNullable<Json>,"kind": string,"sequence": number,"type": string,"watch_id": string
                  }
                  ComputedFields: never
                  Insert: {
                    "at": string,"data": NonNullable<Json>,"kind": string,"sequence": number,"type": string,"watch_id": string
                  }
                  Update: {
                    "at"?: string,"data"?: NonNullable<Json>,"kind"?: string,"sequence"?: number,"type"?: string,"watch_id"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "watch_log_watch_id_fkey"
      columns: ["watch_id"]
isOneToOne: false
      referencedRelation: "watches"
      referencedColumns: ["id"]
    }
                  ]
                },"watch_purchases": {
                  Row: {
                    "applied_at": string | null,"asset": string,"kind": string,"network": string,"nonce": string,"payer": string,"requested_at": string,"watch_expires_at": string | null,"watch_id": string,"watch_status": string | null
                  }
                  ComputedFields: never
                  Insert: {
                    "applied_at"?: string | null,"asset": string,"kind": string,"network": string,"nonce": string,"payer": string,"requested_at": string,"watch_expires_at"?: string | null,"watch_id": string,"watch_status"?: string | null
                  }
                  Update: {
                    "applied_at"?: string | null,"asset"?: string,"kind"?: string,"network"?: string,"nonce"?: string,"payer"?: string,"requested_at"?: string,"watch_expires_at"?: string | null,"watch_id"?: string,"watch_status"?: string | null
                  }
                  Relationships: [
                    {
      foreignKeyName: "watch_purchases_watch_id_fkey"
      columns: ["watch_id"]
isOneToOne: false
      referencedRelation: "watches"
      referencedColumns: ["id"]
    }
                  ]
                },"watches": {
                  Row: {
                    "activated_at": string | null,"cancelled_at": string | null,"claim_id": string | null,"created_at": string,"down_since": string | null,"endpoint_id": string,"events": (string)[],"expires_at": string,"id": string,"last_sequence": number,"liveness_sensitivity_n": number,"notified_expiry": string | null,"secret_hash": string,"signing_key": string,"status": string
                  }
                  ComputedFields: never
                  Insert: {
                    "activated_at"?: string | null,"cancelled_at"?: string | null,"claim_id"?: string | null,"created_at": string,"down_since"?: string | null,"endpoint_id": string,"events": (string)[],"expires_at": string,"id": string,"last_sequence"?: number,"liveness_sensitivity_n": number,"notified_expiry"?: string | null,"secret_hash": string,"signing_key": string,"status"?: string
                  }
                  Update: {
                    "activated_at"?: string | null,"cancelled_at"?: string | null,"claim_id"?: string | null,"created_at"?: string,"down_since"?: string | null,"endpoint_id"?: string,"events"?: (string)[],"expires_at"?: string,"id"?: string,"last_sequence"?: number,"liveness_sensitivity_n"?: number,"notified_expiry"?: string | null,"secret_hash"?: string,"signing_key"?: string,"status"?: string
                  }
                  Relationships: [
                    {
      foreignKeyName: "watches_endpoint_id_fkey"
      columns: ["endpoint_id"]
isOneToOne: false
      referencedRelation: "endpoints"
      referencedColumns: ["id"]
    }
                  ]
                }
          }
          Views: {
            [_ in never]: never
          }
          Functions: {
            "adopt_endpoint":
{ Args: { "p_endpoint": Json,"p_host_limit": number,"p_now": string,"p_provisional_until": string,"p_row": Json }; Returns: {
              "missing": (string)[],"outcome": string
            }[]
                           },
"advance_watches":
{ Args: { "p_limit": number,"p_now": string }; Returns: {
              "deleted": number,"expired": number,"expiring": number
            }[]
                           },
"alternatives_to":
{ Args: { "p_endpoint_id": string,"p_limit": number,"p_max_within": number,"p_min_score_delta": number,"p_model": string }; Returns: Json
                           },
"answer_dispute":
{ Args: { "p_answer": string,"p_id": string,"p_now": string,"p_state": string }; Returns: string
                           },
"applied_migrations":
{ Args: Record<PropertyKey, never>; Returns: (string)[]
                           },
"apply_opt_outs":
{ Args: { "p_host"?: string,"p_limit": number }; Returns: (string)[]
                           },
"assign_wallet_groups":
{ Args: { "p_keep_days": number,"p_network": string,"p_now": string }; Returns: {
              "added": number,"removed": number
            }[]
                           },
"audit_payment":
{ Args: { "p_asset": string,"p_network": string,"p_nonce": string,"p_now"?: string,"p_payer": string,"p_transaction": string }; Returns: undefined
                           },
"bulk_scores":
{ Args: { "p_endpoint_ids": (string)[] }; Returns: {
              "computed_at": string,"confidence": number,"delivery": string,"endpoint_id": string,"error_flags": number,"grade": string,"inputs": Json,"last_probed_at": string,"recommendation": string,"resource": string,"score": number,"slug": string
            }[]
                           },
"cancel_watch":
{ Args: { "p_id": string,"p_now": string }; Returns: undefined
                           },
"categories":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"claim_deliveries":
{ Args: { "p_lease_seconds": number,"p_limit": number,"p_now": string,"p_owner": string,"p_slow_limit": number }; Returns: {
              "attempt": number,"channel": string,"counts": Json,"destination_id": number,"endpoint_id": string,"entries": Json,"first_sequence": number,"has_unscored_changes": boolean,"is_slow": boolean,"last_at": string,"last_sequence": number,"limited_until": string,"resource": string,"signing_key": string,"slug": string,"url": string,"watch_id": string
            }[]
                           },
"claim_due_claims":
{ Args: { "p_lease_until": string,"p_limit": number,"p_now": string }; Returns: Json
                           },
"claim_due_endpoints":
{ Args: { "p_host_limit"?: number,"p_host_per_second"?: number,"p_host_suffix"?: string,"p_lease_seconds": number,"p_limit": number,"p_now": string,"p_owner": string,"p_rechecks_only"?: boolean }; Returns: {
              "challenged_method": string,"declared_method": string,"endpoint_id": string,"host": string,"is_recheck": boolean,"probe_url": string,"resource": string,"settled_through": (string)[],"slot_at": string
            }[]
                           },
"claim_open_purchases":
{ Args: { "p_lease_until": string,"p_limit": number,"p_now": string }; Returns: {
              "amount": number,
"amount_usd": number,
"answered_at": string | null,
"asset": string,
"block_number": number | null,
"body_bytes": number | null,
"body_sha256": string | null,
"charged": boolean | null,
"content_type": string | null,
"decided_at": string | null,
"endpoint_id": string | null,
"failure": string | null,
"host": string,
"http_status": number | null,
"id": string,
"lease_until": string,
"method": string,
"network": string,
"nonce": string | null,
"outcome": string | null,
"pay_to": string,
"payer": string,
"publish_after": string | null,
"published_at": string | null,
"request_sha256": string | null,
"requested_url": string,
"reserved_at": string,
"resource": string,
"schema_findings": Json | null,
"settled_at": string | null,
"total_ms": number | null,
"transaction": string | null,
"valid_before": string | null
            }[]
                          SetofOptions: {
        from: "*"
        to: "purchases"
        isOneToOne: false
        isSetofReturn: true
      } },
"claim_payment":
{ Args: { "p_lease_seconds": number,"p_max_refusals": number,"p_now"?: string,"p_payment": Json }; Returns: {
              "amount": string,"attempt": number,"created_at": string,"open_payments": Json,"outcome": string,"pay_to": string,"receipt": string,"result": string,"retry_at": string,"same_payment": boolean,"settled_at": string,"state": string
            }[]
                           },
"claim_scores":
{ Args: { "p_lease_seconds": number,"p_limit": number,"p_now": string }; Returns: {
              "endpoint_ids": (string)[],"has_more": boolean
            }[]
                           },
"claim_unchecked_payments":
{ Args: { "p_failed_before": string,"p_limit": number,"p_network": string,"p_now": string,"p_open_before": string,"p_settled_before": string }; Returns: {
              "amount": number,
"asset": string,
"attempts": number,
"audited_at": string | null,
"checked_at": string | null,
"created_at": string,
"lease_until": string,
"network": string,
"nonce": string,
"owner": string,
"pay_to": string,
"payer": string,
"payment_hash": string,
"receipt": string | null,
"refusals": number,
"refused_at": string | null,
"request_hash": string,
"resource": string,
"result": string | null,
"route": string,
"secret_hash": string | null,
"settled_at": string | null,
"state": string,
"transaction": string | null,
"valid_before": string
            }[]
                          SetofOptions: {
        from: "*"
        to: "payments"
        isOneToOne: false
        isSetofReturn: true
      } },
"closest_endpoint":
{ Args: { "p_host": string,"p_resource": string }; Returns: Json
                           },
"consume_rate_limit":
{ Args: { "p_cost": number,"p_key": string,"p_limit": number,"p_now": string,"p_window_seconds": number }; Returns: {
              "allowed": boolean,"ends_at": string,"remaining": number
            }[]
                           },
"corrections":
{ Args: { "p_limit": number }; Returns: Json
                           },
"count_alternatives":
{ Args: { "p_limit": number,"p_max": number,"p_max_age_seconds": number,"p_min_score_delta": number,"p_model": string,"p_now": string }; Returns: {
              "changed": (string)[],"counted": number
            }[]
                           },
"count_due_slots":
{ Args: { "p_host_limit": number,"p_now": string }; Returns: number
                           },
"create_dispute":
{ Args: { "p_daily_limit": number,"p_dispute": Json,"p_now": string }; Returns: string
                           },
"create_observation_partitions":
{ Args: { "p_from": string,"p_to": string }; Returns: number
                           },
"create_renewal":
{ Args: { "p_id": string,"p_now": string,"p_payment": Json }; Returns: string
                           },
"create_watch":
{ Args: { "p_now": string,"p_payment": Json,"p_watch": Json }; Returns: boolean
                           },
"decide_purchase":
{ Args: { "p_decision": Json,"p_id": string,"p_now": string }; Returns: boolean
                           },
"delete_ended_claims":
{ Args: { "p_before": string,"p_limit": number }; Returns: number
                           },
"delete_unused_texts":
{ Args: { "p_limit": number }; Returns: number
                           },
"delivery_facts":
{ Args: { "p_endpoint_ids": (string)[],"p_now": string }; Returns: {
              "endpoint_id": string,"facts": Json
            }[]
                           },
"delivery_ledger":
{ Args: { "p_limit": number,"p_now": string }; Returns: Json
                           },
"dispute_subject":
{ Args: { "p_endpoint_id": string,"p_since": string,"p_wallet": string }; Returns: Json
                           },
"ecosystem":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"ecosystem_event_counts":
{ Args: { "p_endpoint_id"?: string,"p_host"?: string }; Returns: Json
                           },
"ecosystem_events":
{ Args: { "p_before_at"?: string,"p_before_id"?: number,"p_endpoint_id"?: string,"p_host"?: string,"p_kinds": (string)[],"p_limit": number }; Returns: Json
                           },
"edit_claim":
{ Args: { "p_edit": Json,"p_id": string,"p_now": string }; Returns: boolean
                           },
"edit_watch":
{ Args: { "p_changed": (string)[],"p_edit": Json,"p_id": string,"p_now": string }; Returns: boolean
                           },
"end_claim":
{ Args: { "p_id": string,"p_now": string }; Returns: (string)[]
                           },
"endpoint_days":
{ Args: { "p_endpoint_id": string }; Returns: Json
                           },
"endpoint_disputes":
{ Args: { "p_endpoint_id": string,"p_limit": number }; Returns: Json
                           },
"endpoint_history":
{ Args: { "p_daily_only": boolean,"p_endpoint_id": string,"p_event_bytes": number,"p_event_limit": number,"p_from": string,"p_raw_limit": number,"p_to": string }; Returns: Json
                           },
"endpoint_provider":
{ Args: { "p_endpoint_id": string }; Returns: Json
                           },
"endpoint_summaries":
{ Args: { "p_limit": number,"p_prefix": string }; Returns: Json
                           },
"endpoint_summary":
{ Args: { "p_endpoint_id": string,"p_host"?: string,"p_network"?: string,"p_path_url"?: string,"p_pay_to"?: string }; Returns: Json
                           },
"expire_adoptions":
{ Args: { "p_extend_until": string,"p_limit": number,"p_now": string }; Returns: Json
                           },
"explore":
{ Args: { "p_after_id"?: string,"p_after_key"?: number,"p_filters": Json,"p_has_counts"?: boolean,"p_ids"?: (string)[],"p_limit": number,"p_sort": string,"p_text": string }; Returns: Json
                           },
"extend_payment_lease":
{ Args: { "p_asset": string,"p_lease_seconds": number,"p_network": string,"p_nonce": string,"p_now"?: string,"p_owner": string,"p_payer": string }; Returns: undefined
                           },
"fail_payment":
{ Args: { "p_asset": string,"p_network": string,"p_nonce": string,"p_now"?: string,"p_owner"?: string,"p_payer": string,"p_refused": boolean }; Returns: boolean
                           },
"find_active_claim":
{ Args: { "p_host": string }; Returns: Json
                           },
"find_applied_purchase":
{ Args: { "p_asset": string,"p_network": string,"p_nonce": string,"p_payer": string }; Returns: Json
                           },
"find_check":
{ Args: { "p_after": string,"p_method": string,"p_resource": string }; Returns: Json
                           },
"find_claim":
{ Args: { "p_id": string }; Returns: Json
                           },
"find_payment":
{ Args: { "p_asset": string,"p_network": string,"p_nonce": string,"p_payer": string }; Returns: Json
                           },
"find_watch":
{ Args: { "p_id": string }; Returns: Json
                           },
"find_watch_target":
{ Args: { "p_resource": string }; Returns: Json
                           },
"finish_discovery":
{ Args: { "p_at": string,"p_end": string,"p_note"?: string,"p_resume_at"?: string,"p_run_id": number }; Returns: {
              "accepted": number,
"complete": boolean,
"delisted": number,
"directory": string,
"duplicates": number,
"finished_at": string | null,
"id": number,
"items": number,
"listed": number,
"next_offset": number,
"note": string | null,
"page_size": number | null,
"pages": number,
"progressed_at": string,
"rejected": number,
"rejects": NonNullable<Json>,
"relisted": number,
"resume_at": string | null,
"shrunken": boolean,
"started_at": string,
"total": number | null
            }[]
                          SetofOptions: {
        from: "*"
        to: "discovery_runs"
        isOneToOne: false
        isSetofReturn: true
      } },
"host_claim":
{ Args: { "p_host": string }; Returns: Json
                           },
"imitable_hosts":
{ Args: Record<PropertyKey, never>; Returns: (string)[]
                           },
"is_claimable":
{ Args: { "p_host": string }; Returns: boolean
                           },
"is_writable":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"list_wallet_groups":
{ Args: { "p_network": string }; Returns: {
              "anchors": Json,"from_block": number,"next_block": number,"revision": number,"since": string,"span": number,"until_block": number,"wallet_group": number,"wallets": (string)[]
            }[]
                           },
"mark_refused_texts":
{ Args: { "p_hashes": (string)[],"p_now": string }; Returns: undefined
                           },
"open_disputes":
{ Args: { "p_limit": number }; Returns: Json
                           },
"operational_metrics":
{ Args: { "p_limit": number,"p_now": string,"p_sample": number }; Returns: Json
                           },
"outcome_subject":
{ Args: { "p_endpoint_id": string,"p_network": string,"p_nonce": string,"p_payer": string,"p_transaction": string }; Returns: Json
                           },
"pack_observations":
{ Args: { "p_before": string,"p_limit": number }; Returns: number
                           },
"page_names":
{ Args: { "p_after": string,"p_kind": string,"p_limit": number }; Returns: (string)[]
                           },
"page_target":
{ Args: { "p_endpoint_id": string }; Returns: Json
                           },
"payment_advertisers":
{ Args: { "p_amount": string,"p_at": string,"p_limit": number,"p_network": string,"p_pay_to": string }; Returns: Json
                           },
"pending_search_texts":
{ Args: { "p_limit": number,"p_model": string,"p_refused_until": string }; Returns: {
              "text": string,"text_hash": string
            }[]
                           },
"postpone_purchases":
{ Args: { "p_endpoint_ids": (string)[],"p_until": string }; Returns: undefined
                           },
"postpone_scores":
{ Args: { "p_endpoint_ids": (string)[],"p_now": string,"p_until": string }; Returns: number
                           },
"provider":
{ Args: { "p_host": string }; Returns: Json
                           },
"provider_exists":
{ Args: { "p_host": string }; Returns: boolean
                           },
"prune_host_queues":
{ Args: Record<PropertyKey, never>; Returns: number
                           },
"prune_payments":
{ Args: { "p_keep_failed_from": string,"p_keep_results_from": string,"p_limit": number }; Returns: {
              "payments": number,"results": number
            }[]
                           },
"prune_rows":
{ Args: { "p_before": Json,"p_limit": number }; Returns: Json
                           },
"prune_settlements":
{ Args: { "p_keep_from": string,"p_limit": number }; Returns: number
                           },
"publish_purchases":
{ Args: { "p_limit": number,"p_now": string }; Returns: number
                           },
"published_purchase":
{ Args: { "p_id": string }; Returns: Json
                           },
"purchase_candidates":
{ Args: { "p_budget": Json,"p_limit": number,"p_networks": (string)[],"p_now": string }; Returns: Json
                           },
"queue_aged_snapshots":
{ Args: { "p_limit": number,"p_max_age_seconds": number,"p_now": string }; Returns: number
                           },
"read_page_expirations":
{ Args: { "p_after"?: number,"p_limit"?: number }; Returns: Json
                           },
"read_watch_attempts":
{ Args: { "p_limit": number,"p_watch_id": string }; Returns: {
              "at": string,"channel": string,"duration_ms": number,"error": string,"http_status": number,"label": string,"next_attempt_at": string,"outcome": string,"phase": string,"reply": string,"sequence": number,"type": string
            }[]
                           },
"read_watch_log":
{ Args: { "p_alerts_after": number,"p_lifecycle_after": number,"p_limit": number,"p_watch_id": string }; Returns: Json
                           },
"recheck_buyer_outcomes":
{ Args: { "p_limit": number,"p_now": string }; Returns: number
                           },
"record_buyer_outcome":
{ Args: { "p_now": string,"p_outcome": Json }; Returns: Json
                           },
"record_claim_check":
{ Args: { "p_check": Json,"p_lease_until": string,"p_next_check_at": string,"p_now": string,"p_unreadable_before": string }; Returns: (string)[]
                           },
"record_deliveries":
{ Args: { "p_attempts": Json,"p_disable_after_seconds": number,"p_now": string,"p_owner": string }; Returns: {
              "delivered": number,"disabled": number,"exhausted": number,"limited": number,"retried": number
            }[]
                           },
"record_ecosystem_day":
{ Args: { "p_now": string }; Returns: boolean
                           },
"record_listings":
{ Args: { "p_at": string,"p_items": Json,"p_page": Json,"p_run_id": number }; Returns: {
              "listed": number,"relisted": number
            }[]
                           },
"record_live_probe":
{ Args: { "p_now": string,"p_row": Json }; Returns: {
              "missing": (string)[],"recorded": boolean
            }[]
                           },
"record_observations":
{ Args: { "p_now": string,"p_owner": string,"p_rows": Json }; Returns: {
              "changed": number,"dropped": number,"missing": (string)[],"recorded": number
            }[]
                           },
"record_page_expirations":
{ Args: { "p_tags": (string)[] }; Returns: number
                           },
"record_purchase_answer":
{ Args: { "p_answer": Json,"p_id": string,"p_now": string }; Returns: undefined
                           },
"record_settlements":
{ Args: { "p_group": number,"p_network": string,"p_now": string,"p_revision": number,"p_rows": Json,"p_step": Json }; Returns: {
              "recorded": number,"removed": number,"stale": boolean
            }[]
                           },
"record_signed_purchase":
{ Args: { "p_id": string,"p_nonce": string,"p_now": string,"p_valid_before": string }; Returns: boolean
                           },
"refresh_ecosystem":
{ Args: Record<PropertyKey, never>; Returns: boolean
                           },
"refuses_checks":
{ Args: { "p_endpoint_id": string,"p_host": string }; Returns: boolean
                           },
"register_own_wallet":
{ Args: { "p_address": string,"p_now": string }; Returns: boolean
                           },
"release_deliveries":
{ Args: { "p_owner": string }; Returns: number
                           },
"release_payment":
{ Args: { "p_asset": string,"p_network": string,"p_nonce": string,"p_now"?: string,"p_owner": string,"p_payer": string }; Returns: boolean
                           },
"release_slots":
{ Args: { "p_endpoint_ids"?: (string)[],"p_owner": string,"p_requeue": boolean,"p_slots"?: (string)[] }; Returns: number
                           },
"report_sources":
{ Args: { "p_endpoint_ids": (string)[] }; Returns: {
              "endpoint_id": string,"source": Json
            }[]
                           },
"report_subject":
{ Args: { "p_endpoint_id": string,"p_host": string,"p_now": string,"p_path_url": string,"p_provisional_until": string }; Returns: Json
                           },
"reserve_purchase":
{ Args: { "p_budget": Json,"p_lease_until": string,"p_now": string,"p_purchase": Json }; Returns: string
                           },
"reset_distant_slots":
{ Args: { "p_now": string }; Returns: number
                           },
"sample_ranks":
{ Args: Record<PropertyKey, never>; Returns: {
              "endpoint_id": string,"is_confident": boolean,"population": number,"rank": number,"role": string
            }[]
                           },
"save_embeddings":
{ Args: { "p_model": string,"p_rows": Json }; Returns: undefined
                           },
"save_snapshots":
{ Args: { "p_now": string,"p_rows": Json }; Returns: {
              "content_changed": boolean,"endpoint_id": string
            }[]
                           },
"scoring_inputs":
{ Args: { "p_endpoint_ids": (string)[],"p_now": string }; Returns: {
              "changes": Json,"endpoint": Json,"endpoint_id": string,"last24h": Json,"pay_to_variation": Json,"revision": number,"state": Json,"window_sums": Json
            }[]
                           },
"search_by_embedding":
{ Args: { "p_embedding": string,"p_expansion"?: string,"p_limit": number,"p_model": string }; Returns: Json
                           },
"settle_payment":
{ Args: { "p_asset": string,"p_audited": boolean,"p_network": string,"p_nonce": string,"p_now"?: string,"p_payer": string,"p_receipt": string,"p_transaction": string }; Returns: string
                           },
"settlement_figures":
{ Args: { "p_lists_payers"?: boolean,"p_now": string,"p_sets": Json }; Returns: {
              "payers": (string)[],"set_number": number,"total": Json,"wallets": Json
            }[]
                           },
"sitemap_endpoints":
{ Args: { "p_shard": string }; Returns: Json
                           },
"sitemap_providers":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"sitemap_shards":
{ Args: Record<PropertyKey, never>; Returns: Json
                           },
"start_discovery":
{ Args: { "p_at": string,"p_directory": string }; Returns: {
              "accepted": number,
"complete": boolean,
"delisted": number,
"directory": string,
"duplicates": number,
"finished_at": string | null,
"id": number,
"items": number,
"listed": number,
"next_offset": number,
"note": string | null,
"page_size": number | null,
"pages": number,
"progressed_at": string,
"rejected": number,
"rejects": NonNullable<Json>,
"relisted": number,
"resume_at": string | null,
"shrunken": boolean,
"started_at": string,
"total": number | null
            }[]
                          SetofOptions: {
        from: "*"
        to: "discovery_runs"
        isOneToOne: false
        isSetofReturn: true
      } },
"store_challenges":
{ Args: { "p_challenges": Json,"p_now": string }; Returns: number
                           },
"store_check":
{ Args: { "p_checked_at": string,"p_method": string,"p_resource": string,"p_result": Json,"p_row_limit": number }; Returns: undefined
                           },
"store_payment_result":
{ Args: { "p_asset": string,"p_lease_seconds": number,"p_network": string,"p_nonce": string,"p_now"?: string,"p_owner": string,"p_payer": string,"p_result": string }; Returns: string
                           },
"suggest":
{ Args: { "p_text": string }; Returns: Json
                           },
"uptime_days":
{ Args: { "p_endpoint_ids": (string)[] }; Returns: Json
                           },
"verify_claim":
{ Args: { "p_claim": Json,"p_next_check_at": string,"p_now": string,"p_replaced"?: string }; Returns: string
                           }
          }
          Enums: {
            [_ in never]: never
          }
          CompositeTypes: {
            [_ in never]: never
          }
        }
}

type DatabaseWithoutInternals = Omit<Database, '__InternalSupabase'>

type DefaultSchema = DatabaseWithoutInternals[Extract<keyof Database, "public">]

export type Tables<
  DefaultSchemaTableNameOrOptions extends
    | keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
        DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? (DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"] &
      DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Views"])[TableName] extends {
      Row: infer R
    }
    ? R
    : never
  : DefaultSchemaTableNameOrOptions extends keyof (DefaultSchema["Tables"] & DefaultSchema["Views"])
  ? (DefaultSchema["Tables"] & DefaultSchema["Views"])[DefaultSchemaTableNameOrOptions] extends {
      Row: infer R
    }
    ? R
    : never
  : never

export type TablesInsert<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Insert: infer I
    }
    ? I
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Insert: infer I
    }
    ? I
    : never
  : never

export type TablesUpdate<
  DefaultSchemaTableNameOrOptions extends
    | keyof DefaultSchema["Tables"]
    | { schema: keyof DatabaseWithoutInternals },
  TableName extends DefaultSchemaTableNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"]
    : never = never
> = DefaultSchemaTableNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaTableNameOrOptions["schema"]]["Tables"][TableName] extends {
      Update: infer U
    }
    ? U
    : never
  : DefaultSchemaTableNameOrOptions extends keyof DefaultSchema["Tables"]
  ? DefaultSchema["Tables"][DefaultSchemaTableNameOrOptions] extends {
      Update: infer U
    }
    ? U
    : never
  : never

export type Enums<
  DefaultSchemaEnumNameOrOptions extends
    | keyof DefaultSchema["Enums"]
    | { schema: keyof DatabaseWithoutInternals },
  EnumName extends DefaultSchemaEnumNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"]
    : never = never
> = DefaultSchemaEnumNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[DefaultSchemaEnumNameOrOptions["schema"]]["Enums"][EnumName]
  : DefaultSchemaEnumNameOrOptions extends keyof DefaultSchema["Enums"]
  ? DefaultSchema["Enums"][DefaultSchemaEnumNameOrOptions]
  : never

export type CompositeTypes<
  PublicCompositeTypeNameOrOptions extends
    | keyof DefaultSchema["CompositeTypes"]
    | { schema: keyof DatabaseWithoutInternals },
  CompositeTypeName extends PublicCompositeTypeNameOrOptions extends {
    schema: keyof DatabaseWithoutInternals
  }
    ? keyof DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"]
    : never = never
> = PublicCompositeTypeNameOrOptions extends { schema: keyof DatabaseWithoutInternals }
  ? DatabaseWithoutInternals[PublicCompositeTypeNameOrOptions["schema"]]["CompositeTypes"][CompositeTypeName]
  : PublicCompositeTypeNameOrOptions extends keyof DefaultSchema["CompositeTypes"]
  ? DefaultSchema["CompositeTypes"][PublicCompositeTypeNameOrOptions]
  : never

export const Constants = {
  "public": {
          Enums: {
            
          }
        }
} as const
