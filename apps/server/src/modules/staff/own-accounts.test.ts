import { deepEqual, equal } from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { solvedCaptcha } from '@duet/testkit/stand-ins/captcha-solver.ts'
import { openStaff } from '@duet/testkit/test-staff.ts'
import { story } from '@duet/testkit/test-app.ts'
import { fileForm, patternBytes } from '@duet/testkit/uploads.ts'

story(
  'a member of staff reads no case and no page about the own account',
  async ({ testApp, boris, anna }) => {
    const { complaint_id } = await anna.act('TO_COMPLAIN', {
      reason: 'threats',
      user_id: boris.id,
      comment: 'He threatens me.',
    } as never)
    const { media } = await boris.post('gallery/media', fileForm('media', await patternBytes(7)))
    const vera = testApp.user('vera')
    const report = {
      secret: randomBytes(32).toString('base64url'),
      contact: 'vera@elsewhere.example',
      where: `https://duet.example/media/${media.id}/full`,
      signature: 'Vera Novak',
    }
    const form = () => {
      const filled = new FormData()
      for (const [name, value] of Object.entries(report)) filled.set(name, value)
      return filled
    }
    const path = 'reports/intimate-image'
    const asked = await vera.isRefused('captcha_required', () => vera.post(path, form()))
    await vera.post(path, form(), { captcha: await solvedCaptcha(asked) })
    const self = await openStaff(testApp, 'owner', 'boris@duet.example')
    const other = await openStaff(testApp, 'owner')
    const reports = (await other.get('v2/manager/reports')).items
    const looks = [
      `v2/manager/complaints/${complaint_id}`,
      `v2/manager/reports/${reports[0]!.id}`,
      `v2/manager/reports/${reports[0]!.id}/pictures/${media.id}`,
      `v2/manager/findings/${boris.id}`,
      `v2/manager/masked/${boris.id}`,
      `v2/manager/users/${boris.id}`,
      ...['notes', 'calls', 'dialogs', 'devices', 'movements'].map(
        (page) => `v2/manager/users/${boris.id}/${page}`,
      ),
      `v2/manager/users/${boris.id}/movements/export`,
      `v2/manager/statements?user_id=${boris.id}`,
    ] as const
    for (const look of looks) await self.isRefused('role_forbidden', () => self.get(look as never))
    const lists = ['complaints', 'complaints?state=decided', 'findings', 'masked'] as const
    for (const list of lists)
      deepEqual(((await self.get(`v2/manager/${list}` as never)) as { items: unknown[] }).items, [])
    await other.post('v2/manager/ban/impose', {
      user_id: boris.id,
      reason: 'nudity',
      until: null,
      comment: 'enough',
    })
    equal((await other.get('v2/manager/statements')).items.length, 1)
    deepEqual((await self.get('v2/manager/statements')).items, [])
    deepEqual(await self.get(`v2/manager/cases?query=${complaint_id}` as never), { cases: [] })
    equal((await other.get('v2/manager/complaints')).items.length, 1)
    await other.get(looks[0] as never)
  },
)
