import type { Database } from '../open.ts'
import { type RestoreOptions, restoreOver, type RestoreResult } from './restore.ts'

/** Replaces this database by a backup. Its pool must not have been used yet. */
export async function restoreDatabase(
  database: Database,
  url: string | undefined,
  file: string,
  options: RestoreOptions = {},
): Promise<RestoreResult & { kept_as: string }> {
  const { connection } = database
  const named = url === undefined ? connection : toParts(url)
  return restoreOver({ ...named, database: named.database ?? 'duet' }, file, options)
}

/** In `pg` a connection string overrides all other fields, and a restore must connect to other databases of the server. */
function toParts(url: string) {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url)
  const tls = searchParams.get('sslmode')
  return {
    host: searchParams.get('host') ?? hostname,
    port: port === '' ? 5432 : Number(port),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: decodeURIComponent(pathname.slice(1)),
    ...(tls && tls !== 'disable' ? { ssl: { rejectUnauthorized: tls === 'verify-full' } } : {}),
  }
}
