import { deepEqual, equal, ok } from 'node:assert/strict'
import type { OfficeUser, PersonCard } from '@duet/protocol'
import { toGender } from '@duet/protocol/kernel/roles.ts'
import { inCall } from '@duet/testkit/calls/in-call.ts'
import { dialogBetween, writeMessage } from '@duet/testkit/messenger.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import { story, together } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

async function find(staff: TestUser, query: string): Promise<readonly OfficeUser[]> {
  const path = `v2/manager/users?${new URLSearchParams({ query })}`
  return ((await staff.get(path)) as unknown as { users: OfficeUser[] }).users
}

const ids = (users: readonly OfficeUser[]) => users.map(({ id }) => id)

story(
  'staff find a user by id, mail, page, nickname, wallet and order',
  async ({ testApp, boris, anna }) => {
    const { db } = testApp.app
    const address = 'boris.long@duet.example'
    await db.updateTable('users').set({ email: address }).where('id', '=', boris.id).execute()
    const wallet = 'TJRabPrwbZy45sbavfcjinPJC18kjpRTv8'
    await db.updateTable('users').set({ usdt_wallet: wallet }).where('id', '=', anna.id).execute()
    await db.updateTable('users').set({ nick: 'Zed_100%' }).where('id', '=', anna.id).execute()
    const owner = await openStaff(testApp, 'owner')
    const moderator = await openStaff(testApp, 'moderator')
    deepEqual(ids(await find(owner, String(boris.id))), [boris.id])
    deepEqual(ids(await find(owner, 'BORIS.long@duet.example')), [boris.id])
    deepEqual(ids(await find(owner, wallet)), [anna.id])
    deepEqual(ids(await find(owner, 'zed_1')), [anna.id])
    const { ref_code } = await testApp.app.db
      .selectFrom('users')
      .select('ref_code')
      .where('id', '=', anna.id)
      .executeTakeFirstOrThrow()
    for (const named of [ref_code!, `https://duet.example/de/girl/${ref_code}?from=mail`])
      deepEqual(ids(await find(owner, named)), [anna.id])
    deepEqual(ids(await find(owner, 'zed%')), [])
    deepEqual(ids(await find(owner, 'nobody-has-this')), [])
    deepEqual((await find(owner, address))[0]!.email, address)
    deepEqual((await find(moderator, address))[0]!.email, 'b…@duet.example')
    await owner.isRefused('invalid', () => find(owner, ''))
  },
)

story(
  'a search and a look at notes are in the audit log, without whole addresses',
  async ({ testApp, boris }) => {
    const finance = await openStaff(testApp, 'finance')
    const manager = await openStaff(testApp, 'manager')
    await find(finance, 'bor')
    await find(finance, 'boris@duet.example')
    await manager.get(`v2/manager/users/${boris.id}/notes`)
    const entries = await testApp.duet<{ act: string; facts: object }[]>('audit', 'list')
    deepEqual(
      entries.slice(0, 3).map(({ act, facts }) => [act, facts]),
      [
        ['user_view', { list: 'notes', page: 1 }],
        ['user_search', { query: 'b…@duet.example', found: [boris.id] }],
        ['user_search', { query: 'bor', found: [boris.id] }],
      ],
    )
  },
)

story(
  'a case is found by its number: where it waits for who decides it, where it is decided by its statement',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    const { complaint_id } = await boris.act('TO_COMPLAIN', {
      user_id: anna.id,
      reason: 'spam',
      comment: '',
      session_id: call.session_id,
    })
    const moderator = await openStaff(testApp, 'moderator')
    const finance = await openStaff(testApp, 'finance')
    const findCases = async (staff: TestUser, query: string) =>
      (await staff.get('v2/manager/cases', { query })).cases.map(({ kind, id, is_waiting }) => ({
        kind,
        id,
        is_waiting,
      }))
    const id = String(complaint_id)
    deepEqual(await findCases(moderator, id), [{ kind: 'complaints', id, is_waiting: true }])
    deepEqual(await findCases(finance, id), [])
    deepEqual(await findCases(moderator, '999999'), [])
    deepEqual(await findCases(moderator, '%'), [])
    await moderator.post('v2/manager/claim', { queue: 'complaints', id })
    const decision = { decision: 'warning', reason: 'harassment', comment: 'stop it' }
    const { statement_id } = await moderator.post(`v2/manager/complaints/${id}/decide`, decision)
    const decided = [
      ...(await findCases(moderator, id)),
      ...(await findCases(moderator, String(statement_id))),
    ]
    ok(decided.some((one) => one.kind === 'complaints' && !one.is_waiting))
    ok(decided.some((one) => one.kind === 'statements' && one.id === String(statement_id)))
  },
)

story('a user who registered on the site is found by an id of 16 digits', async ({ testApp }) => {
  const maria = testApp.user('maria')
  await maria.auth()
  await maria.post('age/confirm', { confirmed: true, terms: true })
  const wish = { nick: 'Maria', email: 'maria@duet.example', password: 'maria-secret-1' }
  await maria.act('UPDATE_PROFILE', { ...wish, birthday: '1998-02-03', gender: toGender('girl') })
  const [{ id }] = (await find(await openStaff(testApp, 'owner'), wish.email)) as [OfficeUser]
  const moderator = await openStaff(testApp, 'moderator')
  equal(String(id).length, 16)
  deepEqual(ids(await find(moderator, String(id))), [id])
  const { user } = (await moderator.get(`v2/manager/users/${id}`)) as unknown as PersonCard
  equal(user.nick, wish.nick)
  deepEqual(ids(await find(moderator, '9999999999999999')), [])
})

story(
  'the page of a person shows figures, calls and notes, and each look is recorded',
  async ({ testApp, boris, anna }) => {
    const call = await inCall(testApp, { guy: boris, girl: anna })
    await call.connect()
    const dana = await openStaff(testApp, 'moderator', 'dana@duet.example')
    const card = (await dana.get(`v2/manager/users/${anna.id}`)) as unknown as PersonCard
    deepEqual([card.user.id, card.balance, card.wallet], [anna.id, '0', null])
    equal((await auditedActs(testApp))[0], 'user_view')
    const calls = (await dana.get(`v2/manager/users/${anna.id}/calls`)) as unknown as {
      items: { session_id: number; partner: { id: number } }[]
    }
    deepEqual(
      calls.items.map(({ session_id, partner }) => [session_id, partner.id]),
      [[call.session_id, boris.id]],
    )
    await dana.isRefused('not_found', () => dana.get('v2/manager/users/999999'))
    await dana.isRefused('not_found', () => dana.get('v2/manager/users/999999/calls'))
    await dana.isRefused('role_forbidden', () => dana.get(`v2/manager/users/${anna.id}/movements`))

    const key = crypto.randomUUID()
    const path = `v2/manager/users/${anna.id}/notes`
    await together(3, () =>
      dana.post(path, { text: 'Asked twice for help.' }, { 'idempotency-key': key }),
    )
    const notes = (await dana.get(path)) as unknown as { items: { text: string; author: string }[] }
    deepEqual(
      notes.items.map(({ text, author }) => [text, author]),
      [['Asked twice for help.', 'dana@duet.example']],
    )
    await dana.isRefused('invalid', () => dana.post(path, { text: '' }))
  },
)

story(
  'a dialog opens with a reason, which is recorded before a message is read',
  async ({ testApp, boris, anna, vera }) => {
    await writeMessage(anna, await dialogBetween(anna, boris), 'Good morning', 'a1')
    const dana = await openStaff(testApp, 'moderator')
    const dialogs = (await dana.get(`v2/manager/users/${boris.id}/dialogs`)) as unknown as {
      items: { partner: { id: number }; messages: number }[]
    }
    deepEqual(
      dialogs.items.map(({ partner, messages }) => [partner.id, messages]),
      [[anna.id, 1]],
    )
    const path = `v2/manager/users/${boris.id}/dialogs/${anna.id}`
    await dana.isRefused('invalid', () => dana.post(path, { reason: '' }))
    ok(!(await auditedActs(testApp)).includes('dialog_view'))
    const { lines } = (await dana.post(path, { reason: 'complaint 7' })) as unknown as {
      lines: { text: string; sender_id: number }[]
    }
    deepEqual(
      lines.map(({ text, sender_id }) => [text, sender_id]),
      [['Good morning', anna.id]],
    )
    equal((await auditedActs(testApp))[0], 'dialog_view')
    // A member of staff with an own account on the platform.
    const { db } = testApp.app
    await db
      .updateTable('users')
      .set({ email: 'eva@duet.example' })
      .where('id', '=', anna.id)
      .execute()
    const eva = await openStaff(testApp, 'manager', 'eva@duet.example')
    await eva.isRefused('role_forbidden', () => eva.post(path, { reason: 'curious' }))
    await dana.isRefused('not_found', () =>
      dana.post(`v2/manager/users/${boris.id}/dialogs/${vera.id}`, { reason: 'complaint 7' }),
    )
  },
)
