import { deepEqual, equal, ok } from 'node:assert/strict'
import { inCall } from '../../../test/call.ts'
import { story } from '../../../test/stage.ts'
import { balances, ledgerCheck } from '../wallet/index.ts'

const minute = 60_000n
const coin = 100_000_000n

story('a call is free for ten seconds, then he pays by the second and she earns by the second', async ({ stage, boris, anna }) => {
  await stage.duet('grant', boris.id, 10, 'diamond', '--reason', 'test')
  await stage.duet('settings', 'set', 'free_quota', '0')
  const call = await inCall(stage, { guy: boris, girl: anna })
  await call.connect()
  equal((await boris.heard('meter', { phase: 'free' })).session_id, call.session_id)
  await call.talk(70)
  const receipt = await boris.act('BREAK_SESSION', { session_id: call.session_id })
  equal(receipt.reason, 'left')
  deepEqual([receipt.seconds, receipt.free_seconds, receipt.quota_seconds, receipt.paid_seconds], [70, 10, 60, 0])
})
