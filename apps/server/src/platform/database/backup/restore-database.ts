import type { Database } from '../open.ts'
import { restoreOver, type Restored } from './restore.ts'

/** Puts a backup in the place of this database, whose pool nobody has used yet. */
export async function restoreDatabase(
  database: Database,
  url: string | undefined,
  file: string,
): Promise<Restored & { kept_as: string }> {
  const { connection } = database
  const named = url === undefined ? connection : partsOf(url)
  return restoreOver({ ...named, database: named.database ?? 'duet' }, file)
}

/** `pg` lets a connection string win over everything beside it, and a restore must reach another database of the server. */
function partsOf(url: string) {
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
