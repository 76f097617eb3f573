import { inCall, type JoinedCall } from '@duet/testkit/calls/in-call.ts'
import type { TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

export interface CallStep {
  readonly ends: 'guy' | 'girl' | 'away' | 'block' | 'no_balance' | 'deleted'
  /** How long the two talk before that. */
  readonly seconds: number
  readonly is_granted_during_call: boolean
}

/** Minutes for each call: a few seconds. */
const MINUTES = '0.15'
/** Between two looks whether the call has ended because he cannot pay any more. */
const LOOK_EVERY_SECONDS = 6
/** Far more than he can pay, with what earlier calls left. */
const LOOKS_MAX = 200
/** Longer than the grace time of a party that is away. */
const AWAY = '20 s'

/** A whole call in which the guy pays from the first second, from its opening to its end. */
export async function playCall(
  testApp: TestApp,
  guy: TestUser,
  girl: TestUser,
  { ends, seconds, is_granted_during_call }: CallStep,
  deleteGirl: () => Promise<void>,
): Promise<void> {
  for (const [one, other] of [
    [guy, girl],
    [girl, guy],
  ] as const)
    await one.tryAct('UNBLOCK_USER', { user_id: other.id })
  await grant(testApp, guy)
  const call = await inCall(testApp, { guy, girl, free_start: false })
  const { session_id } = call
  await call.connect()
  await call.talk(seconds)
  if (is_granted_during_call) await grant(testApp, guy)
  if (ends === 'guy') await guy.act('BREAK_SESSION', { session_id })
  if (ends === 'girl') await girl.act('BREAK_SESSION', { session_id })
  if (ends === 'block') await girl.act('BLOCK_USER', { user_id: guy.id })
  if (ends === 'deleted') await deleteGirl()
  if (ends === 'no_balance') await talkUntilDry(testApp, call)
  if (ends === 'away') {
    await guy.drop()
    await testApp.advance(AWAY)
  }
  await testApp.settle()
}

async function talkUntilDry(testApp: TestApp, { session_id, talk }: JoinedCall): Promise<void> {
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const { rows } = await testApp.database.pool.query(
      'select 1 from video_sessions where session_id = $1 and closed_at is not null',
      [session_id],
    )
    if (rows.length > 0) return
    await talk(LOOK_EVERY_SECONDS)
  }
  throw new Error('The call of a guy without minutes goes on')
}

function grant(testApp: TestApp, guy: TestUser): Promise<unknown> {
  return testApp.duet('grant', guy.id, MINUTES, 'diamond', '--reason', 'law')
}
