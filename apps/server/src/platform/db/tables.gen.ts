// Made by generate.ts from the migrations. Do not edit.
import type { Generated, GeneratedAlways } from 'kysely'

export interface OutboxTable {
  outbox_id: GeneratedAlways<bigint>
  kind: string
  key: string | null
  payload: unknown
  attempts: Generated<number>
  created_at: Generated<Temporal.Instant>
  due_at: Generated<Temporal.Instant>
  done_at: Temporal.Instant | null
  last_error: string | null
}

export interface SchemaMigrationsTable {
  number: number
  name: string
  checksum: string
  applied_at: Generated<Temporal.Instant>
}

export interface Tables {
  outbox: OutboxTable
  schema_migrations: SchemaMigrationsTable
}
