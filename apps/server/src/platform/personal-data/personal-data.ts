import type { Tables } from '../database/tables.gen.ts'

/**
 * The fate of the rows of a user whose account is erased.
 *
 * `deleted`: the platform deletes them. `cleared`: the module's `erase` removes what is personal, and the rows stay under an
 * id that names no person. `aged`: the retention rule of the table deletes them within `AGED_DAYS_MAX`. `kept`: they stay for
 * the named reason. `impersonal`: the table has nothing about a user.
 */
export type Erasure = 'deleted' | 'cleared' | 'aged' | 'kept' | 'impersonal'

/** Erasure is promised within 30 days. */
export const AGED_DAYS_MAX = 30

/** One step of an erasure deletes at most this many rows of a table, so that its transaction stays short. */
export const ERASED_ROWS_MAX = 5_000

/** The rows of a table that a user gets as a copy of their own data. */
export interface ExportedRows {
  /** The columns with the user's own id: a row where another column names the user belongs to another user. */
  readonly of: readonly string[]
  readonly columns: readonly string[]
  /** A column that is unique among the rows of one user: they are read in its order, page by page. */
  readonly by: string
}

/** One table in the map of personal data: what an erasure does with it, and what an export hands out. */
export interface PersonalTable {
  readonly table: string
  /** Every column with the id of a user. */
  readonly users: readonly string[]
  readonly erasure: Erasure
  /** Why rows stay after an erasure. */
  readonly why?: string
  /** `own`: the module's `exportData` writes them. */
  readonly exported: ExportedRows | 'own' | { readonly not: string }
}

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

/** A part of the copy of a user's own data: rows of a table, or a file of the storage. */
export type ExportPart =
  | { readonly table: string; readonly rows: readonly object[] }
  /** `path` is the name in the copy: `media/photo-1.webp`. */
  | { readonly path: string; readonly storage_key: string }

/** Rows of one page of an export: it has this many in memory at a time. */
export const EXPORT_PAGE_ROWS = 1_000
