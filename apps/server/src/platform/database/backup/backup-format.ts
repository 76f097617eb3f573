/**
 * A backup is a gzip file of JSON lines: the header, the tables, the trailer. A table is a line with its
 * name and one string for each row, in PostgreSQL's own notation. A file without a trailer is incomplete.
 */
export const BACKUP_FORMAT = 'duet-backup'
export const BACKUP_VERSION = 1

export interface BackupHeader {
  format: typeof BACKUP_FORMAT
  version: number
  made_at: string
  migrations: { number: number; name: string; checksum: string }[]
}

export interface BackupTable {
  table: string
}

export interface BackupTrailer {
  complete: true
  rows: number
  sequences: { name: string; last_value: string }[]
}

/** One line of the file. */
export function line(content: BackupHeader | BackupTable | BackupTrailer | string): string {
  return `${JSON.stringify(content)}\n`
}
