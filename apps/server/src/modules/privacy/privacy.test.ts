import { readdir, readFile } from 'node:fs/promises'
import { deepEqual, equal, notEqual, ok } from 'node:assert/strict'
import { join } from 'node:path'
import { unzipSync } from 'fflate'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { databaseText } from '@duet/testkit/database/database-text.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import { fileForm, pictureBytes } from '@duet/testkit/uploads.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'
import { ledgerCheck } from '../ledger/index.ts'

const getSecret = (user: TestUser) => `${user.name}-secret-1`

const leave = (user: TestUser) =>
  user.post('delete_account', { password: getSecret(user), confirm: true })

async function logIn(testApp: TestApp, user: TestUser): Promise<TestUser> {
  const again = testApp.user(user.name)
  await again.auth({ login: `${user.name}@duet.example`, password: getSecret(user) })
  return again
}

async function files(testApp: TestApp): Promise<string[]> {
  const folder = join(testApp.config.data_dir, 'files')
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** The days to change one's mind, the minutes after the closing, and the deletions of files. */
async function untilErased(testApp: TestApp): Promise<void> {
  await testApp.leap('337 h')
  await testApp.advance('5 min')
  await testApp.settle()
}

const getRows = (testApp: TestApp, owner_id: number) =>
  testApp.app.db.selectFrom('media').select('id').where('owner_id', '=', owner_id).execute()

const user = (testApp: TestApp, id: number) =>
  testApp.app.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

story(
  'asking for the deletion needs the password, ends every login, hides the user and sends a mail',
  async ({ testApp, boris, anna }) => {
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    await anna.isRefused('password_required', () =>
      anna.post('delete_account', { password: 'wrong-password', confirm: true }),
    )
    await anna.isRefused('invalid', () => anna.post('delete_account', { password: 'x' }))
    const other = await logIn(testApp, anna)
    const { erased_at } = await leave(other)
    equal(Temporal.Instant.from(erased_at).since(testApp.clock.now()).total('hours'), 14 * 24)
    equal(await other.wire!.closed, 'transport close')
    for (const one of [anna, other])
      await one.isRefused('session_invalid', () => one.get('profile'))
    const [mail] = (await testApp.app.mail.kept()) ?? []
    equal(mail!.to, 'anna@duet.example')
    ok(mail!.text.includes(erased_at.slice(0, 10)))
    await boris.isRefused('not_found', () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
  },
)

story(
  'logging in within the days takes the deletion back, and nothing is lost',
  async ({ testApp, boris, anna }) => {
    await leave(anna)
    await testApp.leap('300 h')
    const again = await logIn(testApp, anna)
    equal((await again.get('profile')).user.nick, 'Anna')
    await testApp.leap('400 h')
    await testApp.advance('5 min')
    equal((await user(testApp, anna.id)).erased_at, null)
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    // Asked for a second time, it counts from then on.
    await leave(again)
    await testApp.leap('300 h')
    equal((await user(testApp, anna.id)).erased_at, null)
    await untilErased(testApp)
    ok((await user(testApp, anna.id)).erased_at)
  },
)

story('a token of before the request does not take it back', async ({ testApp, anna }) => {
  const { token } = anna
  await leave(anna)
  const page = testApp.user('old page', token)
  await page.isRefused('session_invalid', () => page.auth())
  await untilErased(testApp)
  ok((await user(testApp, anna.id)).erased_at)
})

story(
  'after the erasure no table and no file has what the user entered, and the sums of the ledger are the same',
  async ({ testApp, boris, anna, vera }) => {
    const { app } = testApp
    const canary = (what: string) => `Kanarie${what}`
    await boris.post('profile', {
      nick: canary('Nick'),
      about: canary('About'),
      phone: '+351910000777',
      birthday: '1987-03-04',
      default_pay_system: canary('Pay'),
    })
    const { token } = await boris.post('profile', {
      email: 'kanariemail@duet.example',
      current_password: getSecret(boris),
    })
    boris.token = token!
    await boris.auth()
    await boris.act('D_INFO', { fingerprint: canary('Finger') })
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    for (const girl of [anna, vera]) await boris.act('ADD_FAVOURITE', { user_id: girl.id })
    await anna.act('ADD_FAVOURITE', { user_id: boris.id })
    await boris.act('BLOCK_USER', { user_id: vera.id })
    await testApp.duet('premium', boris.id, '--days', 30)
    await testApp.duet('grant', boris.id, 5, 'message', '--reason', 'test')
    const dialogId = await dialogBetween(boris, anna)
    const written = `${canary('Message')} at kanarie@example.com`
    await writeMessage(boris, dialogId, written, canary('Random'))
    const form = fileForm('media', await pictureBytes(), {}, `${canary('File')}.jpg`)
    const { media } = await boris.post('v2/gallery/media/messenger', form)
    const image = { dialogId, message: '', random_id: 'image', type: 'image', media_id: media.id }
    await boris.act('MESSAGE', image as never)
    const call = await inCall(testApp, { guy: boris, girl: anna })
    const { session_id } = call
    await call.connect()
    await call.talk(80)
    await boris.act('TEXT_CHAT_MESSAGE', { session_id, id: canary('Id'), text: canary('Text') })
    boris.signal('LOG', { level: 'info', text: canary('Log') })
    await boris.act('BREAK_SESSION', { session_id })
    await boris.post('delete_account', { password: getSecret(boris), confirm: true })
    const before = await ledgerCheck(app.db)
    const balances = () => app.db.selectFrom('accounts').selectAll().orderBy('id').execute()
    const accounts = await balances()
    const stored = await databaseText(testApp.database)
    for (const what of ['Message', 'Text', 'Log', 'About', media.id])
      ok(stored.includes(what), `${what} was stored`)
    await untilErased(testApp)
    await testApp.leap('400 h')
    await app.jobs.run('retention')
    deepEqual(
      (await databaseText(testApp.database))
        .split('\n')
        .filter((line) => /kanarie|351910000777|1987-03-04/i.test(line)),
      [],
    )
    for (const file of await files(testApp)) ok(!file.includes(media.id), file)
    for (const file of await files(testApp))
      ok(!/kanarie/i.test((await readFile(file)).toString('latin1')), file)
    deepEqual(await balances(), accounts)
    deepEqual(await ledgerCheck(app.db), before)
    const { role, erased_at, email, password_hash } = await user(testApp, boris.id)
    deepEqual([role, erased_at !== null, email, password_hash], ['guy', true, null, null])
    deepEqual((await anna.get('favourites_pagination')).items, [])
    equal((await anna.get('count_favourites')).count, 0)
    // The address of the erased user is free for another.
    await testApp.duet(
      ...['user', 'add', '--role', 'guy', '--nick', 'Other', '--email', 'kanariemail@duet.example'],
      ...['--password', 'other-secret-1'],
    )
  },
)

story('the files of the pictures go with the account', async ({ testApp, anna, vera }) => {
  const of = async (owner: TestUser) =>
    (
      await testApp.app.db
        .selectFrom('media')
        .select('id')
        .where('owner_id', '=', owner.id)
        .execute()
    ).map(({ id }) => id)
  const [[hers], [others]] = [await of(anna), await of(vera)]
  const fetchFiles = async (id: string) =>
    (await files(testApp)).filter((file) => file.includes(id))
  ok((await fetchFiles(hers!)).length > 0)
  await leave(anna)
  await untilErased(testApp)
  deepEqual([await of(anna), await fetchFiles(hers!)], [[], []])
  ok((await fetchFiles(others!)).length > 0)
})

story(
  'a hold keeps the data of a closed account until it is lifted',
  async ({ testApp, anna, boris }) => {
    const { media: photo } = await anna.post(
      'gallery/media',
      fileForm('media', await pictureBytes()),
    )
    await boris.post('age/confirm', { confirmed: true, terms: true })
    const { hold_id } = await testApp.duet<{ hold_id: number }>(
      ...['hold', 'add', anna.id, '--reason', 'case 17'],
    )
    await boris.post('gallery/media/like', { id: photo.id })
    await boris.act('ADD_FAVOURITE', { user_id: anna.id })
    const ofAnna = async () => ({
      uploads: (await getRows(testApp, anna.id)).length,
      files: (await files(testApp)).length,
      favourites: (await testApp.app.db.selectFrom('favourites').selectAll().execute()).length,
    })
    const before = await ofAnna()
    ok(before.uploads > 1)
    await leave(anna)
    await untilErased(testApp)
    deepEqual(await ofAnna(), before)
    const held = await user(testApp, anna.id)
    deepEqual([held.erased_at !== null, held.nick], [true, 'Anna'])
    await boris.isRefused('not_found', () => boris.act('ADD_FAVOURITE', { user_id: anna.id }))
    const page = testApp.user('anna')
    await page.isRefused('wrong_login', () =>
      page.auth({ login: 'anna@duet.example', password: getSecret(anna) }),
    )
    await testApp.leap('50 h')
    equal((await user(testApp, anna.id)).nick, 'Anna')
    const { holds } = await testApp.duet<{ holds: { hold_id: number }[] }>('hold', 'list')
    deepEqual(
      holds.map((hold) => hold.hold_id),
      [hold_id],
    )
    await testApp.duet('hold', 'remove', hold_id)
    await testApp.advance('5 min')
    equal((await user(testApp, anna.id)).nick, null)
    await testApp.settle()
    deepEqual(await ofAnna(), { uploads: 0, files: 0, favourites: 0 })
  },
)

story(
  'a hold keeps what its user deletes and what retention would delete',
  async ({ testApp, anna }) => {
    const { media: photo } = await anna.post(
      'gallery/media',
      fileForm('media', await pictureBytes()),
    )
    const before = (await files(testApp)).length
    const { hold_id } = await testApp.duet<{ hold_id: number }>(
      ...['hold', 'add', anna.id, '--reason', 'case 17'],
    )
    await anna.post('gallery/media/delete', { id: photo.id })
    await testApp.settle()
    deepEqual((await anna.get('gallery')).photos, [])
    equal((await files(testApp)).length, before)
    await testApp.leap('9000 h')
    await testApp.app.jobs.run('retention')
    await testApp.settle()
    equal((await files(testApp)).length, before)
    await testApp.duet('hold', 'remove', hold_id)
    await testApp.app.jobs.run('retention')
    await testApp.settle()
    equal(
      (await getRows(testApp, anna.id)).find(({ id }) => id === photo.id),
      undefined,
    )
  },
)

story(
  'an erasure that was interrupted is finished by the next start',
  async ({ testApp, anna }) => {
    await leave(anna)
    await testApp.crash()
    await testApp.leap('337 h')
    ok((await user(testApp, anna.id)).erased_at)
    equal((await user(testApp, anna.id)).nick, 'Anna')
    await testApp.crash()
    await testApp.advance('5 min')
    equal((await user(testApp, anna.id)).nick, null)
    const { state } = await testApp.app.db
      .selectFrom('account_deletions')
      .select('state')
      .executeTakeFirstOrThrow()
    equal(state, 'erased')
  },
)

/** Asks for the file with a key, or after the user confirmed it with the password. */
async function requestExport(
  user: TestUser,
  { key, signal }: { key?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  const given = key ?? (await user.post('account/export', { password: getSecret(user) })).key
  return fetch(`${user.testApp.origin}/api/account/export?key=${given}`, {
    headers: { 'chat-token': user.token!, 'client-version': '2.0.0' },
    ...(signal && { signal }),
  })
}

async function exported(of: TestUser): Promise<Record<string, string>> {
  const response = await requestExport(of)
  equal(response.status, 200)
  equal(response.headers.get('content-type'), 'application/zip')
  equal(response.headers.get('cache-control'), 'no-store')
  const unpacked = unzipSync(new Uint8Array(await response.arrayBuffer()))
  return Object.fromEntries(
    Object.entries(unpacked).map(([path, bytes]) => [path, Buffer.from(bytes).toString('latin1')]),
  )
}

story(
  'the export has what the user entered and owns, and nothing that belongs to others',
  async ({ testApp, boris, anna, vera }) => {
    await testApp.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
    await anna.post('profile', { about: 'Something about me' })
    await anna.act('BLOCK_USER', { user_id: vera.id })
    await boris.act('BLOCK_USER', { user_id: anna.id })
    const copy = await exported(anna)
    const rows = (table: string) => JSON.parse(copy[`${table}.json`]!) as Record<string, unknown>[]
    deepEqual(
      [rows('users')[0]!.about, rows('users')[0]!.email],
      ['Something about me', 'anna@duet.example'],
    )
    deepEqual(
      rows('blocks').map(({ blocked_id }) => blocked_id),
      [vera.id],
    )
    const pictures = Object.entries(copy).filter(([path]) => path.startsWith('media/'))
    equal(pictures.length, 1)
    equal(pictures[0]![1].slice(8, 12), 'WEBP')
    const all = Object.values(copy).join()
    for (const secret of ['argon2id', 'boris@duet.example', 'vera@duet.example'])
      ok(!all.includes(secret), secret)
    const his = await exported(boris)
    const [bonus] = JSON.parse(his['transfers.json']!) as Record<string, unknown>[]
    deepEqual([bonus!.asset, bonus!.direction, bonus!.amount], ['diamond', 'in', '600000'])
    deepEqual(JSON.parse(his['favourites.json']!), [])
  },
)

story('an export that was broken off can be asked for again', async ({ testApp, anna }) => {
  for (let times = 0; times < 4; times += 1) {
    const stop = new AbortController()
    const response = await requestExport(anna, { signal: stop.signal })
    await response.body!.getReader().read()
    stop.abort()
    await testApp.settle()
  }
  ok((await exported(anna))['users.json'])
})

story('an export is told to its owner', async ({ anna }) => {
  await exported(anna)
  const [notice] = (await anna.get('notices')).items
  deepEqual([notice!.kind, notice!.facts.what], ['security', 'export'])
})

story(
  'a network has two exports at a time, and an export that is not read leaves its place to others',
  async ({ testApp, anna, vera, clara }) => {
    // Too much for the buffers of a connection.
    const large = Buffer.alloc(40_000_000)
    Object.assign(testApp.app.storage, { get: async () => large })
    const held = [await requestExport(anna), await requestExport(vera)]
    notEqual((await requestExport(clara)).status, 200)
    for (let part = 0; part < 8; part += 1) await testApp.advance('5 s')
    const next = await requestExport(clara)
    equal(next.status, 200)
    for (const { body } of [...held, next]) await body!.cancel().catch(() => {})
  },
)

story(
  'an export needs the password, in the login that gave it and within a minute',
  async ({ testApp, anna, vera }) => {
    await anna.isRefused('password_required', () =>
      anna.post('account/export', { password: 'wrong-password' }),
    )
    const fetchStatus = async (user: TestUser, key: string) =>
      (await requestExport(user, { key })).status
    equal(await fetchStatus(anna, 'x'), 401)
    const { key } = await anna.post('account/export', { password: getSecret(anna) })
    for (const wrong of [`${Number(key.split('.')[0]) + 1}.${key.split('.')[1]}`, `${key}A`])
      equal(await fetchStatus(anna, wrong), 401, wrong)
    equal(await fetchStatus(vera, key), 401)
    equal(await fetchStatus(anna, key), 200)
    await testApp.leap('61 s')
    equal(await fetchStatus(anna, key), 401)
  },
)

story('an export goes on while the server is slow', async ({ testApp, anna }) => {
  const { storage } = testApp.app
  const reading = Promise.withResolvers<void>()
  const slow = Promise.withResolvers<void>()
  const get = storage.get.bind(storage)
  Object.assign(storage, {
    get: async (...given: Parameters<typeof get>) => {
      reading.resolve()
      await slow.promise
      return get(...given)
    },
  })
  const copy = exported(anna)
  await reading.promise
  for (let part = 0; part < 8; part += 1) await testApp.advance('5 s')
  slow.resolve()
  ok((await copy)['users.json'])
})

story(
  'a hold keeps the values by which a client was recognised beyond their days',
  async ({ testApp, boris, carl }) => {
    const { db } = testApp.app
    for (const guy of [boris, carl]) await guy.act('D_INFO', { fingerprint: 'a'.repeat(64) })
    await testApp.duet('hold', 'add', boris.id, '--reason', 'a test')
    const owners = async () =>
      (await db.selectFrom('client_signals').select('user_id').execute()).map(
        ({ user_id }) => user_id,
      )
    ok((await owners()).includes(carl.id))
    await testApp.leap('181 days')
    await testApp.app.jobs.run('retention')
    deepEqual([...new Set(await owners())], [boris.id])
  },
)
