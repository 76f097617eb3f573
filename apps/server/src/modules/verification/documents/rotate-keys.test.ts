import { deepEqual, equal, ok } from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { sql } from 'kysely'
import { story } from '@duet/testkit/test-app.ts'
import { readDocument, storeDocuments, placeOfDocument } from './store-documents.ts'

const file = join(tmpdir(), `duet-rotation-${randomUUID()}.kyc-key`)
after(() => rmSync(file, { force: true }))
const DOCUMENTS = 10_000

story.with({ env: { KYC_KEY: '', KYC_KEY_FILE: file } })(
  'the keys of 10,000 documents are wrapped again while documents are stored and read',
  async ({ testApp, nina }) => {
    const { app } = testApp
    const dataKeys = new Map<string, Buffer>()
    const rows = Array.from({ length: DOCUMENTS }, () => {
      const document_id = randomUUID()
      const key = randomBytes(32)
      dataKeys.set(document_id, key)
      return {
        document_id,
        ...app.documentKeys.wrap(key, placeOfDocument({ document_id, user_id: nina.id })),
      }
    })
    const [firstId] = await storeDocuments(app, nina.id, [
      { side: 'front', bytes: Buffer.from('one') },
    ])
    await sql`
      insert into identity_documents (document_id, user_id, side, wrapped_key, key_id, created_at)
      select unnest(${rows.map((row) => row.document_id)}::uuid[]), ${nina.id}, 'front',
        unnest(${rows.map((row) => row.wrapped_key)}::bytea[]), ${rows[0]!.key_id}, now()`.execute(
      app.db,
    )
    const former = app.documentKeys.currentId()
    const getRow = (document_id: string) =>
      app.db
        .selectFrom('identity_documents')
        .selectAll()
        .where('document_id', '=', document_id)
        .executeTakeFirstOrThrow()

    const rotation = testApp.duet<{
      key_id: string
      rewrapped: number
      former_keys_removed: boolean
    }>('verification', 'rotate-key')
    let running = true
    const rotated = rotation.finally(() => (running = false))
    let reads = 0
    const stored: string[] = []
    while (running) {
      equal(String(await readDocument(app, await getRow(firstId!))), 'one')
      stored.push(
        ...(await storeDocuments(app, nina.id, [
          { side: 'selfie', bytes: Buffer.from(`during ${reads}`) },
        ])),
      )
      reads += 1
    }
    const { key_id, rewrapped, former_keys_removed } = await rotated
    ok(reads > 1, 'documents were read and stored during the rotation')
    ok(rewrapped >= DOCUMENTS + 1)
    deepEqual([key_id === former, former_keys_removed], [false, true])
    const { rows: counted } = await sql<{ key_id: string; count: string }>`
      select key_id, count(*) from identity_documents group by key_id`.execute(app.db)
    deepEqual(
      counted.map((row) => row.key_id),
      [key_id],
    )
    equal(readFileSync(file, 'utf8').trim().split('\n').length, 1)
    for (const row of await app.db.selectFrom('identity_documents').selectAll().execute()) {
      const key = app.documentKeys.unwrap(row, placeOfDocument(row))
      ok(key)
      const expected = dataKeys.get(row.document_id)
      if (expected) deepEqual(key, expected)
    }
    equal(String(await readDocument(app, await getRow(firstId!))), 'one')
    for (const [at, id] of stored.entries())
      equal(String(await readDocument(app, await getRow(id))), `during ${at}`)
    ok(existsSync(file))
  },
)

story.with({ env: { KYC_KEY: '', KYC_KEY_FILE: file } })(
  'a rotation without one of the former keys says which, and changes nothing of its batch',
  async ({ testApp, nina }) => {
    const { app } = testApp
    const [id] = await storeDocuments(app, nina.id, [{ side: 'front', bytes: Buffer.from('one') }])
    const lost = app.documentKeys.currentId()
    rmSync(file)
    let message = ''
    await testApp
      .duet('verification', 'rotate-key')
      .catch((error: Error) => (message = error.message))
    ok(message.includes(lost) && message.includes('missing'), message)
    const row = await app.db
      .selectFrom('identity_documents')
      .selectAll()
      .where('document_id', '=', id!)
      .executeTakeFirstOrThrow()
    equal(row.key_id, lost)
  },
)
