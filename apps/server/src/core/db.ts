import type { Kysely } from 'kysely'
import type { Tables } from './tables.gen.ts'

declare const READS_ON: unique symbol

/** Where a read may run: on the pool or inside a transaction (`Pool | Tx`). Functions that only read take this. */
export interface Db extends Kysely<Tables> {
  /** Exists in the types only: it keeps `Pool` and `Tx` apart for the compiler. */
  readonly [READS_ON]: 'pool' | 'transaction'
}

/** The pool: each statement runs on a connection of its own and sees what is committed. */
export interface Pool extends Db {
  readonly [READS_ON]: 'pool'
}

/** The database side of a transaction; `Tx` in app.ts adds what a command may do besides SQL. */
export interface TransactionDb extends Db {
  readonly [READS_ON]: 'transaction'
  readonly isTransaction: true
}

/** Runs reads at once on the pool; inside a transaction, which is one connection, one after the other. */
export async function readTogether<Results extends readonly unknown[]>(
  db: Db,
  reads: { readonly [I in keyof Results]: () => Promise<Results[I]> },
): Promise<Results> {
  const begin = reads as readonly (() => Promise<unknown>)[]
  if (!db.isTransaction) return (await Promise.all(begin.map((read) => read()))) as never
  const results: unknown[] = []
  for (const read of begin) results.push(await read())
  return results as never
}
