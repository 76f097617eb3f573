import { deepEqual, equal } from 'node:assert/strict'
import { startSumsubStandIn } from '@duet/testkit/stand-ins/sumsub-stand-in.ts'
import { story, type TestApp } from '@duet/testkit/test-app.ts'
import type { TestUser } from '@duet/testkit/test-user.ts'

const secrets = {
  app_token: 'sbx:only-for-tests',
  request_secret: 'secret-of-requests',
  webhook_secret: 'secret-of-notices',
}
let clock = { now: () => Temporal.Now.instant() }
const standIn = await startSumsubStandIn({ ...secrets, now: () => clock.now() })

const configured = story.with({
  env: {
    SUMSUB_URL: standIn.origin,
    SUMSUB_APP_TOKEN: secrets.app_token,
    SUMSUB_SECRET_KEY: secrets.request_secret,
    SUMSUB_WEBHOOK_SECRET: secrets.webhook_secret,
    SUMSUB_LEVEL: 'basic-kyc',
  },
})

interface Said {
  readonly type?: string
  readonly answer?: 'GREEN' | 'RED'
  readonly reject?: 'RETRY' | 'FINAL'
  /** Default: `completed` with an answer, `pending` without. */
  readonly status?: string
  readonly level?: string
  readonly minute: number
  readonly user_key?: string
  /** Default: the birthday of the account. `none`: the provider answers no birthday. */
  readonly dob?: string
  readonly until?: string
}

/** Sets what the provider says of this user, and sends the notice about it. */
async function tell(testApp: TestApp, user: TestUser, said: Said): Promise<number> {
  const externalUserId = said.user_key ?? `duet-${user.id}`
  const id = `applicant-${user.id}`
  const review = {
    ...(said.level !== 'none' && { levelName: said.level ?? 'basic-kyc' }),
    reviewStatus: said.status ?? (said.answer ? 'completed' : 'pending'),
    ...(said.answer && {
      reviewResult: {
        reviewAnswer: said.answer,
        ...(said.reject && { reviewRejectType: said.reject }),
      },
    }),
  }
  const info = {
    ...(said.dob !== 'none' && { dob: said.dob ?? (await fetchBirthday(testApp, user)) }),
    ...(said.until && { idDocs: [{ validUntil: said.until }] }),
  }
  standIn.applicants.set(id, { externalUserId, review, info })
  return send(testApp, id, { ...said, user_key: externalUserId })
}

async function fetchBirthday({ app }: TestApp, { id }: TestUser): Promise<string> {
  const users = app.db.selectFrom('users').select('birthday').where('id', '=', id)
  return (await users.executeTakeFirstOrThrow()).birthday!.toString()
}

async function send(testApp: TestApp, applicantId: string, said: Said): Promise<number> {
  clock = testApp.clock
  const status = await standIn.notify(`${testApp.origin}/api/ss/kyc/notify`, {
    applicantId,
    inspectionId: 'i1',
    correlationId: `c${said.minute}`,
    externalUserId: said.user_key,
    type: said.type ?? (said.answer ? 'applicantReviewed' : 'applicantPending'),
    createdAtMs: `2026-01-01 00:${String(said.minute).padStart(2, '0')}:00.000`,
    sandboxMode: false,
  })
  await testApp.settle()
  return status
}

async function state(user: TestUser): Promise<[string, string | undefined]> {
  const { state: shown, reason } = await user.get('kyc')
  return [shown, reason]
}

story('without the provider its token and its notices are refused', async ({ testApp, nina }) => {
  await nina.isRefused('method_unavailable', () => nina.get('ss/kyc/token'))
  equal((await nina.get('kyc')).provider, 'staff')
  equal(await standIn.notify(`${testApp.origin}/api/ss/kyc/notify`, {}), 503)
})

configured(
  'a user gets a token for the frame, and nothing of the installation',
  async ({ testApp, nina, gina }) => {
    clock = testApp.clock
    const { provider, challenge } = await nina.get('kyc')
    deepEqual([provider, challenge !== undefined], ['sumsub', true])
    deepEqual(await nina.get('ss/kyc/token'), {
      token: `_act-duet-${nina.id}`,
      user_id: nina.id,
      url: standIn.origin,
    })
    await gina.isRefused('registered_only', () => gina.get('ss/kyc/token'))
    clock = { now: () => testApp.clock.now().add({ hours: 1 }) }
    await nina.isRefused('method_unavailable', () => nina.get('ss/kyc/token'))
  },
)

configured(
  'the verdict is read from the provider, and counts until the document expires',
  async ({ testApp, nina }) => {
    equal(await tell(testApp, nina, { minute: 1 }), 200)
    deepEqual(await state(nina), ['checking', undefined])
    await tell(testApp, nina, {
      minute: 2,
      answer: 'GREEN',
      dob: '1996-01-01',
      until: '2035-06-30',
    })
    deepEqual(await state(nina), ['verified', undefined])
    equal((await nina.get('kyc')).expires_at, '2035-06-30T21:00:00.000Z')
    equal((await nina.heard('user_info', {}, { times: 2 })).user.info.verify_state, 'checking')
  },
)

configured(
  'a notice alone proves nothing: the API of the provider decides',
  async ({ testApp, nina }) => {
    standIn.applicants.set('liar', {
      externalUserId: `duet-${nina.id}`,
      review: { reviewStatus: 'pending' },
    })
    await send(testApp, 'liar', { minute: 1, answer: 'GREEN', user_key: `duet-${nina.id}` })
    deepEqual(await state(nina), ['checking', undefined])
  },
)

configured(
  'an applicant whose documents are not sent yet is not being checked',
  async ({ testApp, nina }) => {
    await tell(testApp, nina, { minute: 1, type: 'applicantCreated', status: 'init' })
    deepEqual(await state(nina), ['none', undefined])
    await tell(testApp, nina, { minute: 2, type: 'applicantLevelChanged', status: 'awaitingUser' })
    deepEqual(await state(nina), ['none', undefined])
    await tell(testApp, nina, { minute: 3 })
    deepEqual(await state(nina), ['checking', undefined])
  },
)

for (const status of ['pending', 'prechecked', 'queued', 'onHold'])
  configured(
    `an applicant in the state ${status} is being checked, and the verdict ends the check`,
    async ({ testApp, nina }) => {
      await tell(testApp, nina, { minute: 1, type: 'applicantCreated', status: 'init' })
      await tell(testApp, nina, { minute: 2, status })
      deepEqual(await state(nina), ['checking', undefined])
      await tell(testApp, nina, { minute: 3, answer: 'GREEN', dob: '1996-01-01' })
      deepEqual(await state(nina), ['verified', undefined])
    },
  )

configured('a completed review without an answer waits', async ({ testApp, nina }) => {
  await tell(testApp, nina, { minute: 1, status: 'completed' })
  deepEqual(await state(nina), ['checking', undefined])
})

configured(
  'a reset at the provider closes the waiting check, and the user begins again',
  async ({ testApp, nina }) => {
    await tell(testApp, nina, { minute: 1 })
    await tell(testApp, nina, { minute: 2, type: 'applicantReset', status: 'init' })
    deepEqual(await state(nina), ['declined', 'revoked'])
    await tell(testApp, nina, { minute: 3, status: 'queued' })
    deepEqual(await state(nina), ['checking', undefined])
  },
)

configured('repeated and late notices change nothing', async ({ testApp, nina }) => {
  await tell(testApp, nina, { minute: 5, answer: 'GREEN' })
  nina.forget()
  await tell(testApp, nina, { minute: 5, answer: 'GREEN' })
  await tell(testApp, nina, { minute: 3, answer: 'RED', reject: 'FINAL' })
  deepEqual(await state(nina), ['verified', undefined])
  await nina.notHeard('user_info')
  const { length } = await testApp.app.db.selectFrom('kyc_notices').select('type').execute()
  equal(length, 2)
})

configured(
  'a declined user may try again, unless the provider says final',
  async ({ testApp, nina }) => {
    await tell(testApp, nina, { minute: 1, answer: 'RED', reject: 'RETRY' })
    deepEqual(await state(nina), ['declined', 'provider'])
    await nina.get('ss/kyc/token')
    await tell(testApp, nina, { minute: 2, answer: 'GREEN' })
    deepEqual(await state(nina), ['verified', undefined])
    await tell(testApp, nina, { minute: 3, answer: 'RED', reject: 'FINAL' })
    deepEqual(await state(nina), ['declined', 'provider'])
    await nina.isRefused('method_unavailable', () => nina.get('ss/kyc/token'))
  },
)

configured('a renewed document counts until its own end', async ({ testApp, nina }) => {
  const approved = { answer: 'GREEN', dob: '1996-01-01' } as const
  const end = async () => (await nina.get('kyc')).expires_at
  await tell(testApp, nina, { ...approved, minute: 1, until: '2027-06-30' })
  await tell(testApp, nina, { minute: 2 })
  deepEqual(await state(nina), ['checking', undefined])
  await tell(testApp, nina, { ...approved, minute: 3, until: '2035-06-30' })
  deepEqual([await state(nina), await end()], [['verified', undefined], '2035-06-30T21:00:00.000Z'])
  // Without a notice of the waiting check, and with a verdict that proves less.
  await tell(testApp, nina, { ...approved, minute: 4, until: '2036-06-30' })
  await tell(testApp, nina, { ...approved, minute: 5, until: '2030-06-30' })
  deepEqual([await state(nina), await end()], [['verified', undefined], '2036-06-30T21:00:00.000Z'])
})

configured('the provider renews what staff verified', async ({ testApp, nina }) => {
  const approved = { answer: 'GREEN', dob: '1996-01-01' } as const
  for (const minute of [1, 3]) {
    await tell(testApp, nina, { ...approved, minute, until: `203${minute}-06-30` })
    await testApp.app.db
      .updateTable('identity_checks')
      .set({ provider: 'staff' })
      .where('user_id', '=', nina.id)
      .execute()
    await tell(testApp, nina, { ...approved, minute: minute + 1, until: `204${minute}-06-30` })
    deepEqual(await state(nina), ['verified', undefined])
    equal((await nina.get('kyc')).expires_at, `204${minute}-06-30T21:00:00.000Z`)
  }
})

configured('a reset takes the verification back', async ({ testApp, nina }) => {
  await tell(testApp, nina, { minute: 1, answer: 'GREEN' })
  await tell(testApp, nina, { minute: 2, type: 'applicantReset' })
  deepEqual(await state(nina), ['declined', 'revoked'])
  equal((await nina.get('profile')).user.info.is_verify, false)
})

configured(
  'another level, a minor and another user do not verify',
  async ({ testApp, nina, boris }) => {
    await tell(testApp, nina, { minute: 1, answer: 'GREEN', level: 'liveness-only' })
    deepEqual(await state(nina), ['none', undefined])
    await tell(testApp, nina, { minute: 2, answer: 'GREEN', dob: '2020-01-01' })
    deepEqual(await state(nina), ['declined', 'underage'])
    await tell(testApp, boris, { minute: 3, answer: 'GREEN', user_key: `duet-${nina.id}` })
    deepEqual(await state(boris), ['none', undefined])
    for (const userKey of [
      '',
      'duet-',
      'duet-0',
      '1',
      'duet-99999999999999999999',
      'duet-2000000000',
    ])
      await tell(testApp, boris, { minute: 9, answer: 'GREEN', user_key: userKey })
    deepEqual(await state(boris), ['none', undefined])
  },
)

configured('a notice with a wrong signature is refused', async ({ testApp, nina }) => {
  clock = testApp.clock
  const address = `${testApp.origin}/api/ss/kyc/notify`
  const body = {
    applicantId: 'x',
    type: 'applicantReviewed',
    createdAtMs: '2026-01-01 00:00:00.000',
    externalUserId: `duet-${nina.id}`,
  }
  equal(await standIn.notify(address, body, { secret: 'another' }), 400)
  equal(await standIn.notify(address, body, { algorithm: 'sha1' }), 400)
  equal(await standIn.notify(address, body, { algorithm: 'sha512' }), 400)
  equal((await testApp.app.db.selectFrom('kyc_notices').select('type').execute()).length, 0)
})

configured('only the page of verification may frame the provider', async ({ testApp }) => {
  const fetchPolicy = async (path: string) => {
    const { headers } = await fetch(`${testApp.origin}${path}`)
    return [
      /frame-src ([^;]*)/.exec(headers.get('content-security-policy')!)![1],
      headers.get('permissions-policy')!.includes(standIn.origin),
    ]
  }
  for (const path of ['/verification/', '/verification', '/de/verification/'])
    deepEqual(await fetchPolicy(path), [standIn.origin, true], path)
  for (const path of ['/', '/profile/', '/verification/other', '/api/system', '/x/verification/'])
    deepEqual(await fetchPolicy(path), ["'none'", false], path)
})

story('without the provider no page frames anything', async ({ testApp }) => {
  const { headers } = await fetch(`${testApp.origin}/verification/`)
  equal(/frame-src ([^;]*)/.exec(headers.get('content-security-policy')!)![1], "'none'")
  equal(headers.get('permissions-policy')!.includes('sumsub'), false)
})

configured('staff decide what the provider does not answer', async ({ testApp, nina }) => {
  await tell(testApp, nina, { minute: 1, answer: 'GREEN', dob: 'none' })
  deepEqual(await state(nina), ['checking', undefined])
  await tell(testApp, nina, { minute: 2, answer: 'GREEN', level: 'none' })
  deepEqual(await state(nina), ['checking', undefined])
  const [check] = await testApp.duet<{ user_id: number }[]>('verification', 'list')
  equal(check!.user_id, nina.id)
})

configured('a document of another birthday does not verify', async ({ testApp, nina }) => {
  await tell(testApp, nina, { minute: 1 })
  await tell(testApp, nina, { minute: 2, answer: 'GREEN', dob: '1991-02-04' })
  deepEqual(await state(nina), ['declined', 'birthday_differs'])
})
