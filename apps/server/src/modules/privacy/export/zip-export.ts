import { Zip, ZipDeflate, ZipPassThrough } from 'fflate'
import type { App } from '../../../core/app.ts'
import type { UserId } from '../../../core/ids.ts'

const encoder = new TextEncoder()

/** JSON of a row: amounts are exact as text, times are those of the wire. */
function toLine(row: object): string {
  return JSON.stringify(row, (_, value: unknown) =>
    typeof value === 'bigint' ? value.toString() : value,
  )
}

/**
 * The copy of a user's own data as the bytes of a zip file: one JSON file for each table, and the files of
 * the storage. It is made while it is read, so that memory holds only one page of rows or one file.
 */
export async function* zipExport(app: App, user_id: UserId): AsyncGenerator<Uint8Array> {
  const made: Uint8Array[] = []
  let failure: Error | undefined
  const zip = new Zip((error, chunk) => {
    if (error) failure = error
    else made.push(chunk)
  })
  const taken = () => {
    if (failure) throw failure
    return made.splice(0)
  }
  let table: OpenTable | undefined
  for await (const part of app.exportUser(user_id)) {
    if ('table' in part) {
      if (table?.name !== part.table) {
        table?.end()
        table = openTable(zip, part.table)
      }
      table.add(part.rows)
    } else {
      table?.end()
      table = undefined
      const stored = await app.storage.get(part.storage_key)
      const bytes = stored && part.decrypt ? part.decrypt(stored) : stored
      if (!bytes) continue
      const file = new ZipPassThrough(part.path)
      zip.add(file)
      file.push(bytes, true)
    }
    yield* taken()
  }
  table?.end()
  zip.end()
  yield* taken()
}

interface OpenTable {
  readonly name: string
  add(rows: readonly object[]): void
  end(): void
}

function openTable(zip: Zip, name: string): OpenTable {
  const file = new ZipDeflate(`${name}.json`)
  zip.add(file)
  let before = '[\n'
  return {
    name,
    add(rows) {
      for (const row of rows) {
        file.push(encoder.encode(before + toLine(row)))
        before = ',\n'
      }
    },
    end() {
      file.push(encoder.encode(before === '[\n' ? '[]\n' : '\n]\n'), true)
    },
  }
}
