import type { PersonalTable } from '../../core/personal-data.ts'
import type { Tables } from '../../core/tables.gen.ts'

/** Erasure is promised within 30 days. */
export const AGED_DAYS_MAX = 30

/** One step of an erasure deletes at most this many rows of a table, so that its transaction stays short. */
export const ERASED_ROWS_MAX = 5_000

type Column<T extends keyof Tables> = keyof Tables[T] & string

interface Deleted<T extends keyof Tables> {
  readonly users: readonly Column<T>[]
  readonly erasure: 'deleted'
  readonly exported: Exported<T>
}

interface Staying<T extends keyof Tables> {
  readonly users: readonly Column<T>[]
  readonly erasure: 'cleared' | 'aged' | 'kept'
  readonly why: string
  readonly exported: Exported<T>
}

type Exported<T extends keyof Tables> =
  | {
      readonly of: readonly Column<T>[]
      readonly columns: readonly Column<T>[]
      readonly by: Column<T>
    }
  | 'own'
  | { readonly not: string }

/** A table with rows about users. A module lists each of its tables in `personalData`. */
export function personalTable<T extends keyof Tables & string>(
  table: T,
  of: Deleted<T> | Staying<T>,
): PersonalTable {
  return { table, ...of }
}

/** A table without rows about users, and what it holds instead. */
export function impersonalTable<T extends keyof Tables & string>(
  table: T,
  why: string,
): PersonalTable {
  return { table, users: [], erasure: 'impersonal', why, exported: { not: why } }
}

/** Rows of one page of an export: it has this many in memory at a time. */
export const EXPORT_PAGE_ROWS = 1_000
