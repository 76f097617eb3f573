import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { story, together, type TestApp } from '@duet/testkit/test-app.ts'
import { sendDocuments } from '@duet/testkit/uploads.ts'
import { auditedActs, openStaff } from '@duet/testkit/test-staff.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const twoPeople = story.with({ env: { SECOND_PERSON: 'on' } })

interface Waiting {
  readonly approval_id: number
  readonly waits: string
}
const grant = (testApp: TestApp, user: TestUser, amount: string, ...more: string[]) =>
  testApp.duet<Waiting>('grant', user.id, amount, 'diamond', '--reason', 'a gift', ...more)
const allow = (staff: TestUser, id: number) => staff.post(`v2/manager/approvals/${id}/allow`)
const balance = async (user: TestUser) => (await user.post('balance')).balance

twoPeople(
  'a grant of the shell waits until a manager allows it, and is done once',
  async ({ testApp, boris, carl }) => {
    const { approval_id, waits } = await grant(testApp, boris, '5')
    match(waits, /--approval \d+\.$/)
    equal(await balance(boris), '0')
    const option = ['--approval', String(approval_id)]
    await rejects(grant(testApp, boris, '5', ...option), /No second person/)
    const manager = await openStaff(testApp, 'manager')
    const { approvals } = await manager.get('v2/manager/approvals')
    deepEqual(
      approvals.map(({ id, act, user_id, facts, reason }) => [id, act, user_id, facts, reason]),
      [
        [
          ...[approval_id, 'grant', boris.id],
          [
            { name: 'asset', value: 'diamond' },
            { name: 'amount', value: '5' },
          ],
          'a gift',
        ],
      ],
    )
    await allow(manager, approval_id)
    await allow(manager, approval_id)
    equal((await auditedActs(testApp))[0], 'approval_allow')
    const owner = await openStaff(testApp, 'owner')
    await owner.isRefused('decided', () => allow(owner, approval_id))
    await rejects(grant(testApp, boris, '500', ...option), /another act/)
    await rejects(grant(testApp, carl, '5', ...option), /another act/)
    const done = await together(4, () =>
      grant(testApp, boris, '5', ...option).then(
        () => true,
        () => false,
      ),
    )
    equal(done.filter(Boolean).length, 1)
    deepEqual((await auditedActs(testApp)).slice(0, 2), ['grant', 'approval_use'])
    equal(await balance(boris), '5')
    deepEqual((await manager.get('v2/manager/approvals')).approvals, [])
  },
)

twoPeople('an allowance and a request end after a day', async ({ testApp, boris }) => {
  const { approval_id: asked } = await grant(testApp, boris, '5')
  await testApp.leap('25 h')
  const manager = await openStaff(testApp, 'manager')
  await manager.isRefused('not_found', () => allow(manager, asked))
  const { approval_id } = await grant(testApp, boris, '5')
  await allow(manager, approval_id)
  await testApp.leap('25 h')
  await rejects(grant(testApp, boris, '5', '--approval', String(approval_id)), /too old/)
})

twoPeople(
  'a proof of the second person is needed, and a moderator is none',
  async ({ testApp, boris }) => {
    const { approval_id } = await grant(testApp, boris, '5')
    const moderator = await openStaff(testApp, 'moderator')
    await moderator.isRefused('role_forbidden', () => allow(moderator, approval_id))
    const manager = await openStaff(testApp, 'manager')
    testApp.clock.sleep(testApp.clock.now().add({ hours: 2 }))
    await manager.isRefused('second_factor', () => allow(manager, approval_id))
  },
)

twoPeople('gift cards and documents of identity wait as well', async ({ testApp, nina }) => {
  const manager = await openStaff(testApp, 'manager')
  const cards = ['giftcards', 'create', '--count', '2', '--minutes', '30'] as const
  const waiting = await testApp.duet<Waiting>(...cards)
  equal((await testApp.app.db.selectFrom('gift_cards').selectAll().execute()).length, 0)
  await allow(manager, waiting.approval_id)
  const made = await testApp.duet<{ codes: string[] }>(
    ...cards,
    '--approval',
    String(waiting.approval_id),
  )
  equal(made.codes.length, 2)

  await sendDocuments(nina)
  const [check] = await testApp.duet<{ check_id: number }[]>('verification', 'list')
  const folder = await mkdtemp(join(tmpdir(), 'duet-documents-'))
  try {
    const show = ['verification', 'show', String(check!.check_id), '--out', folder] as const
    const { approval_id } = await testApp.duet<Waiting>(...show)
    await allow(manager, approval_id)
    const { files } = await testApp.duet<{ files: string[] }>(
      ...show,
      '--approval',
      String(approval_id),
    )
    ok(files.length > 0)
  } finally {
    await rm(folder, { recursive: true })
  }
})
