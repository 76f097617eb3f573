/**
 * The fate of the rows of a user whose account is erased.
 *
 * - `deleted`: the platform deletes the rows.
 * - `cleared`: the module's `erase` removes personal data. The rows stay under an id that names no
 *   person.
 * - `aged`: the retention rule of the table deletes the rows within `AGED_DAYS_MAX`.
 * - `kept`: the rows stay for the named reason.
 * - `impersonal`: the table has nothing about a user.
 */
export type Erasure = 'deleted' | 'cleared' | 'aged' | 'kept' | 'impersonal'

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

/** A part of the copy of a user's own data: rows of a table, or a file of the storage. */
export type ExportPart = { readonly table: string; readonly rows: readonly object[] } | ExportFile

/** `path` is the name in the copy: `media/photo-1.webp`. `decrypt`: the file is stored encrypted. */
export interface ExportFile {
  readonly path: string
  readonly storage_key: string
  readonly decrypt?: (stored: Uint8Array) => Uint8Array | undefined
}
