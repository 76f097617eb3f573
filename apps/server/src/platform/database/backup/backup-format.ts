/**
 * A backup is gzip over lines of JSON: the header, then for each table a line that names it and one string for each row
 * (the row as PostgreSQL writes it), then the trailer. Without the trailer it was cut short.
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
